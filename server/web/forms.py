"""Forms as they come in: their fields hold only what people can see, and only some more than a line."""

from itertools import chain
from typing import IO

from flask import Flask, Request, request
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from mail.decoding import visible
from server.limits import LONGEST_LINE

_EXACT = frozenset({"record"})
"""Fields that are checked to the byte."""
_LONG = frozenset({"text", "say", "record", "heads", "comment", "credential"})
"""Fields for more than a line. Their pages say themselves what is too long, and show it again."""


class TooLong(RequestEntityTooLarge):
    """A field that holds more than a line; `description` is a sentence for whoever sent it."""


class _Parser(FormDataParser):
    def parse(
        self,
        stream: IO[bytes],
        mimetype: str,
        content_length: int | None,
        options: dict[str, str] | None = None,
    ) -> tuple[IO[bytes], MultiDict[str, str], MultiDict[str, FileStorage]]:
        stream, form, files = super().parse(stream, mimetype, content_length, options)
        seen = [(name, text if name in _EXACT else visible(text)) for name, text in form.items(multi=True)]
        return stream, self.cls(seen), files


class _Request(Request):
    form_data_parser_class = _Parser


def prepare(app: Flask) -> None:
    """Read every form of an application that way.

    A field, in a form or an address, that is longer than a line is refused before anything looks at it.
    """
    app.request_class = _Request

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
