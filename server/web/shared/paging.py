"""Which part of much a page shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import request

_LAST_PAGE = 1000
MOST_LINES = 60
"""How many turns are listed: a game can have hundreds."""


@dataclass(frozen=True)
class NumbersPage:
    """The numbers of the turns that are listed, the latest first, and those of the next ones on both sides."""

    numbers: Sequence[int]
    later: int | None
    earlier: int | None


def asked_page(name: str) -> int:
    """The page, from 1, that the address asks for under this name."""
    return min(max(request.args.get(name, 1, type=int), 1), _LAST_PAGE)


def page_around(numbers: Sequence[int], number: int) -> NumbersPage:
    """Which of the turns with these numbers, the latest first, are listed next to turn `number`."""
    place = next((place for place, each in enumerate(numbers) if each <= number), len(numbers))
    first = max(0, min(place - MOST_LINES // 2, len(numbers) - MOST_LINES))
    last = first + MOST_LINES
    later, earlier = numbers[max(first - 1, 0) : first], numbers[last : last + 1]
    return NumbersPage(numbers[first:last], *(next(iter(side), None) for side in (later, earlier)))
