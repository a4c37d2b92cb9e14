"""Incoming forms: invisible characters are removed, and only some fields may be longer than a line."""

from itertools import chain
from typing import IO

from flask import Flask, Request, request
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from mail.decoding import visible
from server.limits import LONGEST_LINE

_EXACT = frozenset({"record"})
"""Fields that are kept byte for byte, because their content is verified."""
_LONG = frozenset({"text", "say", "record", "heads", "comment", "credential"})
"""Fields that may be longer than a line. Their pages check the length themselves, and show the text again."""


class TooLong(RequestEntityTooLarge):
    """A field that is too long; `description` is a sentence for the visitor."""


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
    """Clean every form of an application, and refuse forms and URLs with fields that are longer than a line."""
    app.request_class = _Request

    @app.before_request
    def refuse_long_lines() -> None:
        # Providers post emails, which have other limits.
        if request.blueprint == "webhooks":
            return
        parts = ((name, [str(value)]) for name, value in (request.view_args or {}).items())
        for name, values in chain(parts, request.args.lists(), request.form.lists()):
            if any("\0" in text for text in (name, *values)):
                raise BadRequest("Your text contains an invalid character (NUL).")
            longest = max(map(len, (name, *values)))
            if name not in _LONG and longest > LONGEST_LINE:
                raise TooLong(f"Your text has {longest} characters; at most {LONGEST_LINE} are allowed.")
