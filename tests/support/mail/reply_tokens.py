"""A search for reply addresses in a text, by all decodings that an attacker may try."""

from __future__ import annotations

import quopri
import re
import unicodedata
from base64 import b64decode
from binascii import Error
from collections.abc import Callable, Iterator
from html import unescape
from urllib.parse import unquote

from server.store.tokens import TokenSigner

_DEPTH = 3
_LINE_END = re.compile(r"=?\r?\n[> \t]*")
_TOKEN = re.compile(r"(?=([a-z2-7]{36}))")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{36,}")
_TEXT = re.compile(r"[^\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]{36,}")


def _as_ascii(text: str) -> str:
    visible = (sign for sign in text if unicodedata.category(sign) not in ("Cf", "Mn"))
    return unicodedata.normalize("NFKC", "".join(visible))


def _without_line_ends(text: str) -> str:
    return _LINE_END.sub("", text)


def _from_quoted_printable(text: str) -> str:
    return quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")


_DECODERS: tuple[Callable[[str], str], ...] = (
    _as_ascii,
    _without_line_ends,
    unquote,
    _from_quoted_printable,
    unescape,
)


def tokens_in(tokens: TokenSigner, text: str) -> list[str]:
    """Return the tokens of reply addresses that a text contains after any sequence of decodings."""
    found = {match[1] for each in _readings(text) for match in _TOKEN.finditer(each.lower())}
    return sorted(token for token in found if tokens.read(token) is not None)


def _readings(text: str) -> set[str]:
    known, latest = {text}, {text}
    for _ in range(_DEPTH):
        decoded = {decoder(each) for each in latest for decoder in _DECODERS}
        decoded.update(written for each in latest for written in _from_base64(each))
        latest = decoded - known
        known |= latest
    return known


def _from_base64(text: str) -> Iterator[str]:
    for run in _BASE64.findall(text):
        for first in range(4):
            part = run[first:].replace("-", "+").replace("_", "/")
            try:
                written = b64decode(part + "=" * (-len(part) % 4))
            except Error:
                continue
            yield from _TEXT.findall(written.decode("utf-8", "replace"))
