"""Which part of much a page shows."""

from collections.abc import Sequence

from flask import request

from server.game.history import LineView

_LAST_PAGE = 1000
_MOST_LINES = 60
"""How many turns are listed: a game can have hundreds."""


def asked_page(name: str) -> int:
    """The page, from 1, that the address asks for under this name."""
    return min(max(request.args.get(name, 1, type=int), 1), _LAST_PAGE)


def portion(lines: Sequence[LineView], number: int) -> slice:
    """Which of the turns, the latest first, are listed next to turn `number`."""
    place = next((place for place, line in enumerate(lines) if line.number <= number), len(lines))
    first = max(0, min(place - _MOST_LINES // 2, len(lines) - _MOST_LINES))
    return slice(first, first + _MOST_LINES)
