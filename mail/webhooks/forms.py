"""What stands in a request: its headers, and a form or a document as its body."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from mail.webhooks.errors import NotUnderstood

_MOST_FIELDS = 200
_BOUNDARY = re.compile(r'boundary=(?:"([^"]{1,100})"|([^\s;"]{1,100}))', re.IGNORECASE)
_NAME = re.compile(rb'^content-disposition:[^\r\n]*;\s*name="([^"\r\n]*)"', re.IGNORECASE | re.MULTILINE)


def header(headers: Mapping[str, str], name: str) -> str:
    """The value of a header, whose name may be in any case; "" where it is missing."""
    return next((value for key, value in headers.items() if key.lower() == name.lower()), "")


def form(headers: Mapping[str, str], body: bytes) -> dict[str, bytes]:
    """The fields of a form, of several with one name the first. Raises NotUnderstood."""
    content_type = header(headers, "Content-Type")
    if content_type.lower().startswith("application/x-www-form-urlencoded"):
        return _urlencoded(body)
    boundary = _BOUNDARY.search(content_type)
    if not content_type.lower().startswith("multipart/form-data") or not boundary:
        raise NotUnderstood(f"The body is no form but {content_type[:60]!r}.")
    return _multipart(body, (boundary[1] or boundary[2]).encode())


def document(body: bytes | str) -> dict[str, Any]:
    """A JSON object. Raises NotUnderstood."""
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        raise NotUnderstood("The body is not JSON.") from None
    if not isinstance(read, dict):
        raise NotUnderstood("The body is not a JSON object.")
    return read


def field(fields: Mapping[str, bytes], name: str) -> str:
    """The text of a field that must be there. Raises NotUnderstood."""
    if name not in fields:
        raise NotUnderstood(f"The field {name} is missing.")
    return fields[name].decode(errors="replace")


def text_at(within: object, *path: str) -> str:
    """The text at the end of a path through JSON objects. Raises NotUnderstood."""
    text = _at(within, path)
    if not isinstance(text, str):
        raise NotUnderstood(f"There is no text {'.'.join(path)}.")
    return text


def texts_at(within: object, *path: str) -> list[str]:
    """The list of texts at the end of a path through JSON objects. Raises NotUnderstood."""
    texts = _at(within, path)
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise NotUnderstood(f"There are no texts {'.'.join(path)}.")
    return texts


def _at(within: object, path: tuple[str, ...]) -> object:
    for name in path:
        within = within.get(name) if isinstance(within, dict) else None
    return within


def _urlencoded(body: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for pair in body.split(b"&", _MOST_FIELDS)[:_MOST_FIELDS]:
        name, _, value = (unquote_to_bytes(half) for half in pair.replace(b"+", b" ").partition(b"="))
        found.setdefault(name.decode(errors="replace"), value)
    return found


def _multipart(body: bytes, boundary: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    parts = (b"\r\n" + body).split(b"\r\n--" + boundary, _MOST_FIELDS)
    for part in parts[1:]:
        if part.startswith(b"--"):
            return found
        head, _, content = part.partition(b"\r\n\r\n")
        if name := _NAME.search(head):
            found.setdefault(name[1].decode(errors="replace"), content)
    raise NotUnderstood("The form does not end, or has too many fields.")
