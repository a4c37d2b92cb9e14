"""The notation of orders in Nelaxtam; this module does not check whether they are legal."""

from __future__ import annotations

import re
from typing import NamedTuple

from rules.errors import Unreadable
from rules.games.nelaxtam.turn import Orders
from rules.sentences import quoted


class Written(NamedTuple):
    """One order as written.

    `troop` is a number or a capital letter, "" for a word without a troop. `verb` is "move", "destroy", "land"
    or "". `where` is a direction ("ne"), a square ("e5"), "hold" or "end".
    """

    troop: str
    verb: str
    where: str


def read_move(text: str, seat: int, *, landing: bool) -> tuple[Written, ...]:
    """Return all orders in a text, at least one: for example two for `1 ne, 2 n`.

    Raises Unreadable unless every word belongs to an order; the sentence shows how to write the orders that the
    seat needs now.
    """
    how = (_LANDING if landing else _ACTING)[seat]
    words = " ".join(_GLUED.sub(r"\g<0> ", _SEPARATORS.sub(" ", text.lower())).split())
    if not words:
        raise Unreadable(f"There is no order here: {how}.")
    orders: list[Written] = []
    at = 0
    while at < len(words):
        found = _ORDER.match(words, at)
        if not found:
            raise Unreadable(f"{quoted(words[at:])} is not an order: {how}.")
        orders.append(_order(found))
        at = found.end()
    return tuple(orders)


def write_move(orders: Orders) -> str:
    """Return orders as canonical text: "1 ne, 2 n", "hold" or "end"."""
    if orders.end:
        return "end"
    return ", ".join(f"{troop} {where}" for troop, where in orders.given) or "hold"


def _directions() -> dict[str, str]:
    """Return every way to write a direction: "ne", "northeast", "north east", "up right", …"""
    said: dict[str, str] = {}
    for north, east, south, west, gaps in (
        ("n", "e", "s", "w", ("",)),
        ("north", "east", "south", "west", ("", " ")),
        ("up", "right", "down", "left", ("", " ")),
    ):
        said |= {north: "n", east: "e", south: "s", west: "w"}
        for gap in gaps:
            said |= {north + gap + east: "ne", south + gap + east: "se"}
            said |= {north + gap + west: "nw", south + gap + west: "sw"}
    return said


_LANDING = tuple(
    f"write each of your troops and the square where it lands, as in “{example}”"
    for example in ("1 a1, 2 c1", "A b1, B d1")
)
_ACTING = tuple(
    f"write a troop and a direction or a square, as in “{example}”, or only “hold”"
    for example in ("1 ne, 2 n", "A ne, B n")
)
_DIRECTIONS = _directions()
_VERBS = {
    "move": "move",
    "moves": "move",
    "go": "move",
    "goes": "move",
    "destroy": "destroy",
    "destroys": "destroy",
    "x": "destroy",
    "land": "land",
    "lands": "land",
}
_TROOP = r"(?:troop )?(?P<troop>[a-z]|[0-9]{1,3})"
_STAY = "(?P<stay>holds?|stays?)"
_WAY = "|".join(sorted(_DIRECTIONS, key=len, reverse=True))
_ACT = rf"(?:(?P<verb>{'|'.join(_VERBS)}) )?(?:(?:to|on|at) )?(?P<where>{_WAY}|[a-z][0-9]{{1,3}})"
_ORDER = re.compile(rf"(?:{_TROOP} (?:{_STAY}|{_ACT})|(?P<word>hold|end))(?: |$)")
_SEPARATORS = re.compile(r"->|[-–—→,;:.]|\band\b(?=\s*\w)")
# A troop and its order without a space: "1ne", "ad4". "An" and "be" are words, so a letter needs a space before
# a direction.
_GLUED = re.compile(r"\b[0-9](?=[a-z])|\b[a-e](?=[a-z][0-9])")


def _order(found: re.Match[str]) -> Written:
    if found["word"]:
        return Written("", "", found["word"])
    if found["stay"]:
        return Written(found["troop"].upper(), "", "hold")
    where = _DIRECTIONS.get(found["where"], found["where"])
    return Written(found["troop"].upper(), _VERBS.get(found["verb"], ""), where)
