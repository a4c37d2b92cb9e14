"""Decoding of emails into text: transfer encodings, character sets, encoded words in headers.

Nothing here raises, even if the email describes itself wrongly: mislabelled text is decoded as well as
possible.
"""

from __future__ import annotations

import binascii
import re

_LONGEST_HEADER = 4000  # characters of a header value that are decoded

# Names in emails that Python does not know, or that mean more than they say: iso-8859-1 and us-ascii mostly
# mean Windows. Hyphens are written here as underscores.
_ALIASES = {
    "us_ascii": "cp1252",
    "ascii": "cp1252",
    "ansi_x3.4_1968": "cp1252",
    "646": "cp1252",
    "iso_8859_1": "cp1252",
    "iso8859_1": "cp1252",
    "latin1": "cp1252",
    "latin_1": "cp1252",
    "windows_1252": "cp1252",
    "iso_8859_9": "cp1254",
    "iso_8859_11": "cp874",
    "windows_874": "cp874",
    "x_windows_874": "cp874",
    "tis_620": "cp874",
    "iso_8859_8_i": "iso_8859_8",
    "iso_8859_8_e": "iso_8859_8",
    "iso_8859_6_i": "iso_8859_6",
    "iso_8859_6_e": "iso_8859_6",
    "shift_jis": "cp932",
    "sjis": "cp932",
    "x_sjis": "cp932",
    "ms_kanji": "cp932",
    "windows_31j": "cp932",
    "euc_jp": "euc_jp",
    "x_euc_jp": "euc_jp",
    "iso_2022_jp": "iso2022_jp_ext",
    "cp50220": "iso2022_jp_ext",
    "cp50221": "iso2022_jp_ext",
    "iso_2022_kr": "iso2022_kr",
    "euc_kr": "cp949",
    "ks_c_5601": "cp949",
    "ks_c_5601_1987": "cp949",
    "x_windows_949": "cp949",
    "gb2312": "gb18030",
    "gb_2312_80": "gb18030",
    "gbk": "gb18030",
    "x_gbk": "gb18030",
    "gb18030": "gb18030",
    "hz_gb_2312": "hz",
    "big5": "big5hkscs",
    "x_x_big5": "big5hkscs",
    "big5_hkscs": "big5hkscs",
    "macintosh": "mac_roman",
    "x_mac_roman": "mac_roman",
    "x_mac_cyrillic": "mac_cyrillic",
    "x_mac_ce": "mac_latin2",
    "x_cp1250": "cp1250",
    "x_cp1251": "cp1251",
    "win_1251": "cp1251",
    "cp_1251": "cp1251",
    "cp_850": "cp850",
    "koi8": "koi8_r",
    "koi8_ru": "koi8_u",
    "utf_8_mac": "utf_8",
    "utf8mb4": "utf_8",
    "unicode_1_1_utf_7": "utf_7",
    "unicode_1_1_utf_8": "utf_8",
    "x_unicode_2_0_utf_8": "utf_8",
}
# Python is asked only for names that look like a character set: it also has others (punycode, idna,
# unicode_escape), some of them slow, and it remembers unknown names forever.
_CHARACTER_SET = re.compile(
    r"utf_?(7|8|16|32)(_?[bl]e)?|iso_?8859_\d\d?|(windows|cp|ibm)_?\d{3,4}|koi8_[rtu]|mac_(roman|latin2|cyrillic|greek|turkish)"
)
_MULTIBYTE = frozenset(("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949"))
_JAPANESE_ESCAPE = b"\x1b$"
"""The beginning of Japanese characters in ISO-2022-JP, which no other text contains."""
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_BASE64_LINE = re.compile(rb"[ \t]*+[A-Za-z0-9+/]*+={0,2}[ \t]*\r?")
_UNSEEN = re.compile(
    # A flag of England, Scotland or Wales is written in invisible letters, and is kept.
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f)"
    # So are joiners behind letters that they shape (from Hebrew on), and those within emoji.
    "|(?<=[\u0590-\u1fff\u2100-\ud7ff\uf900-\ufefe\U00010000-\U000dffff])([\u200c\u200d])"
    # Controls, except tabs and line ends; soft hyphens; signs of direction, joining, separation or annotation.
    "|[\x01-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_ENCODED_WORD = re.compile(r"=\?([^?\s]{1,40})\?([BbQq])\?([^?]*)\?=")


