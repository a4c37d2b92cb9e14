"""Separates the text that a person wrote from everything that the email program added, such as a quote.

The server knows its own emails, so it looks first for two things: the sentinel, a line at the top of each of
them, and the lines of the emails that an answer may quote. The lines that programs write above a quote come
next, and a library's opinion last. When in doubt, a line counts as the person's: reading stops anyway at the
first that is not a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import quotequail  # type: ignore[import-untyped]

from mail.reading.comparing import LONGEST, TELLING, Compared, bare, compare, unmarked
from mail.reading.cutting import cut_lines
from mail.reading.markers import (
    attribution,
    block_above,
    closes_address,
    is_header_block,
    is_quoted,
    is_rule,
    is_separator,
    is_signature,
    torn_attribution,
    with_usual_marks,
)

SENTINEL = "##- write your move above this line -##"
"""The line above the quotable part of each email from Nabu. Either of its marks is enough to recognize it."""

QUOTED = "a quoted line"
OURS = "a line of an email from Nabu"
SEPARATOR = "a line that separates emails"
HEADERS = "a block of header lines"
ATTRIBUTION = "a line that introduces a quote"
SIGNATURE = "a signature"
OPINION = "a quote, as a library guesses"
ENDS = (QUOTED, OURS, SEPARATOR, HEADERS, ATTRIBUTION, SIGNATURE, OPINION)
"""The possible ends of the text at the top."""

_FILL = "\u034f\u200c"
"""Two signs without width that nobody types: between blanks they keep other text out of a preview."""
_SENTINEL = re.compile(r"## ?-|- ?##|\u034f[\u200c\s]{0,3}\u034f[\u200c\s]{0,3}\u034f")
_FILLED = 90  # blanks: about the length of a preview
_MOST_LINES = 500
_MOST_BETWEEN = 6  # lines that programs write between an answer and the quote
_MARKER = re.compile(r"[@\d]|^[-_]")
_SQUARE = r"[\[(>*]?\S[\])<*]?"
# Possessive, or each of two such signs would be tried before a square and after it.
_SQUARES = re.compile(rf"{_SQUARE}(?: {{2,}}{_SQUARE})*+")
# All lines that the library knows contain one of these words, and end with one of these signs.
_KNOWN = re.compile(
    r"wrote|schrieb|écrit|escribió|написал|skrev|escreveu|schreef|geschreven|_{32}|\d{4}/\d"
    r"|message|mensaje|nachricht|bericht|meddelande|сообщение|e-mail|réexpédié",
    re.IGNORECASE,
)
_KNOWN_ENDS = (":", ">", "-", "_")
_CLEAN = {
    # A tracking service leaves the one that looks like a dot.
    **dict.fromkeys(map(ord, "\u1427\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e"), ""),
    **dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000"), " "),
    **dict.fromkeys(map(ord, "\u2028\u2029\u0085\x0b\x0c"), "\n"),
}


@dataclass(frozen=True)
class Written:
    """The text of an email in two parts: `text` is by the person, `rest` is everything else.

    Empty lines around them are removed.

    `below` is the text between and below quoted lines if there is also text above them: it may answer the
    quote, but commands are read in only one place. If `follows`, `text` itself comes from there: an unmarked
    quote may be in it. `aside` has no mark of a quote and was left out only because Nabu's emails contain the
    same, or have nothing between quoted lines: a person may have typed it. If `ends_clearly`, the sentinel
    follows the text at the top, with nothing between except lines by programs: otherwise a stray line of Nabu's
    email may be in it. `cut` is other text above the quote, which looks like an older email or a signature, and
    all text beyond the first 500 lines. `ended_by` is the evidence for the end of this text: one of `ENDS`, ""
    if it continues to the end.
    """

    text: str
    rest: str
    below: str = ""
    follows: bool = False
    aside: str = ""
    ends_clearly: bool = False
    ended_by: str = ""
    cut: str = ""


def previewed(text: str) -> str:
    """Return the hidden preview line of an email from Nabu, in a form that is recognized if it is quoted.

    Some programs quote it, as plain text that begins with a sentence such as "Ben played a2.".
    """
    return 3 * _FILL + text + _FILLED * (_FILL + "\u00a0")


def split(text: str, sent: Sequence[str] = ()) -> Written:
    """Return an email's text split into the person's and other text; only the first 500 lines are read.

    `sent` are texts of emails that it may quote.
    """
    written = _cleaned(text).split("\n")
    lines = [line.rstrip() for line in written[:_MOST_LINES]]
    usual = with_usual_marks(lines)
    marked = [is_quoted(line) and not closes_address(usual, number) for number, line in enumerate(usual)]
    page = _Page(usual, marked, compare(usual, marked, sent))
    above, below = page.above(), page.below
    chosen, others = (above, below) if above else (below, [])
    taken, aside = {*chosen, *others}, page.aside()
    rest = [line for number, line in enumerate(lines) if number not in taken]
    return Written(
        text="\n".join(lines[number] for number in chosen).strip(),
        rest="\n".join(rest).strip("\n"),
        below="\n".join(lines[number] for number in others).strip(),
        follows=bool(below) and not above,
        aside="\n".join(lines[number] for number in aside if lines[number].strip()),
        ends_clearly=page.ends_clearly(),
        ended_by=page.ended_by,
        cut="\n".join(page.cut(written)).strip(),
    )


class _Page:
    """The lines of an email, and their analysis."""

    def __init__(self, lines: Sequence[str], marked: Sequence[bool], compared: Compared) -> None:
        self._lines, self._marked = lines, marked
        self._ours, self._compared = compared.ours, compared
        self._foreign_sentinel = self._find_foreign_sentinel()
        self._sentinels = self._find_sentinels()
        self._before_quote = self._find_before_quote()
        self._torn = self._find_torn()
        self._end, self.ended_by = self._find_end()

    def above(self) -> list[int]:
        """Return the numbers of the person's lines above the quote."""
        return self._trimmed([number for number in range(self._end) if number != self._foreign_sentinel])

    @cached_property
    def below(self) -> list[int]:
        """Return the numbers of the lines between and below quoted ones, for people who answer there.

        Only if the quote is marked: in an unmarked one nothing distinguishes the quote from the answer. Single
        letters, or several far apart, are left out as well: they may be squares of a board, which some programs
        put on a line each, or whose rows they break. Directly below a line of the person's they are part of
        that text.
        """
        if not any(self._marked):
            return self._trimmed(self._under())
        chosen: list[int] = []
        for number in self._loose():
            begin = attribution(self._lines, number, True) if self._before_quote[number] else None
            if begin is not None:
                chosen = [each for each in chosen if each < begin]
            elif not self._torn[number]:
                goes_on = chosen[-1:] == [number - 1] and self._lines[number - 1]
                squares = unmarked(self._lines[number]).replace("|", "  ").strip()
                if goes_on or not _SQUARES.fullmatch(squares):
                    chosen.append(number)
        return self._trimmed(chosen)

    def cut(self, written: Sequence[str]) -> list[str]:
        """Return the lines that were left out although they are above the quote; `written` are all lines."""
        if not self.above():
            return []
        quote = next((number for number in range(self._end, len(self._lines)) if self._is_quote(number)), None)
        if quote is None and self.ended_by == "":
            return [*written[_MOST_LINES:]]
        place = len(self._lines) if quote is None else quote
        if self.ended_by == OPINION and quote is not None:
            return []
        beyond = written[_MOST_LINES:] if quote is None else []
        return [*(written[number] for number in cut_lines(written, self._end, place)), *beyond]

    def aside(self) -> list[int]:
        """Return the numbers of the lines that are left out, but may have been typed.

        This includes the lines after an unmarked quote of Nabu's email.
        """
        quoted = [self._marked[number] or self._is_sentinel(number) for number in range(len(self._lines))]
        below = self.below
        edge = range(self._end, len(self._lines)) if self.ended_by == OURS else range(0)
        left_out = {number for number in self._loose() if number not in below}
        left_out |= {number for number in edge if self._ours[number]}
        if any(self._ours):
            known = self._compared.known
            last = max(number for number, is_ours in enumerate(self._ours) if is_ours or known[number])
            left_out |= {*range(last + 1, len(self._lines))}.difference(self.above(), below)
        certain = self._compared.certain
        return [number for number in sorted(left_out) if not (quoted[number] or certain[number])]

    def _under(self) -> range:
        """Return the lines after an attribution without a quote: the quote was deleted."""
        quotes = any(self._is_quote(number) for number in range(len(self._lines)))
        if quotes or self.ended_by != ATTRIBUTION or self.above():
            return range(0)
        first = self._attributed + 1
        lines, marked = self._lines[first:], self._marked[first:]
        rest = _Page(lines, marked, compare(lines, marked, ()))
        return range(first, first + rest._end)

    def _loose(self) -> Iterator[int]:
        """Yield the numbers of the lines from the first marked one on, except signatures.

        None if the quote of Nabu's email begins without a mark: then no mark is reliable.
        """
        numbers = range(len(self._lines))
        first = next((number for number in numbers if self._marked[number]), None)
        ours = next((number for number in numbers if self._is_sentinel(number)), first)
        if first is None or ours is None or not self._marked[ours]:
            return
        signed = False
        for number in numbers[first:]:
            signed = not self._is_quote(number) and (signed or is_signature(self._lines[number]))
            if not signed:
                yield number

    def ends_clearly(self) -> bool:
        """Return whether the sentinel comes next, after a few unquoted lines at most.

        Text that ends with dashes may end like an email from Nabu; and a long line below another may be from
        one.
        """
        written = [self._lines[number].strip() for number in self.above()]
        if any(len(line) >= TELLING for line in written[1:]):
            return False
        if self.ended_by == SIGNATURE and not bare(self._lines[self._end]):
            return False
        below = [number for number in range(self._end, len(self._lines)) if bare(self._lines[number])]
        for number in below[: _MOST_BETWEEN + 1]:
            if self._is_sentinel(number):
                return True
            if self._marked[number]:
                return False
        return False

    def _find_end(self) -> tuple[int, str]:
        """Return the number of the person's lines at the top, and the evidence for their end."""
        end, ended_by = self._find_quote()
        above = [number for number in range(end) if self._lines[number].strip()]
        while above and end < len(self._lines) and is_rule(self._lines[above[-1]]):
            end = above.pop()
        for number in range(end):
            if is_signature(self._lines[number]):
                end, ended_by = number, SIGNATURE
                break
        found = self._second_opinion(end)
        return (found, OPINION) if found < end else (end, ended_by)

    def _find_quote(self) -> tuple[int, str]:
        """Return the first line of the quote, or of the program's lines above it, and the evidence for it."""
        for number, line in enumerate(self._lines):
            self._attributed = number
            begin = torn_attribution(self._lines, number)
            if begin is not None:
                return begin, ATTRIBUTION
            if self._is_quote(number):
                return block_above(self._lines, number), QUOTED if self._marked[number] else OURS
            if is_separator(line):
                return number, SEPARATOR
            if is_header_block(self._lines, number):
                return number, HEADERS
            begin = attribution(self._lines, number, self._before_quote[number])
            if begin is not None:
                return begin, ATTRIBUTION
        return len(self._lines), ""

    def _is_quote(self, number: int) -> bool:
        return self._marked[number] or self._ours[number] or self._is_sentinel(number)

    def _is_sentinel(self, number: int) -> bool:
        return number in self._sentinels

    def _find_foreign_sentinel(self) -> int | None:
        """Return the first line, if it is like Nabu's sentinel, which comes later: help desks have one, too."""
        first = next((number for number, line in enumerate(self._lines) if line.strip()), 0)
        later = any(SENTINEL in line for line in self._lines[first + 1 :])
        is_other = later and not self._marked[first] and SENTINEL not in self._lines[first]
        return first if is_other and _SENTINEL.search(self._lines[first][:LONGEST]) else None

    def _find_sentinels(self) -> frozenset[int]:
        """Return the lines that are like Nabu's sentinel, and not another's."""
        found = (number for number, line in enumerate(self._lines) if _SENTINEL.search(line[:LONGEST]))
        return frozenset(number for number in found if number != self._foreign_sentinel)

    def _find_before_quote(self) -> list[bool]:
        """Return for each line whether the next one that is not empty is quoted."""
        before, is_quote = [False] * len(self._lines), False
        for number in range(len(self._lines))[::-1]:
            before[number] = is_quote
            if self._lines[number]:
                is_quote = self._is_quote(number)
        return before

    def _second_opinion(self, end: int) -> int:
        """Return where the library would cut, if the line that it found resembles a marker."""
        lines = worth_asking_about([line if len(line) < 300 else "" for line in self._lines[:end]])
        if not any(lines):
            return end
        pieces: list[tuple[bool, str]] = quotequail.quote("\n".join(lines), quote_intro_line=True)
        found = len(lines) - pieces[-1][1].count("\n") - 1
        if len(pieces) == 1 or found == 0 or not _MARKER.search(lines[found]):
            return end
        return found

    def _find_torn(self) -> list[bool]:
        """Return which lines are, or were, part of the quote: those between two quoted lines.

        Not if the sent texts contain those two, but without this line between. For lines that are in an email
        from Nabu, one such neighbour is enough if it has lost its mark as well, or was broken where this line
        begins.
        """
        quoted = [self._is_quote(number) for number in range(len(self._lines))]
        known, certain = self._compared.known, self._compared.certain
        torn = list(quoted)
        for number in range(1, len(quoted) - 1):
            is_between = quoted[number - 1] and quoted[number + 1]
            torn[number] = torn[number] or (is_between and not self._compared.foreign[number])
        for step in (1, -1):
            for number in range(len(torn))[::step]:
                neighbour = number - step
                inside = 0 <= neighbour < len(torn) and torn[neighbour]
                is_part = certain[number] or (known[number] and not (inside and self._marked[neighbour]))
                torn[number] = torn[number] or (inside and is_part)
        return torn

    def _trimmed(self, numbers: Sequence[int]) -> list[int]:
        """Return the numbers without the empty lines at either end."""
        filled = [place for place, number in enumerate(numbers) if self._lines[number].strip()]
        return list(numbers[filled[0] : filled[-1] + 1]) if filled else []


def worth_asking_about(lines: Sequence[str]) -> list[str]:
    """Return the lines in which the library may find a quote; it is slow, so it reads only these.

    The library joins two lines for a broken one, so the neighbours of possible matches remain as well.
    """
    known = _beside([_KNOWN.search(line) is not None for line in lines])
    ends = _beside([line.rstrip().endswith(_KNOWN_ENDS) for line in lines])
    asked = zip(lines, known, ends, strict=True)
    return [line if here and end else "" for line, here, end in asked]


def _beside(which: Sequence[bool]) -> list[bool]:
    """Return which lines are of a sort, or next to one that is."""
    return [any(each) for each in zip([False, *which], which, [*which[1:], False], strict=False)]


def _cleaned(text: str) -> str:
    """Return the text without invisible signs, with one kind of blank and of line end."""
    return text.translate(_CLEAN)
