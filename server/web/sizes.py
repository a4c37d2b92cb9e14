"""How much a form may hold: the size of a line is one number for all forms."""

from itertools import chain

from flask import Flask, request
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge

from server.limits import LONGEST_LINE

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
