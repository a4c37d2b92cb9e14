"""Lines that offices put around an email: labels and letterheads above, addresses and disclaimers below.

Such lines contain room numbers, postcodes and hours that look like moves. Only whole blocks count, which empty
lines separate from the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

_MOST_LINES = 500
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
    )
    for word in language.split()
)
"""Words that classify an email."""
_FILLERS = frozenset(
    word
    for language in (
        "for of use only the company data email mail message information and or not non open red white green",
        "general business personal private outside sender partner partners limited level protective handling",
        "strict strictly nur für den streng uso diffusion usage",
    )
    for word in language.split()
)
"""Words that may stand beside them."""
_BANNER = re.compile(
    r"^\W*(?:caution|warning|attention|external|note|notice|achtung|vorsicht)\b"
    r"(?=.*\b(?:e-?mail|message|sender|nachricht|absender)\b)"
    r".*\b(?:outside|external|originated|externer?|außerhalb)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"""
    \b(?:tel|telephone|phone|mobile|mob|cell|fax|direct|office|hotline|switchboard|telefon|mobil|handy|tél)
        \b\.?:?\s*\+?\(?\d[\d\s()/.-]{4,}
    | \+\d[\d\s()/.-]{6,}
    | \b[A-Z]{1,2}\d[A-Z\d]?\ \d[A-Z]{2}\b
    | \b(?:[A-Z]{1,2}-)?\d{4,5}\ [A-ZÄÖÜÉ][\w.'-]+
    | \b\d{1,4}[a-z]?,?\ (?:[A-ZÉ][\w.'-]+\ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Square|Way)\b
    | \b[A-ZÄÖÜ]\w+(?:straße|strasse|str\.|weg|platz|gasse|allee)\ \d
    | \b(?:rue|avenue|boulevard|via|viale|calle|plaza|piazza)\ (?:d[eu]\b|[A-Z][a-z]{2})
    | (?:^|[,·|•;]\ *)(?:Room|Rm|Floor|Suite|Flat|Apt|Building|Bldg|Block|Unit|Office|Haus|Raum|Zimmer
        |Gebäude|Etage|Bureau|Bâtiment|Sala|Edificio|Piso)\.?\ [A-Z]?-?\d
    | \b(?:HRB|HRA|USt-?Id|VAT|ABN|SIRET|Registered\ in|Company\ (?:no|number)|Amtsgericht|Geschäftsführer)\b
    """,
    re.VERBOSE,
)
"""A part of an address, in a line of a few words: a sentence is a person's."""
_DISCLAIMER = re.compile(
    r"\b(?:intended recipient|legally privileged|confidential and|free (?:of|from) viruses|before you print"
    r"|vertrauliche Informationen|before printing)\b|^disclaimer\b",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"""
    \bwww\.\w | \bhttps?://\w | \b[\w.+-]+@[\w-]+\.\w
    | \b(?:Ltd|Limited|LLC|LLP|Inc|plc|GmbH|gGmbH|KG|mbH|UG|S\.A\.|SARL|S\.r\.l|S\.p\.A|B\.V|N\.V|Pty|e\.V)\b
    | \ [|·•]\ | \b(?:Director|Manager|Analyst|Engineer|Consultant|Assistant|Head\ of|Leiter|Abteilung)\b
    """,
    re.VERBOSE,
)
"""A sign of an office, of which a block has at least two."""
_HINTS = 2


@dataclass(frozen=True)
class Block:
    """Neighbouring lines that were set aside."""

    lines: tuple[str, ...]
    is_usual: bool
    """True if these are several lines, all of them usual, with an empty line between them and the rest."""


@dataclass(frozen=True)
class Parted:
    """An email's text without its stationery, and the lines that were set aside.

    `to_the_end` is the text without the stationery above it only.
    """

    text: str
    to_the_end: str
    aside: tuple[Block, ...] = ()

    @property
    def lines_aside(self) -> tuple[str, ...]:
        """The lines that were set aside."""
        return tuple(line for block in self.aside for line in block.lines)


def part(text: str, names: Iterable[str] = (), is_usual: Callable[[str], bool] = lambda line: False) -> Parted:
    """Set stationery aside in a text that a person with these names wrote.

    `is_usual` returns True for a line that is the same in the person's other emails. Something always remains:
    if all of it looks like stationery, the whole text does.
    """
    lines = [line.strip() for line in text.split("\n")[:_MOST_LINES]]
    first = _first_line(lines, is_usual)
    last = _last_line(lines, first, names)
    if first == len(lines):
        first, last = 0, len(lines)
    while first < last - 1 and (not lines[first] or is_usual(lines[first])):
        first += 1
    while last > first + 1 and (not lines[last - 1] or is_usual(lines[last - 1])):
        last -= 1
    kept = "\n".join(text.split("\n")[first:last]).strip()
    aside = (*_blocks_in(lines, 0, first, is_usual), *_blocks_in(lines, last, len(lines), is_usual))
    if not (kept and aside):
        return Parted(text, text)
    return Parted(kept, "\n".join(text.split("\n")[first:]).strip(), aside)


def _first_line(lines: Sequence[str], is_usual: Callable[[str], bool]) -> int:
    """Return the number of the first line below the blocks of stationery at the top."""
    first = 0
    for begin, end in blocks(lines):
        block = lines[begin:end]
        if not (all(is_usual(line) or _is_label(line) for line in block) or _is_address(block)):
            break
        first = end
    return first


def _last_line(lines: Sequence[str], first: int, names: Iterable[str]) -> int:
    """Return the number of the line at which the first block of stationery below the text begins."""
    last = len(lines)
    names = tuple(names)
    for begin, end in list(blocks(lines[first:]))[1:]:
        block = lines[first + begin : first + end]
        if all(map(_is_label, block)) or _is_address(block) or is_signed(block[0], names):
            last = first + begin
            break
    return last


def _blocks_in(lines: Sequence[str], begin: int, end: int, is_usual: Callable[[str], bool]) -> Iterator[Block]:
    """Yield the blocks between two lines."""
    for first, last in blocks(lines[begin:end]):
        block = tuple(lines[begin + first : begin + last])
        beside = (lines[begin + first - 1] if begin + first else "", *lines[begin + last : begin + last + 1])
        is_apart = not any(beside)
        yield Block(block, is_usual=is_apart and len(block) > 1 and all(map(is_usual, block)))


def blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where each block of lines begins and ends, with empty lines around it."""
    begin = None
    for number, line in enumerate([*lines, ""]):
        if line and begin is None:
            begin = number
        elif not line and begin is not None:
            yield begin, number
            begin = None


def _is_label(line: str) -> bool:
    """Return whether a line classifies an email, as “[OFFICIAL]” and “Classification: Public” do."""
    if len(line) > _LONGEST_LINE:
        return False
    if _BANNER.search(line):
        return True
    words = [word.casefold() for word in _WORD.findall(line)]
    is_short = 0 < len(words) <= _MOST_WORDS and not any(map(str.isdigit, line))
    return is_short and (_KINDS | _FILLERS).issuperset(words) and not _KINDS.isdisjoint(words)


def is_signed(line: str, names: Iterable[str]) -> bool:
    """Return whether a line is one of the writer's names, perhaps with more names: “Ben” or “Ben Miller”."""
    called = {word.casefold() for name in names for word in _NAMED.findall(name)}
    words = _NAMED.findall(line)
    is_name = 0 < len(words) <= _MOST_NAMES and all(word[0].isupper() for word in words)
    return is_name and words[0].casefold() in called and not re.search(r"[?!:]", line)


def _is_address(block: Sequence[str]) -> bool:
    """Return whether a block of lines looks like an address, a signature of an office or a disclaimer."""
    lines = [line[:_LONGEST_LINE] for line in block]
    hints = sum(len(set(_HINT.findall(line))) for line in lines)
    short = (line for line in lines if len(line.split()) <= _MOST_WORDS)
    return hints >= _HINTS or any(map(_ADDRESS.search, short)) or any(map(_DISCLAIMER.search, lines))
