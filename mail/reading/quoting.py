"""What a person wrote, apart from what the mail program put around it.

The server knows what it sent, so it looks first for two things: the sentinel, a line at the top of each of our
mails, and the lines of the mails that an answer may quote. What programs write above a quote comes next, and a
library's opinion last. When in doubt, a line counts as the person's: reading stops anyway at the first that is
not a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import quotequail  # type: ignore[import-untyped]

from mail.reading.comparing import LONGEST, TELLING, Compared, bare, compare, unmarked
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
"""The line above the quotable part of each mail of ours. Either of its marks is enough to recognise it."""

QUOTED = "a quoted line"
OURS = "a line of our own mail"
SEPARATOR = "a line that parts mails"
HEADERS = "a block of header lines"
ATTRIBUTION = "a line that says who wrote what is quoted"
SIGNATURE = "a signature"
OPINION = "a quote, as a library thinks"
ENDS = (QUOTED, OURS, SEPARATOR, HEADERS, ATTRIBUTION, SIGNATURE, OPINION)
"""What can end the text at the top."""

_FILL = "\u034f\u200c"
"""Two signs without width that nobody types: between blanks they keep other words out of a preview."""
_SENTINEL = re.compile(r"## ?-|- ?##|\u034f[\u200c\s]{0,3}\u034f[\u200c\s]{0,3}\u034f")
_FILLED = 90  # blanks: about as many characters as a program shows of a preview
_MOST_LINES = 500
_MOST_BETWEEN = 6  # lines that programs write between an answer and what is quoted
_MARKER = re.compile(r"[@\d]|^[-_]")
_SQUARE = r"[\[(>*]?\S[\])<*]?"
# Possessive, or each of two such signs would be tried as the one before a square and the one behind it.
_SQUARES = re.compile(rf"{_SQUARE}(?: {{2,}}{_SQUARE})*+")
# One of these is in all that the library knows, and one of these signs at its end.
_KNOWN = re.compile(
    r"wrote|schrieb|écrit|escribió|написал|skrev|escreveu|schreef|geschreven|_{32}|\d{4}/\d"
    r"|message|mensaje|nachricht|bericht|meddelande|сообщение|e-mail|réexpédié",
    re.IGNORECASE,
)
_KNOWN_ENDS = (":", ">", "-", "_")
_CLEAN = {
    # The one that looks like a dot is left behind by a tracker of mails.
    **dict.fromkeys(map(ord, "\u1427\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e"), ""),
    **dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"), " "),
    **dict.fromkeys(map(ord, "\u2028\u2029\u0085\x0b\x0c"), "\n"),
}


@dataclass(frozen=True)
class Written:
    """`text` is what the person wrote, `rest` everything else, all without empty lines around.

    `below` is what is between and below quoted lines if there is a text above them as well: it may answer what
    is quoted, but commands are not looked for in two places. `follows` says that `text` itself comes from
    there: what was quoted without a mark may have got into it. `aside` is what has no mark of a quote and was
    left out only because our mails say the same, or nothing between quoted lines: somebody may have typed it.
    `ends_clearly` says that the sentinel comes after the text at the top, with nothing between but what
    programs write there: otherwise a stray line of ours may be in it. `ended_by` is what showed where this text
    ends: one of `ENDS`, "" if it goes on to the end.
    """

    text: str
    rest: str
    below: str = ""
    follows: bool = False
    aside: str = ""
    ends_clearly: bool = False
    ended_by: str = ""


def previewed(text: str) -> str:
    """The preview line of a mail of ours, hidden above the sentinel; where it is quoted, it is known as ours.

    Some programs quote it all the same, as plain text that begins with a sentence such as "Ben played a2.".
    """
    return 3 * _FILL + text + _FILLED * (_FILL + "\u00a0")


def split(text: str, sent: Sequence[str] = ()) -> Written:
    """Split a mail's text; `sent` are texts of mails that it may quote. Looks at the first 500 lines."""
    lines = [line.rstrip() for line in _cleaned(text).split("\n")[:_MOST_LINES]]
    usual = with_usual_marks(lines)
    marked = [is_quoted(line) and not closes_address(usual, number) for number, line in enumerate(usual)]
    page = _Page(usual, marked, compare(usual, marked, sent))
    above, below = page.above(), page.below()
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
    )


