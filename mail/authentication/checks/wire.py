"""An email as it was transmitted, its header fields byte for byte, since signatures are made over bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from mail.fields import Field, single_blanks, split


class Malformed(ValueError):
    """Raised for an email or a field that can be read in more than one way."""


@dataclass(frozen=True)
class Wire:
    """The fields of an email in their order, and its body, whose line ends are CRLF."""

    fields: tuple[Field, ...]
    body: bytes

    def named(self, name: str) -> list[Field]:
        """Return all fields of that name, which is in lower case, the topmost first."""
        return [field for field in self.fields if field.name == name]

    def body_hash(self, relaxed: bool) -> bytes:
        """Return the SHA-256 of the canonical body; computed once for all signatures."""
        return self._relaxed_hash if relaxed else self._simple_hash

    @cached_property
    def _relaxed_hash(self) -> bytes:
        return hashlib.sha256(self.canonical_body(relaxed=True)).digest()

    @cached_property
    def _simple_hash(self) -> bytes:
        return hashlib.sha256(self.canonical_body(relaxed=False)).digest()

    def canonical_body(self, relaxed: bool) -> bytes:
        """Return the bytes that a signature covers (RFC 6376, 3.4)."""
        body = self.body
        if relaxed:
            body = single_blanks(body).replace(b" \r\n", b"\r\n").removesuffix(b" ")
        body = _without_last_lines(body)
        return body + b"\r\n" if body or not relaxed else b""


def parse(raw: bytes) -> Wire:
    """Parse an email with any line ends, up to its first 10 million bytes.

    Raises Malformed for a header in which different programs would find different fields, or a huge one.
    """
    headers, body = split(raw)
    if headers.flaw:
        raise Malformed(headers.flaw)
    return Wire(headers.fields, body.replace(b"\n", b"\r\n"))


def picked(fields: Sequence[Field], names: Sequence[str]) -> Iterator[Field]:
    """Yield the fields for a list of names: of several with one name, each time the lowest not yet used."""
    left: dict[str, list[Field]] = {}
    for field in fields:
        left.setdefault(field.name, []).append(field)
    for name in names:
        if left.get(name):
            yield left[name].pop()


def _without_last_lines(body: bytes) -> bytes:
    """Return the body without its final line ends; a pattern for that would take long on many empty lines."""
    filled = body.rstrip(b"\r\n")
    # A carriage return alone is no line end, and belongs to the text before it.
    kept = body[len(filled) :].replace(b"\r\n", b"\n").rstrip(b"\n")
    return filled + kept.replace(b"\n", b"\r\n")
