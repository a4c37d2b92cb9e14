"""Lines that email programs write above a quote and below an answer, such as "On Monday, Ann wrote:".

All patterns take time in proportion to the length of a line, and only the start of a long one is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from string import ascii_lowercase

from mail.reading.languages.phrases import DEVICES, phrases

_LONGEST = 400  # characters of a line, or of several, that can be a marker
_MOST_LINES = 4  # lines of a broken attribution
_TORN_LINES = 5  # lines up to the end of an attribution with the address on separate lines
_BLOCK = 10  # lines in which a block of headers is complete

_WROTE = phrases("wrote")
# Without those that contain another.
_WROTE_WITHIN = tuple(word for word in _WROTE if sum(other in word for other in _WROTE) == 1)
_BEGINS = tuple(f"{word} " for word in phrases("begins"))
_SENDER = frozenset(phrases("sender"))
_LABELS = frozenset(phrases("labels")) | _SENDER
_ORIGINAL = phrases("original")
_SIGNATURE = phrases("signature")
_SIGNATURE_END = phrases("signature_end")

_LETTERS = frozenset(ascii_lowercase)

_ADDRESS = re.compile(r"[\w.+=-]@[\w-]")
_BRACKETED = re.compile(r"<[^<>\s@]+@[^<>\s]+>")
_CLOSING = re.compile(r"\s*>[^<>:：]{0,40}[:：]\s*$")
# All begin with a digit, so that a search is quick.
_DATED = re.compile(r"\d(?:[:.h]\d\d|(?<=\b2)0\d\d\b|[./-] ?\d{1,2}[./-] ?\d\d|\d{3}[年년])")
_DATE_AND_NAME = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2},? \d{1,2}:\d\d(?::\d\d)? (?:GMT|UTC)[+-]\d\d:?\d\d,? [^\W\d][^\d:]{1,80}:?"
)
_NAME_AND_ADDRESS = re.compile(r"[^<>:@]{1,80} <[^<>\s]+@[^<>\s]+>")
_DATE_AND_TIME = re.compile(r"(?=.*\d[./-]\d)(?=.*\d[:.]\d\d)[\d\s.,:/-]{8,22}(?:[AP]M)?")
_LINK = re.compile(r"[<(] ?https?://")
_SCANNER = re.compile(r"\bwww\.av(?:ast|g)\.com\b")  # the line of a virus scanner, in any language
_CLAUSE_END = re.compile(r"[,;.!?] ")
_DASHES = re.compile(r"[–—]{1,7}")
_LIST_FOOT = re.compile(r"_{2,}")
# Possessive, or a line of underscores would be divided among the three in all possible ways.
_LABEL = re.compile(r"[\s*_]*+([^:：*@\d]{1,30}?)[\s*_]*+[:：]")
_RULE = re.compile(r"[-_=─—]{8,}|={4,}")
_BOX = re.compile(r"\|-{8,}>")  # the upper edge of the box in which Notes names the author
_BETWEEN_DASHES = re.compile(r"--+ ?([^-].*[^-]) ?--+")


def is_quoted(line: str) -> bool:
    """Return whether the line is marked as a quote."""
    return line.lstrip().startswith((">", "＞"))


def is_rule(line: str) -> bool:
    """Return whether the line consists only of dashes or similar signs."""
    return _RULE.fullmatch(line.strip()) is not None


def is_separator(line: str) -> bool:
    """Return whether the line introduces a quoted or forwarded email: `-----Original Message-----`."""
    line = line.strip().strip("*").strip()
    words = line.strip("-_=— ").lower()
    if len(line) > _LONGEST:
        return False
    if _BOX.fullmatch(line) or (words == "original" and _BETWEEN_DASHES.fullmatch(line)):
        return True
    if words.startswith(_ORIGINAL):
        return line.startswith(("--", "__", "==", "——")) or (line.endswith(":") and words[:-1] in _ORIGINAL)
    # `---- On Monday, Ann <ann@example.org> wrote ----`
    return bool(_BETWEEN_DASHES.fullmatch(line) and (_ADDRESS.search(line) or _says_wrote(words)))


def is_signature(line: str) -> bool:
    """Return whether a signature begins here: dashes, a virus scanner's line, `Sent from my phone` in any
    language.
    """
    line = line.strip()
    if line == "--" or _DASHES.fullmatch(line) or _LIST_FOOT.fullmatch(line):
        return True
    if _SCANNER.search(line[:_LONGEST]):
        return True
    if len(line) > 150:
        return False
    words = line.lower()
    if "outlook" in words and ("ios" in words or "android" in words) and len(words.split()) < 10:
        return True
    if not words.startswith(_SIGNATURE) and not words.rstrip(".").endswith(_SIGNATURE_END):
        return False
    # `Sent from my desk, as my phone is broken` is a person's.
    clause = _CLAUSE_END.split(words)[0]
    return any(device in clause for device in DEVICES) or _LINK.search(words) is not None


def attribution(lines: Sequence[str], end: int, before_quote: bool) -> int | None:
    """Return where the line `On Monday, Ann <ann@example.org> wrote:` that ends at line `end` begins.

    None if there is no such line. With a date and an address it is one in any language, and with the verb and
    an address in brackets. With less it must come before a quote, or a player could not write "You wrote:". No
    more lines are taken than necessary: the lines directly above may be commands.
    """
    if _names_and_dates(lines, end):
        return end
    if not _may_introduce(lines[end], before_quote):
        return None
    text, found = "", None
    for begin in range(end, max(end - _MOST_LINES, -1), -1):
        line = lines[begin].strip()
        text = f"{line} {text}"
        if not line or is_quoted(line) or len(text) > _LONGEST:
            break
        if not before_quote and "@" not in text:
            continue  # without a quote below, an address is required
        dates = len(_DATED.findall(text))
        addressed, bracketed = _ADDRESS.search(text) is not None, _BRACKETED.search(text) is not None
        wrote = (before_quote or bracketed) and _says_wrote(text.lower())
        if dates and (addressed or (wrote and before_quote)):
            return _first_line(lines, begin, end)
        # A time alone may be a player's; a date and a time hardly are.
        if found is None and (wrote or (before_quote and (dates > 1 or addressed))):
            found = begin
    return found if found is None else _first_line(lines, found, end)


def _says_wrote(words: str) -> bool:
    """Return whether lower-case words of any language contain a verb such as "wrote"."""
    return any(word in words for word in _WROTE_WITHIN)


def _names_and_dates(lines: Sequence[str], number: int) -> bool:
    """Return whether a line consists only of a date and a name, or of a name with an address, above a date."""
    line, below = (each.strip()[:_LONGEST] for each in (*lines[number : number + 2], "")[:2])
    if _DATE_AND_NAME.fullmatch(line):
        return True
    return bool(_NAME_AND_ADDRESS.fullmatch(line) and _DATE_AND_TIME.fullmatch(below))


def closes_address(lines: Sequence[str], number: int) -> bool:
    """Return whether a line begins with the ">" that closes an address, which looks like a quote mark."""
    if not _CLOSING.match(lines[number][:_LONGEST]):
        return False
    above = " ".join(line[:_LONGEST] for line in lines[max(0, number - _MOST_LINES) : number])
    return above.count("<") > above.count(">")


def torn_attribution(lines: Sequence[str], end: int) -> int | None:
    """Return where an attribution begins whose address is continued on this line; None if there is none."""
    if lines[end].strip() != "<" and not closes_address(lines, end):
        return None
    above = [number for number in range(max(0, end - _TORN_LINES), end) if lines[number].strip()]
    dated = (number for number in reversed(above) if len(_DATED.findall(lines[number][:_LONGEST])) > 1)
    found = next(dated, None)
    return None if found is None else _first_line(lines, found, found)


def _may_introduce(line: str, before_quote: bool) -> bool:
    """Return whether the line ends like an attribution: a colon, or the verb, or before a quote an address."""
    line = line.rstrip(" *_").lower()
    return line.endswith((":", "：", *_WROTE)) or (before_quote and line.endswith(">"))


def _first_line(lines: Sequence[str], begin: int, end: int) -> int:
    """Return the first line of an attribution: the topmost one with a typical beginning and digits in it.

    It includes the line above if the first word itself was broken.
    """
    first = begin
    for number in range(begin, max(-1, end - _MOST_LINES), -1):
        line = lines[number].strip().lower()
        if not line or is_quoted(line) or len(line) > _LONGEST:
            break
        if line.startswith(_BEGINS) and (number == begin or any(sign.isdigit() for sign in line)):
            first = number
    above, line = (lines[number].strip().lower() if number >= 0 else "" for number in (first - 1, first))
    is_broken = above.isalpha() and f"{above}{line}".startswith(_BEGINS) and not line.startswith(_BEGINS)
    return first - 1 if is_broken else first


def is_header_block(lines: Sequence[str], start: int) -> bool:
    """Return whether a block of headers (`From: … Sent: … To: …`) begins at `start`, in any language.

    It needs four known labels, the sender's among them; or three of them and an address or a date; or else
    three lines of which one has an address and another a date, since a player may write "From: b2". A player's
    own line may have the same shape, as orders have: so a single letter begins no block, and neither do unknown
    labels that stand apart.
    """
    first = _label(lines[start])
    if len(first) < 2 and first.isascii():
        return False
    numbers = [number for number in range(start, min(len(lines), start + _BLOCK)) if lines[number].strip()][:6]
    block = [lines[number] for number in numbers]
    labels = [_label(line) for line in block]
    known = _LABELS.intersection(labels)
    addressed = [bool(_ADDRESS.search(line)) for line in block]
    dated = [bool(_DATED.search(line)) for line in block]
    if first in _LABELS and len(known) >= 3 and not known.isdisjoint(_SENDER):
        return len(known) >= 4 or any(addressed) or any(dated)
    sender = next((place for place, label in enumerate(labels) if label in _SENDER), 0)
    informative = [one or other for one, other in zip(addressed, dated, strict=True)]
    if not all(informative[:sender]) or len({after - before for before, after in pairwise(numbers[:3])}) > 1:
        return False
    labelled = sum(1 for _ in takewhile(bool, labels))
    return labelled >= 3 and any(addressed[:labelled]) and any(dated[:labelled])


def block_above(lines: Sequence[str], end: int) -> int:
    """Return where lines of the form `Label: value` above line `end` begin; `end` for fewer than three.

    Such lines directly above a quote are a block of headers, in any language.
    """
    last = end
    while last > 0 and (not lines[last - 1].strip() or is_rule(lines[last - 1])):
        last -= 1
    first = last
    while first > 0 and _LABEL.match(lines[first - 1][:_LONGEST]):
        first -= 1
    while first < last and _label(lines[first]) in _LETTERS and not _ADDRESS.search(lines[first]):
        first += 1  # orders
    return first if last - first >= 3 else end


def _label(line: str) -> str:
    found = _LABEL.match(line[:_LONGEST])
    return found[1].strip().lower() if found else ""


# The writer's initials, as in The Bat!; a bar, as in old Notes; a colon.
_MARK = re.compile(r"\s{0,3}(?:([A-Z][\w.]{0,4})>(?!\S*<)|([|:])(?=[\s>]|$)>?)[ \t]?")
_FEWEST = 3  # lines with a mark that is not `>`: a single one may be typed


def with_usual_marks(lines: Sequence[str]) -> list[str]:
    """Return the lines, with `> ` in place of the unusual marks that some programs put before each quoted line.

    This requires that most lines, from the first to the last marked one, have the same mark.
    """
    found = {number: mark for number, line in enumerate(lines) if (mark := _MARK.match(line))}
    usual = list(lines)
    for numbers in _of_one_sort(found):
        between = [line for line in lines[numbers[0] : numbers[-1] + 1] if line.strip()]
        if len(numbers) >= _FEWEST and 2 * len(numbers) > len(between):
            for number in numbers:
                usual[number] = f"> {lines[number][found[number].end() :]}"
    return usual


def _of_one_sort(found: dict[int, re.Match[str]]) -> Iterator[list[int]]:
    """Yield the numbers of the lines with the same mark, for each mark."""
    for mark in {match[1] or match[2] for match in found.values()}:
        yield [number for number, match in found.items() if mark == (match[1] or match[2])]
