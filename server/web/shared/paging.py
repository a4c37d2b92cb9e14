"""Which part of much a page shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from flask import Flask, request
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge

from server.limits import LONGEST_LINE

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


_LONG = frozenset({"text", "say", "record", "heads", "comment", "credential"})
"""Fields for more than a line. Their pages say themselves what is too long, and show it again."""


class TooLong(RequestEntityTooLarge):
    """A field that holds more than a line; `description` is a sentence for whoever sent it."""


def limit(app: Flask) -> None:
    """Refuse a field, in a form or an address, that is longer than a line before anything looks at it."""

    @app.before_request
    def refuse_long_lines() -> None:
        # What providers post are mails, which have limits of their own.
        if request.blueprint == "webhooks":
            return
        parts = ((name, [str(value)]) for name, value in (request.view_args or {}).items())
        for name, values in chain(parts, request.args.lists(), request.form.lists()):
            if any("\0" in text for text in (name, *values)):
                raise BadRequest("What you sent contains a character that means nothing (NUL).")
            longest = max(map(len, (name, *values)))
            if name not in _LONG and longest > LONGEST_LINE:
                raise TooLong(f"This can have at most {LONGEST_LINE} characters; what you sent has {longest}.")
