"""Paging of long lists."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import request

LAST_PAGE = 1000
MOST_LINES = 60
"""The number of turns that are listed; a game can have hundreds."""


@dataclass(frozen=True)
class NumbersPage:
    """The numbers of the listed turns, latest first, and the next turn on each side; None at the end."""

    numbers: Sequence[int]
    later: int | None
    earlier: int | None


def asked_page(name: str) -> int:
    """Return the page number in a query parameter, from 1 to LAST_PAGE."""
    return min(max(request.args.get(name, 1, type=int), 1), LAST_PAGE)


def page_around(numbers: Sequence[int], number: int) -> NumbersPage:
    """Return the part of the turns `numbers`, latest first, around turn `number`."""
    place = next((place for place, each in enumerate(numbers) if each <= number), len(numbers))
    first = max(0, min(place - MOST_LINES // 2, len(numbers) - MOST_LINES))
    last = first + MOST_LINES
    later, earlier = numbers[max(first - 1, 0) : first], numbers[last : last + 1]
    return NumbersPage(numbers[first:last], *(next(iter(side), None) for side in (later, earlier)))
