"""Lines that the email systems of offices add: labels, banners, addresses, signatures and disclaimers.

All patterns take time in proportion to the length of a line, and only the start of a long one is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_LONGEST_LINE = 300
_MOST_WORDS = 8
"""Words of a label, and of a line of an address."""
_MOST_NAMES = 5
"""Words of a line with the writer's name."""
_WORD = re.compile(r"[^\W\d_]+")
_NAMED = re.compile(r"[\w.'’-]+")
_KINDS = frozenset(
    word
    for language in (
        "public internal official confidential restricted unclassified unrestricted external sensitive secret",
        "classification classified sensitivity label marking tlp clear amber",
        "öffentlich intern interne vertraulich dienstgebrauch klassifizierung einstufung",
        "publique restreinte confidentiel classement público pública interno interna confidencial",
        "clasificación pubblico riservato classificação classificatie openbaar vertrouwelijk",
        "gerubriceerd rubricering general schutzklasse schutzbedarf служебного конфиденциально внутренний",
        "社外秘 部外秘 秘密 機密 内部 内部资料 内部資料 机密 대외비 سري داخلي",
    )
    for word in language.split()
)
"""Words that classify an email."""
_FILLERS = frozenset(
    word
    for language in (
        "for of use only the company data email mail message information and or not non open red white green",
        "business personal private outside sender partner partners limited level protective handling",
        "strict strictly nur für den streng uso diffusion usage для пользования",
    )
    for word in language.split()
)
"""Words that may stand beside them."""
_LEVEL = re.compile(r"(?<!\w)[A-Z]?\d(?!\w)")
"""The number of a class, as in “C2 General”."""
_BRACKETED = re.compile(r"(?:\[[^\[\]]*\]|\*{2,4}[^*]+\*{2,4}|<<[^<>]*>>)")
"""A line in brackets; gateways put them above an email."""
_BANNER = re.compile(
    r"""
    ^\W*(?:caution|warning|attention|external|note|notice|achtung|vorsicht)\b
        (?=.*\b(?:e-?mail|message|sender|nachricht|absender)\b)
        .*\b(?:outside|external|originated|externer?|außerhalb)\b
    | ^\W*this\ (?:message|e-?mail)\b.*\b(?:outside|external)\b
    | ^zjqcmqryfpfptbanner(?:start|end)$
    | ^you\ don['’]t\ often\ get\ email\ from\b
    | \b(?:reply|answer|write|type)\b.{0,20}\babove\ this\ line\b | \boberhalb\ dieser\ (?:zeile|linie)\b
    | \bau-dessus\ de\ cette\ ligne\b | \bencima\ de\ esta\ línea\b
    | ^\W*(?:(?:machine[- ]|automatically\ )?translated|übersetzt|traduit|traducido|tradotto|traduzido)\b
        \D{0,20}\b(?:from|by|with|aus|mit|du|de|par|avec|del|por|con|da|dal)\b\D*$
    | ^scanned\ by\b | ^\S{1,20}\ ?(?:様|御中|さん|先生)[、,]?$
    | ^(?:机器翻译|翻译自|このメールは翻訳|переведено\ с\b)
    | ^sent\ (?:with|via|using)\ [\w.]{3,}\W*(?:https?://|$)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OUTSIDE = re.compile(
    r"\b(?:external|outside|extern\w*|außerhalb|extérieur|exterior|fuera de|de fora|esterno|esterna|buiten"
    r"|utanför|utenfor|udenfor|zewnętrzn\w+|внешн\w+)\b|外部|社外|خارج",
    re.IGNORECASE,
)
_MESSAGE = re.compile(
    r"\b(?:e-?mail|mail|mejl|message|sender|nachricht|absender\w*|expéditeur|correo|mensaje|mittente|messaggio"
    r"|mensagem|remetente|afzender|bericht|avsändare|avsender|afsender|wiadomość|nadawc\w+|письмо|отправитель)\b"
    r"|メール|邮件|郵件|رسالة|الرسالة|المرسل",
    re.IGNORECASE,
)
"""Words that occur together in the warnings of gateways about emails from outside."""
_ADDRESS = re.compile(
    r"""
    \b(?i:tel|telephone|phone|mobile|mob|cell|fax|direct|office|hotline|switchboard|telefon|mobil|handy|tél)
        \b\.?:?\s*\+?\(?\d[\d\s()/.-]{4,}
    | \+\d[\d\s()/.-]{6,}
    | \b[A-Z]{1,2}\d[A-Z\d]?\ \d[A-Z]{2}\b
    | \b(?:[A-Z]{1,2}-)?\d{4,5}\ [A-ZÄÖÜÉ][\w.'-]+
    | \b\d{1,4}[a-z]?,?\ (?:[A-ZÉ][\w.'-]+\ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Square|Way)\b
    | \b[A-ZÄÖÜ]\w+(?:straße|strasse|str\.|weg|platz|gasse|allee)\ \d
    | \b(?:rue|avenue|boulevard|via|viale|calle|plaza|piazza)\ (?:d[eu]\b|[A-Z][a-z]{2})
    | \b\d{1,4},?\ (?:rue|place|avenue|boulevard|allée|quai|chemin|impasse)\b
    | (?:^|[|·•,;]\ ?)[MTDPFEmtdpfe]:?\ \+?\(?\d[\d\s()/.-]{6,}
    | \b(?:Ticket|Ref|Reference|Case|Aktenzeichen|Zeichen|Dossier)\b[.:\ #]{0,3}[\w/-]*\d[\w/-]{3,}
    | \b(?:Meeting|Webinar|Besprechungs|Konferenz|Conference)[-\ ]ID\b | ^BEGIN:V(?:CARD|CALENDAR)$
    | 〒\s?\d{3} | 株式会社|有限会社|有限公司 | (?:TEL|電話|电话|手机|携帯|传真)\s?[:：]?\s?[\d+(]
    | [市区區路街町][^\s\d]{0,8}[A-Z]?\d | \d(?:号楼|室|階|楼)
    | \b(?:тел|моб|ул|корп|стр|каб|оф)\.\s?[+\d(А-ЯA-Z] | \b(?:ООО|ОАО|ЗАО|ПАО)\b
    | (?:مبنى|شارع|هاتف|الطابق|مكتب|جوال)\s
    | (?:^|[,·|•;]\ *)(?:Room|Rm|Floor|Suite|Flat|Apt|Building|Bldg|Block|Unit|Office|Haus|Raum|Zimmer
        |Gebäude|Etage|Ebene|Bureau|Bâtiment|Sala|Edificio|Piso|Despacho|Oficina|Ufficio|Stanza|Kamer
        |Pokój)\.?\ [A-Z]?-?\d
    | \b(?:HRB|HRA|USt-?Id|VAT|ABN|SIRET|Registered\ in|Company\ (?:no|number)|Amtsgericht|Geschäftsführer)\b
    """,
    re.VERBOSE,
)
"""A part of an address, in a line of a few words: a sentence is a person's."""
_DISCLAIMER = re.compile(
    r"\b(?:intended recipient|legally privileged|confidential and|free (?:of|from) viruses|before you print"
    r"|vertrauliche Informationen|before printing|information from eset)\b"
    r"|^(?:disclaimer|legal notice|rechtlicher hinweis|mentions légales|aviso legal|note legali)\b",
    re.IGNORECASE,
)
_TOGETHER = tuple(
    (re.compile(first, re.IGNORECASE), re.compile(second, re.IGNORECASE))
    for first, second in (
        (
            r"confid[ea]n[tc]|privileged|vertraulich|vertrouwelijk|riservat|конфиденциальн|保密|机密|機密|سري",
            r"recipient|addressee|adressat|empfänger|destinat[aá]|geadresseerde|получател|адресат"
            r"|收件人|受信者|المرسل",
        ),
        (
            r"\bregistered (?:office|in|number)\b|handelsregister|amtsgericht|siège social",
            r"\b(?:ltd|limited|plc|llp|llc|gmbh|ag|sarl|company|england|scotland|wales|ireland)\b",
        ),
        (
            r"\b(?:scanned|checked|geprüft|analysé|vérifié|analizado|analizzat[ao]|проверен[оа])\b",
            r"virus|viren|malware|вирус",
        ),
    )
)
"""Pairs of words that occur together in disclaimers, and in the notices of virus scanners."""
_HINT = re.compile(
    r"""
    \bwww\.\w | \bhttps?://\w | \b[\w.+-]+@[\w-]+\.\w
    | \b(?:Ltd|Limited|LLC|LLP|Inc|plc|GmbH|gGmbH|KG|mbH|UG|S\.A\.|SARL|S\.r\.l|S\.p\.A|B\.V|N\.V|Pty|e\.V)\b
    | \b(?:Registered\ (?:office|in)|Handelsregister|Siège\ social)\b
    | \ [|·•]\ | \b(?:Director|Manager|Analyst|Engineer|Consultant|Assistant|Head\ of|Leiter|Abteilung)\b
    """,
    re.VERBOSE,
)
"""A sign of an office, of which a block has at least two."""
_HINTS = 2
_TITLES = re.compile(r"^(?:(?:Dr|Prof|Mr|Mrs|Ms|Mx|Dipl|Ing|Frau|Herr|Mme|Sr|Sra|Dott|Ir)\b[.-]{0,2}\s?){1,4}")
_INITIALS = re.compile(r"(?:[^\W\d_]\. ?){2,4}")
_LONGEST_BLOCK = 2000


def is_label(line: str) -> bool:
    """Return whether a line classifies an email: “[OFFICIAL]”, “Classification: Public”."""
    if len(line) > _LONGEST_LINE:
        return False
    if _BANNER.search(line) or (_OUTSIDE.search(line) and _MESSAGE.search(line)):
        return True
    words = [word.casefold() for word in _WORD.findall(line)]
    if _BRACKETED.fullmatch(line.strip()) and len(words) > 1:
        return True
    without_level = _LEVEL.sub("", line, count=1)
    is_short = 0 < len(words) <= _MOST_WORDS and not any(map(str.isdigit, without_level))
    words = [word.casefold() for word in _WORD.findall(without_level)]
    return is_short and (_KINDS | _FILLERS).issuperset(words) and not _KINDS.isdisjoint(words)


def is_signed(line: str, names: Iterable[str]) -> bool:
    """Return whether a line is one of the writer's names, perhaps with more names: “Ben” or “Dr. Ben Miller”.

    The initials count, too, with dots: “B.M.”.
    """
    called = [word for name in names for word in _NAMED.findall(name)]
    words = _NAMED.findall(_TITLES.sub("", line))
    if not 0 < len(words) <= _MOST_NAMES or re.search(r"[?!:]", line):
        return False
    if _INITIALS.fullmatch(line):
        return line.replace(".", "").replace(" ", "").casefold() in _initials(names)
    is_name = all(word[0].isupper() for word in words)
    return is_name and words[0].casefold() in map(str.casefold, called)


def _initials(names: Iterable[str]) -> set[str]:
    return {"".join(word[0] for word in _NAMED.findall(name)).casefold() for name in names}


def is_address(block: Sequence[str]) -> bool:
    """Return whether a block of lines looks like an address or a signature of an office."""
    lines = [line[:_LONGEST_LINE] for line in block]
    hints = sum(len(set(_HINT.findall(line))) + (line.count(" | ") > 1) for line in lines)
    short = (line for line in lines if len(line.split()) <= _MOST_WORDS)
    return hints >= _HINTS or any(map(_ADDRESS.search, short))


def is_disclaimer(block: Sequence[str]) -> bool:
    """Return whether a block of lines is a legal disclaimer, or the notice of a virus scanner."""
    text = " ".join(block)[:_LONGEST_BLOCK]
    pairs = any(first.search(text) and second.search(text) for first, second in _TOGETHER)
    return pairs or _DISCLAIMER.search(text) is not None
