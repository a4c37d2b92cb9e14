"""Comparison of the lines of an email with emails that Nabu has sent, to find the lines that it quotes.

Lines are compared without marks and with each run of blanks as one, as no two email programs quote alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import groupby, pairwise

LONGEST = 1000  # characters of a line that are compared
TELLING = 25  # characters from which a line of Nabu is not a player's by chance

_MOST_SENT = 100_000  # characters of the sent texts
_NOT_OUR_VOICE = ("    ", "  |")
"""The beginnings of lines in Nabu's emails that players may write again: examples, and their own words."""
_QUOTATION_MARK = re.compile("[“”]")


@dataclass(frozen=True)
class Compared:
    """The lines of an email that Nabu has sent, or may have sent, by number.

    `ours` are unmarked lines that Nabu sent: long ones, those around them in the same order, and those at
    exactly the right place in the quote. `known` are lines that occur in the sent texts, alone or together with
    the line above or below, if one was broken: for a short line or an example that proves too little, since a
    player may write the same. `foreign` are lines that do not occur between the lines above and below, although
    those two occur. `certain` are unmarked lines that nobody can have typed.
    """

    ours: list[bool]
    known: list[bool]
    foreign: list[bool]
    certain: list[bool]


def compare(lines: Sequence[str], marked: Sequence[bool], sent: Sequence[str]) -> Compared:
    """Compare the lines of an email with the texts that Nabu has sent; without these, nothing is found.

    `marked` is True for each line that is marked as quoted.
    """
    if not sent:
        nothing = [False] * len(lines)
        return Compared(nothing, nothing, nothing, nothing)
    kept = "\n".join(sent)[:_MOST_SENT].split("\n")
    own = [text for line in kept if (text := bare(line))]
    texts = [bare(line) for line in lines]
    telling = _telling(texts, " ".join(map(bare, _prose(kept))))
    ours, at_edge = _ours(texts, marked, telling, own)
    known, completing = _known(texts, marked, set(own))
    certain = [here or (mine and not edge) for here, mine, edge in zip(completing, ours, at_edge, strict=True)]
    return Compared(ours, known, _foreign(texts, own), certain)


def _prose(sent: Sequence[str]) -> Iterator[str]:
    """Yield the sent lines that nobody copies: no examples, lists of moves or words of players."""
    for above, line, below in zip(["", *sent], sent, [*sent[1:], ""], strict=False):
        in_list = " |" in line or above.endswith("|") or below.startswith("  |")
        if not (line.startswith(_NOT_OUR_VOICE) or (line.startswith("  ") and in_list)):
            yield line


def _telling(texts: Sequence[str], prose: str) -> list[bool]:
    """Return which lines are long and occur in Nabu's own words in its prose.

    Prose also quotes people, for example a line that Nabu has refused, and they may write that again.
    """
    own, quoted, end = "", "", 0
    for begin, following in _long_quotations(prose):
        own, quoted = f"{own}{prose[end:begin]}\n", f"{quoted}{prose[begin:following]}\n"
        end = following
    own += prose[end:]
    return [len(text) >= TELLING and (text in own or (text in prose and text not in quoted)) for text in texts]


def _long_quotations(prose: str) -> Iterator[tuple[int, int]]:
    """Yield the places of texts between quotation marks; one that has such marks itself may extend too far."""
    start = 0
    for paragraph in prose.split("  "):
        spans: list[tuple[int, int]] = []
        depth = 0
        for mark in _QUOTATION_MARK.finditer(paragraph):
            if mark[0] == "“":
                depth += 1
                if depth == 1:
                    spans.append((mark.end(), len(paragraph)))
            elif spans:
                depth = max(depth - 1, 0)
                spans[-1] = (spans[-1][0], len(paragraph) if depth else mark.start())
        yield from ((start + begin, start + end) for begin, end in spans if end - begin >= TELLING)
        start += len(paragraph) + 2


def bare(line: str) -> str:
    """Return a line in the form in which lines are compared: without quote marks, each run of blanks as one."""
    return " ".join(unmarked(line).lstrip("|:*-> ").split())


def unmarked(line: str) -> str:
    """Return the beginning of a line without quote marks and surrounding blanks."""
    return line[:LONGEST].lstrip("> ＞\t").rstrip()


def _known(texts: Sequence[str], marked: Sequence[bool], own: Set[str]) -> tuple[list[bool], list[bool]]:
    """Return which lines are known, and which of them complete a broken quoted line."""
    known = [text in own for text in texts]
    completing = [False] * len(texts)
    filled = [number for number, text in enumerate(texts) if text]
    for number, following in pairwise(filled):
        first, second = texts[number], texts[following]
        if f"{first} {second}" in own or f"{first}{second}" in own:
            known[number] = known[following] = True
            completing[following] |= marked[number]
    return known, completing


def _ours(
    texts: Sequence[str], marked: Sequence[bool], telling: Sequence[bool], own: Sequence[str]
) -> tuple[list[bool], list[bool]]:
    """Return which unmarked lines Nabu sent, and which of them may have been typed directly beside those."""
    ours, at_edge = list(telling), [False] * len(texts)
    top = next((number for number, text in enumerate(texts) if text), 0)
    for run in _runs(texts, own):
        for is_marked, group in groupby(range(len(run)), key=lambda place: marked[run[place]]):
            places = list(group)
            long_places = [place for place in places if telling[run[place]]]
            begins, goes_on = places[0] == 0, places[-1] + 1 < len(run)
            in_place = goes_on and (not begins or run[0] == top)
            if is_marked or not (long_places or in_place):
                continue
            for place in places:
                before, after = (
                    begins and place < min(long_places, default=0),
                    not goes_on and place > max(long_places),
                )
                ours[run[place]] = True
                at_edge[run[place]] = not long_places or before or after
    return ours, at_edge


def _runs(texts: Sequence[str], own: Sequence[str]) -> list[list[int]]:
    """Return the numbers of the lines with text, in runs of lines that follow one another in the sent texts."""
    places: dict[str, set[int]] = {}
    for place, text in enumerate(own):
        places.setdefault(text, set()).add(place)
    runs: list[list[int]] = []
    expected: set[int] = set()
    for number, text in enumerate(texts):
        if not text:
            continue
        found = places.get(text, set())
        if found & expected:
            runs[-1].append(number)
            found = found & expected
        else:
            runs.append([number])
        expected = {place + 1 for place in found}
    return runs


def _foreign(texts: Sequence[str], own: Sequence[str]) -> list[bool]:
    words = f" {' '.join(own)} "
    stands = [bool(own) and (not text or f" {text} " in words) for text in texts]
    filled = [number for number, text in enumerate(texts) if text]
    foreign = [False] * len(texts)
    for above, here, below in zip(filled, filled[1:], filled[2:], strict=False):
        is_between = stands[here - 1] and stands[here + 1]
        foreign[here] = is_between and f" {texts[above]} {texts[here]} {texts[below]} " not in words
    return foreign
