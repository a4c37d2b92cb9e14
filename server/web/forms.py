"""Forms as they come in: their fields hold only what people can see."""

from typing import IO

from flask import Flask, Request
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.formparser import FormDataParser

from mail.decoding import visible

_EXACT = frozenset({"record"})
"""Fields that are checked to the byte."""


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
    """Read every form of an application that way."""
    app.request_class = _Request
