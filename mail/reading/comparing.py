"""Which of a mail's lines we sent ourselves, as its writer quotes them.

Lines are compared without marks and with blanks as one, as no two mail programs quote alike.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

LONGEST = 1000  # characters of a line that are compared
TELLING = 25  # characters from which on a line of ours is not a player's by chance

_MOST_SENT = 100_000  # characters of what we sent
_EXAMPLE = "    "  # what a line of ours begins with that is there to be written again


@dataclass(frozen=True)
class Compared:
    """What is known about the lines of a mail, by number, from what we sent.

    `ours` are long lines that are in a mail of ours, and those around them in the same order. `known` are lines
    that are there at all, or are together with the line above or below, as when one was broken: for a short
    line or an example that proves too little, since a player may well write one again. `foreign` are lines that
    are not even part of a line there, though those above and below are.
    """

    ours: list[bool]
    known: list[bool]
    foreign: list[bool]


def compare(lines: Sequence[str], sent: Sequence[str]) -> Compared:
    """Compare the lines of a mail with the texts that were sent: without any, nothing is known."""
    kept = "\n".join(sent)[:_MOST_SENT].split("\n")
    own = [text for line in kept if (text := bare(line))]
    texts = [bare(line) for line in lines]
    return Compared(_ours(texts, kept, own), _known(texts, set(own)), _foreign(texts, own))


def bare(line: str) -> str:
    """The line as it is compared: without marks of any sort at its start, blanks as one."""
    return " ".join(unmarked(line).lstrip("|:*-> ").split())


def unmarked(line: str) -> str:
    """The beginning of a line, without quote marks and the blanks around."""
    return line[:LONGEST].lstrip("> ＞\t").rstrip()


def _known(texts: Sequence[str], own: Set[str]) -> list[bool]:
    known = [text in own for text in texts]
    filled = [number for number, text in enumerate(texts) if text]
    for number, following in pairwise(filled):
        first, second = texts[number], texts[following]
        if f"{first} {second}" in own or f"{first}{second}" in own:
            known[number] = known[following] = True
    return known


def _ours(texts: Sequence[str], kept: Sequence[str], own: Sequence[str]) -> list[bool]:
    prose = " ".join(bare(line) for line in kept if not line.startswith(_EXAMPLE))
    places: dict[str, set[int]] = {}
    for place, text in enumerate(own):
        places.setdefault(text, set()).add(place)
    ours = [False] * len(texts)
    filled = [(number, text) for number, text in enumerate(texts) if text]
    for step in (1, -1):
        expected: set[int] = set()
        for number, text in filled[::step]:
            found = places.get(text, set())
            telling = len(text) >= TELLING and text in prose
            ours[number] = ours[number] or telling or not expected.isdisjoint(found)
            expected = {place + step for place in (found if telling else found & expected)}
    return ours


def _foreign(texts: Sequence[str], own: Sequence[str]) -> list[bool]:
    words = f" {' '.join(own)} "
    stands = [bool(own) and (not text or f" {text} " in words) for text in texts]
    around = zip([False, *stands], stands, [*stands[1:], False], strict=False)
    return [above and below and not here for above, here, below in around]
