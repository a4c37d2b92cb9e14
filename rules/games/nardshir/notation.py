"""The notation of turns of Nardshir; this module does not check whether they are legal."""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

from rules.errors import IllegalMove, Unreadable
from rules.game import PASS
from rules.games.nardshir.board import HAND, OFF, Turn
from rules.sentences import quoted


class Stretch(NamedTuple):
    """A move of one disc from place to place, as written; `star` is true if the text marks a hit."""

    start: int
    end: int
    star: bool


_COMMA = re.compile(r"[,;]|\.(?=\s|$)|\band\b(?=\s*\w)")
_SLASH = re.compile(r" ?(?:->|[-/>→‐‑–—−]|to) ?")
_HAND = re.compile(r"(?:hand|bar|enter|h)[ /]?(?=[0-9])")
_OFF = re.compile(r"[ /]?off")
_LATE_STAR = re.compile(r" ?(\([0-9]\)) ?\*")
_ITEM = re.compile(
    r"(?:(?P<before>[1-9]) ?[x×] ?)?"
    r"(?P<start>hand|[0-9]{1,3})"
    r"(?P<way>(?=/)(?:/[0-9]{1,3}(?: ?\*)?)*(?:/off(?: ?\*)?)?)"
    r"(?: ?\((?P<after>[1-9])\))?"
    r"(?: |$)"
)


def read_move(text: str) -> tuple[Stretch, ...]:
    """Return the moves of discs that a text such as `hand/3 11/14*` names, in order; () for a pass.

    Raises Unreadable if any part of the text does not have the form of a move, IllegalMove for a point that the
    board does not have.
    """
    plain = _plain(text)
    if plain == PASS:
        return ()
    if not plain:
        raise Unreadable("There is no move here. Write a turn in the order played, for example hand/3 11/16.")
    items: list[re.Match[str]] = []
    at = 0
    while at < len(plain):
        item = _ITEM.match(plain, at)
        if not item:
            raise _unreadable(text)
        items.append(item)
        at = item.end()
    return tuple(stretch for item in items for stretch in _stretches(item))


def turned(text: str) -> str:
    """Return a turn, in canonical text, with the numbers that the other side uses for the points.

    For example, `6/11` becomes `19/14`.
    """
    return re.sub(r"[0-9]+", lambda point: str(OFF - int(point[0])), text)


def stretch_text(start: int, end: int, star: bool = False) -> str:
    """Return the move of a disc as text: `hand/3`, `11/14*`, `22/off`."""
    return f"{place_name(start)}/{place_name(end)}{'*' if star else ''}"


def place_name(place: int) -> str:
    """Return the name of a place: `hand`, `off`, or the number of the point."""
    return {HAND: "hand", OFF: "off"}.get(place, str(place))


def place_number(stop: str) -> int:
    """Return the place that a text names, as `place_name` writes it. Raises IllegalMove for a point off the
    board.
    """
    name = stop.rstrip("* ")
    if name in ("hand", "off"):
        return HAND if name == "hand" else OFF
    if not HAND < int(name) < OFF:
        raise IllegalMove(
            f"There is no point {int(name)}: a disc moves from hand to points 1 to 24, and then off."
        )
    return int(name)


def write_move(turn: Turn) -> str:
    """Return a turn as canonical text: every hop separately, in the order played; `pass` for none."""
    return " ".join(stretch_text(*hop) for hop in turn) or PASS


def short_text(turn: Turn) -> str:
    """Return a turn as short text, with repeated hops and chains combined: `2x hand/3`, `5/8/12`."""
    parts: list[str] = []
    at = OFF
    for (start, end), run in groupby(turn, key=lambda hop: (hop.start, hop.end)):
        hops = list(run)
        text = stretch_text(*hops[0])
        if len(hops) == 1 and start == at:
            parts[-1] += text[text.index("/") :]
        else:
            parts.append(text if len(hops) == 1 else f"{len(hops)}x {text}")
        at = end if len(hops) == 1 else OFF
    return " ".join(parts) or PASS


def _plain(text: str) -> str:
    """Return one spelling for all forms: lower case, `hand/3`, `3/off`, `*` before `(2)`, single spaces."""
    plain = " ".join(_COMMA.sub(" ", text.lower()).split())
    for pattern, spelling in ((_SLASH, "/"), (_HAND, "hand/"), (_OFF, "/off"), (_LATE_STAR, r"*\1")):
        plain = pattern.sub(spelling, plain)
    return plain


def _stretches(item: re.Match[str]) -> list[Stretch]:
    """Return the stretches of one item, one chain after the other; a star applies to the first of several."""
    way = [item["start"], *item["way"].split("/")[1:]]
    stops = [place_number(stop) for stop in way]
    stars = [stop.endswith("*") for stop in way]
    times = int(item["before"] or 1) * int(item["after"] or 1)
    return [
        Stretch(stops[leg], stops[leg + 1], stars[leg + 1] and time == 0)
        for time in range(times)
        for leg in range(len(stops) - 1)
    ]


def _unreadable(text: str) -> Unreadable:
    return Unreadable(
        f"{quoted(text)} is not a turn of Nardshir: write each move as from/to, in the order played, "
        "for example hand/3 11/16 or 22/off."
    )
