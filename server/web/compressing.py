"""Compression of pages, for clients that accept it, so that no proxy has to do it.

The length of a compressed page reveals whether text by others in it resembles a secret in the same page (the
BREACH attack). Pages whose URL contains text, which the page may repeat, are therefore not compressed. Because
an opponent can also write messages in a game, the gzip header gets a file name of random length.
"""

import gzip
import secrets
from io import BytesIO

from flask import Flask, Response, request

_LEAST = 1000
"""Bytes; a smaller page fits into one packet anyway."""
_LEVEL = 5
_PADDING = 100
"""The largest number of bytes that are added."""
_SORTS = ("text/", "application/atom+xml", "image/svg+xml")
"""Content types that people read. Answers for programs are small, and not all programs can decompress."""


def prepare(app: Flask) -> None:
    """Compress all responses except streams and those with an ETag."""

    @app.after_request
    def compress(response: Response) -> Response:
        if (
            response.is_streamed
            or "ETag" in response.headers
            or not (response.mimetype or "").startswith(_SORTS)
        ):
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"] and not _says_words() and len(response.data) >= _LEAST:
            response.data = _compressed(response.data)
            response.content_encoding = "gzip"
        return response


def _says_words() -> bool:
    return any(not text.isdecimal() for _, texts in request.args.lists() for text in texts)


def _compressed(content: bytes) -> bytes:
    found, padding = BytesIO(), "x" * secrets.randbelow(_PADDING)
    with gzip.GzipFile(padding, "wb", _LEVEL, found, mtime=0) as file:
        file.write(content)
    return found.getvalue()
