"""The content of a request: its headers, and a form or a JSON object as its body."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from mail.decoding import storable
from mail.incoming.webhooks.errors import NoMail

_MOST_FIELDS = 200
_LONGEST_NAME = 1000  # bytes; for a part, those of all its headers
_PIECE = 65_536  # bytes
_BOUNDARY = re.compile(r'boundary=(?:"([^"]{1,100})"|([^\s;"]{1,100}))', re.IGNORECASE)
_NAME = re.compile(rb'^content-disposition:[^\r\n]*;\s*name="([^"\r\n]*)"', re.IGNORECASE | re.MULTILINE)


def header(headers: Mapping[str, str], name: str) -> str:
    """Return the value of a header, whose name may be in any case; "" if it is missing."""
    return next((value for key, value in headers.items() if key.lower() == name.lower()), "")


class Form(Mapping[str, bytes]):
    """The fields of a form; each is decoded when it is read, large ones only after the sender is known."""

    def __init__(self, raw: dict[str, bytes], decode: Callable[[bytes], bytes]) -> None:
        self._raw = raw
        self._decode = decode

    def __getitem__(self, name: str) -> bytes:
        return self._decode(self._raw[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)


def form(headers: Mapping[str, str], body: bytes) -> Form:
    """Return the fields of a form; of several with one name the first counts. Raises NoMail if it has none."""
    content_type = header(headers, "Content-Type")
    if content_type.lower().startswith("application/x-www-form-urlencoded"):
        return Form(_urlencoded(body), _unquoted)
    boundary = _BOUNDARY.search(content_type)
    if not content_type.lower().startswith("multipart/form-data") or not boundary:
        raise NoMail(f"The body is not a form but {content_type[:60]!r}.")
    return Form(_multipart(body, (boundary[1] or boundary[2]).encode()), lambda content: content)


def document(body: bytes | str) -> dict[str, Any]:
    """Return the JSON object in a body. Raises NoMail if there is none."""
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        raise NoMail("The body is not JSON.") from None
    if not isinstance(read, dict):
        raise NoMail("The body is not a JSON object.")
    return read


def field(fields: Mapping[str, bytes], name: str) -> str:
    """Return the text of a required field. Raises NoMail if it is missing."""
    if name not in fields:
        raise NoMail(f"The field {name} is missing.")
    return storable(fields[name].decode(errors="replace"))


def text_at(within: object, *path: str) -> str:
    """Return the text at the end of a path of keys in nested JSON objects. Raises NoMail."""
    text = _at(within, path)
    if not isinstance(text, str):
        raise NoMail(f"There is no text {'.'.join(path)}.")
    return storable(text)


def texts_at(within: object, *path: str) -> list[str]:
    """Return the list of texts at the end of a path of keys in nested JSON objects. Raises NoMail."""
    texts = _at(within, path)
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise NoMail(f"There are no texts {'.'.join(path)}.")
    return list(map(storable, texts))


def _at(within: object, path: tuple[str, ...]) -> object:
    for name in path:
        within = within.get(name) if isinstance(within, dict) else None
    return within


def _urlencoded(body: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for pair in body.split(b"&", _MOST_FIELDS)[:_MOST_FIELDS]:
        name, _, value = pair.partition(b"=")
        if len(name) <= _LONGEST_NAME:
            found.setdefault(_unquoted(name).decode(errors="replace"), value)
    return found


def _unquoted(text: bytes) -> bytes:
    """Return the text without its escapes; in pieces, as the library creates objects of 75 times their size."""
    found, begin = bytearray(), 0
    while begin < len(text):
        end = begin + _PIECE
        cut = text.rfind(b"%", end - 2, end)  # in the middle of an escape
        end = end if cut < 0 else cut
        found += unquote_to_bytes(text[begin:end].replace(b"+", b" "))
        begin = end
    return bytes(found)


def _multipart(body: bytes, boundary: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    parts = (b"\r\n" + body).split(b"\r\n--" + boundary, _MOST_FIELDS)
    for part in parts[1:]:
        if part.startswith(b"--"):
            return found
        head, end, _ = part[:_LONGEST_NAME].partition(b"\r\n\r\n")
        if end and (name := _NAME.search(head)):
            found.setdefault(name[1].decode(errors="replace"), part[len(head) + len(end) :])
    raise NoMail("The form does not end, or has too many fields.")
