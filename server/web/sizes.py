"""How much a form may hold: what a line takes is one number for all of them."""

from itertools import chain

from flask import Flask, request
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge

from server.limits import LONGEST_LINE

_LONG = frozenset({"text", "say", "record", "heads"})
"""Fields for more than a line. Their pages say themselves what is too long, and show it again."""


class TooLong(RequestEntityTooLarge):
    """A field that holds more than a line; `description` is a sentence for who sent it."""


def limit(app: Flask) -> None:
    """Let nothing look at a field, in a form or an address, that is longer than a line."""

    @app.before_request
    def refuse_long_lines() -> None:
        # What providers post are mails, which have limits of their own.
        if request.blueprint == "webhooks":
            return
        for name, values in chain(request.args.lists(), request.form.lists()):
            if any("\0" in text for text in (name, *values)):
                raise BadRequest("What you sent holds a sign that means nothing (NUL).")
            longest = max(map(len, (name, *values)))
            if name not in _LONG and longest > LONGEST_LINE:
                raise TooLong(f"This may have {LONGEST_LINE} characters; what you sent has {longest}.")