def transfer_decoded(body: bytes, encoding: str) -> bytes:
    """Return the body without its Content-Transfer-Encoding; unchanged if the encoding is unknown.

    Parameters are ignored, though this header has none. Lists add their footer below a base64 body as it is.
    """
    match encoding.partition(";")[0].strip(' \t"').lower():
        case "base64":
            encoded, footer = _footer_parted(body)
            return _from_base64(encoded) + footer
        case "quoted-printable":
            return binascii.a2b_qp(body)
        case _:
            return body


def text_of(data: bytes, label: str) -> str:
    """Decode bytes in the character set that `label` names; if that fails, as UTF-8 or Windows-1252."""
    codec = _codec(label)
    codecs = [codec, "utf_8"]
    if codec == "cp1252" or codec in _MULTIBYTE:
        # UTF-8 with such a label is common, and other text is hardly ever valid UTF-8.
        codecs.reverse()
    if _JAPANESE_ESCAPE in data and not codec.startswith("iso2022"):
        codecs.insert(0, "iso2022_jp_ext")
    for each in codecs:
        try:
            return storable(data.decode(each))
        except (ValueError, LookupError):
            continue
    return storable(data.decode("cp1252", "replace"))


def storable(text: str) -> str:
    """Return the text without characters that no database or email accepts: NUL, and halves of characters.

    UTF-7 and JSON can contain such halves: a pair becomes one character, a single one becomes "\ufffd".
    """
    text = text.replace("\0", "")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def visible(text: str) -> str:
    """Return a person's text without invisible characters, which could make it look like another text.

    Controls of writing direction, for example, show letters in another order. Every text by people passes
    through here where it comes in: by email, in a form, or over the API.
    """
    return _UNSEEN.sub(lambda found: found[1] or found[2] or "", text)


def header_text(value: str) -> str:
    """Return a header's value, or its first 4000 characters, on one line, with encoded words (RFC 2047)
    decoded. For example, `=?utf-8?q?c4_=E2=99=9F?=` becomes “c4 ♟”.
    """
    value = value[:_LONGEST_HEADER]
    pieces: list[str] = []
    pending, charset, end = b"", "", 0
    for word in _ENCODED_WORD.finditer(value):
        between = value[end : word.start()]
        if between.strip() or word[1].lower() != charset:
            pieces.append(text_of(pending, charset))
            pending = b""
            if between.strip() or end == 0:
                pieces.append(between)
        # Adjacent words are joined as bytes: some programs split them in the middle of a character.
        pending += _word(word[2], word[3])
        charset, end = word[1].lower(), word.end()
    pieces += [text_of(pending, charset), value[end:]]
    return visible(" ".join("".join(pieces).split()))


def _word(encoding: str, text: str) -> bytes:
    data = text.encode(errors="replace")
    if encoding in "Bb":
        return _from_base64(data)
    return binascii.a2b_qp(data, header=True)


def _from_base64(data: bytes) -> bytes:
    digits = _NOT_BASE64.sub(b"", data)
    if len(digits) % 4 == 1:
        digits = digits[:-1]
    return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))


def _footer_parted(body: bytes) -> tuple[bytes, bytes]:
    """Return a base64 body and the text below it: from an empty line on, if not all of that is base64, too."""
    encoded, gap, below = body.lstrip(b"\r\n").partition(b"\n\n" if b"\r\n\r\n" not in body else b"\r\n\r\n")
    if all(map(_BASE64_LINE.fullmatch, below.split(b"\n"))):
        return body, b""
    return encoded, gap + below


def _codec(label: str) -> str:
    name = label.strip(" \t\"'").partition("*")[0].lower().replace("-", "_")
    if name in _ALIASES:
        return _ALIASES[name]
    return name if _CHARACTER_SET.fullmatch(name) else "utf_8"
