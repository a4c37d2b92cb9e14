"""Compression of pages, for clients that accept it, so that no proxy has to do it.

The length of a compressed page reveals whether text by others in it resembles a secret in the same page (the
BREACH attack). Pages whose URL contains text, which the page may repeat, are therefore not compressed. Because
an opponent can also write messages in a game, the gzip header gets a file name of random length.
"""

import gzip
import secrets
from functools import lru_cache
from http import HTTPStatus
from io import BytesIO

from flask import Flask, Response, request

_LEAST = 1000
"""Bytes; a smaller page fits into one packet anyway."""
_LEVEL = 4
_FILES = 50
"""The number of compressed static files that are kept."""
_PADDING = 100
"""The largest number of bytes that are added."""
_SORTS = ("text/", "application/atom+xml", "image/svg+xml")
"""Content types that people read. Answers for programs are small, and not all programs can decompress."""


def prepare(app: Flask) -> None:
    """Compress static files and pages, except small ones and those with an ETag or text in the URL."""

    @app.after_request
    def compress(response: Response) -> Response:
        if request.endpoint == "static":
            return _compress_file(response)
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


def _compress_file(response: Response) -> Response:
    """Compress a style sheet, script or picture; it contains no secrets, so its length may be known."""
    response.vary.add("Accept-Encoding")
    if response.status_code == HTTPStatus.OK and request.accept_encodings["gzip"]:
        response.direct_passthrough = False
        response.data = _compressed_file(response.data)
        response.content_encoding = "gzip"
        response.set_etag(response.get_etag()[0] or "", weak=True)
    return response


@lru_cache(_FILES)
def _compressed_file(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _says_words() -> bool:
    return any(not text.isdecimal() for _, texts in request.args.lists() for text in texts)


def _compressed(content: bytes) -> bytes:
    found, padding = BytesIO(), "x" * secrets.randbelow(_PADDING)
    with gzip.GzipFile(padding, "wb", _LEVEL, found, mtime=0) as file:
        file.write(content)
    return found.getvalue()
