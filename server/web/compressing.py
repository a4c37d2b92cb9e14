"""Pages are sent compressed to whoever takes that: a proxy in front of us need not do it.

How long a compressed page is tells whether what others have put into it is like a secret that stands there, too
(the attack is called BREACH). So where an address says something in words, which the page may repeat, all stays
as it is; and the header has a name of random length, as an opponent can also say something in a game.
"""

import gzip
import secrets
from io import BytesIO

from flask import Flask, Response, request

_LEAST = 1000
"""Bytes: less fits into one packet anyway."""
_LEVEL = 5
_PADDING = 100
"""Bytes that are added at most."""
_SORTS = ("text/", "application/atom+xml", "image/svg+xml")
"""What people read; what programs are told is small, and not all of them ask for what they can read."""


def prepare(app: Flask) -> None:
    """Compress what is not sent piece by piece, and not kept by browsers under a mark of its own."""

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