class _Page:
    """The lines of a mail, and what is known of them."""

    def __init__(self, lines: Sequence[str], marked: Sequence[bool], compared: Compared) -> None:
        self._lines, self._marked = lines, marked
        self._ours, self._compared = compared.ours, compared
        self._anothers = self._find_anothers()
        self._sentinels = self._find_sentinels()
        self._before_quote = self._find_before_quote()
        self._torn = self._find_torn()
        self._end, self.ended_by = self._find_end()

    def above(self) -> list[int]:
        """The numbers of the lines above the quote that the person wrote."""
        return self._trimmed([number for number in range(self._end) if number != self._anothers])

    def below(self) -> list[int]:
        """The numbers of the lines between and below quoted ones, for those who answer there.

        Only if the quote is marked: in an unmarked one nothing distinguishes what was quoted from what was
        written. Single letters, or several far apart, are left out as well: they may be squares of a board,
        which some programs put on a line each, or whose rows they break. Directly below a line of the person's
        they are part of what they wrote.
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
                if goes_on or not _SQUARES.fullmatch(unmarked(self._lines[number])):
                    chosen.append(number)
        return self._trimmed(chosen)

    def aside(self) -> list[int]:
        """The numbers of the lines that are left out, but may have been typed.

        That includes what follows our mail where that has no marks.
        """
        quoted = [self._marked[number] or self._is_sentinel(number) for number in range(len(self._lines))]
        below = self.below()
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
        """What follows a line that says who wrote something, where nothing is quoted: the quote was deleted."""
        quotes = any(self._is_quote(number) for number in range(len(self._lines)))
        if quotes or self.ended_by != ATTRIBUTION or self.above():
            return range(0)
        first = self._attributed + 1
        lines, marked = self._lines[first:], self._marked[first:]
        rest = _Page(lines, marked, compare(lines, marked, ()))
        return range(first, first + rest._end)

    def _loose(self) -> Iterator[int]:
        """The numbers of the lines from the first marked one on that are in no signature.

        None where our mail begins without a mark: then whatever looks like one is not.
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
        """Whether the sentinel comes next, after a few lines at most, none of which is quoted.

        What ends with dashes may end as a mail of ours does; and a long line below another may be one of ours.
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
        """How many lines at the top are the person's, and what ends them."""
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
        """The first line of the quote, or of what the mail program wrote above it, and what shows that."""
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

    def _find_anothers(self) -> int | None:
        """The first line, if it is like our sentinel, and ours comes later: help desks have one, too."""
        first = next((number for number, line in enumerate(self._lines) if line.strip()), 0)
        later = any(SENTINEL in line for line in self._lines[first + 1 :])
        is_other = later and not self._marked[first] and SENTINEL not in self._lines[first]
        return first if is_other and _SENTINEL.search(self._lines[first][:LONGEST]) else None

    def _find_sentinels(self) -> frozenset[int]:
        """The lines that are like our sentinel, and not another's."""
        found = (number for number, line in enumerate(self._lines) if _SENTINEL.search(line[:LONGEST]))
        return frozenset(number for number in found if number != self._anothers)

    def _find_before_quote(self) -> list[bool]:
        """For each line, whether the next one that is not empty is quoted."""
        before, is_quote = [False] * len(self._lines), False
        for number in range(len(self._lines))[::-1]:
            before[number] = is_quote
            if self._lines[number]:
                is_quote = self._is_quote(number)
        return before

    def _second_opinion(self, end: int) -> int:
        """Where the library would cut, if the line that it found has anything of a marker."""
        lines = worth_asking_about([line if len(line) < 300 else "" for line in self._lines[:end]])
        if not any(lines):
            return end
        pieces: list[tuple[bool, str]] = quotequail.quote("\n".join(lines), quote_intro_line=True)
        found = len(lines) - pieces[-1][1].count("\n") - 1
        if len(pieces) == 1 or found == 0 or not _MARKER.search(lines[found]):
            return end
        return found

    def _find_torn(self) -> list[bool]:
        """Which lines are, or were, part of the quote: those that touch quoted ones above and below.

        Unless what we sent has those two, but not with this line between. For lines that are in a mail of ours,
        one such neighbour is enough if it has lost its mark as well, or was broken where this line begins.
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
        """Without the empty lines at either end."""
        filled = [place for place, number in enumerate(numbers) if self._lines[number].strip()]
        return list(numbers[filled[0] : filled[-1] + 1]) if filled else []


def worth_asking_about(lines: Sequence[str]) -> list[str]:
    """The lines without those in which the library finds nothing, as it takes long for each.

    It takes two for one that was broken, so those next to what it may know stay as well.
    """
    known = _beside([_KNOWN.search(line) is not None for line in lines])
    ends = _beside([line.rstrip().endswith(_KNOWN_ENDS) for line in lines])
    asked = zip(lines, known, ends, strict=True)
    return [line if here and end else "" for line, here, end in asked]


def _beside(which: Sequence[bool]) -> list[bool]:
    """Which lines are of a sort, or next to one that is."""
    return [any(each) for each in zip([False, *which], which, [*which[1:], False], strict=False)]


def _cleaned(text: str) -> str:
    """Without invisible signs, with one kind of blank and of line end."""
    return text.translate(_CLEAN)
