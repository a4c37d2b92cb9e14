"""A mail as it went over the wire: its header fields byte for byte, since signatures are made over bytes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

_MOST_BYTES = 10_000_000
_MOST_HEADER_BYTES = 128_000
_FIELD_NAME = re.compile(rb"[!-9;-~]+")


class Malformed(ValueError):
    """A mail or a field that cannot be read in one way only."""


@dataclass(frozen=True)
class Field:
    """A header field: `name` in lower case; `raw` all of it, as it was folded, without the last line end."""

    name: str
    raw: bytes

    @cached_property
    def value(self) -> str:
        """What stands after the colon, unfolded."""
        return self.raw.partition(b":")[2].replace(b"\r\n", b"").decode("utf-8", "replace").strip()

    def canonical(self, relaxed: bool) -> bytes:
        """The bytes that a signature covers (RFC 6376, 3.4), without the last line end."""
        return self._relaxed if relaxed else self.raw

    @cached_property
    def _relaxed(self) -> bytes:
        value = self.raw.partition(b":")[2].replace(b"\r\n", b"")
        return self.name.encode() + b":" + _single_blanks(value).strip(b" ")


@dataclass(frozen=True)
class Wire:
    """Fields in the order of the mail; the line ends of `body` are CRLF."""

    fields: tuple[Field, ...]
    body: bytes

    def named(self, name: str) -> list[Field]:
        """All fields of that name, which is in lower case, the topmost first."""
        return [field for field in self.fields if field.name == name]

    def body_hash(self, relaxed: bool) -> bytes:
        """The SHA-256 of the canonical body; counted once, however many signatures ask for it."""
        return self._relaxed_hash if relaxed else self._simple_hash

    @cached_property
    def _relaxed_hash(self) -> bytes:
        return hashlib.sha256(self.canonical_body(relaxed=True)).digest()

    @cached_property
    def _simple_hash(self) -> bytes:
        return hashlib.sha256(self.canonical_body(relaxed=False)).digest()

    def canonical_body(self, relaxed: bool) -> bytes:
        """The bytes that a signature covers (RFC 6376, 3.4)."""
        body = self.body
        if relaxed:
            body = _single_blanks(body).replace(b" \r\n", b"\r\n").removesuffix(b" ")
        body = _without_last_lines(body)
        return body + b"\r\n" if body or not relaxed else b""


def parse(raw: bytes) -> Wire:
    """The mail, whatever its line ends were in storage; of its first 10 million bytes.

    Raises Malformed for a header that different programs would part in different lines, or a huge one.
    """
    data = raw[:_MOST_BYTES].replace(b"\r\n", b"\n").lstrip(b"\n")
    head, _, body = data.partition(b"\n\n")
    if len(head) > _MOST_HEADER_BYTES:
        raise Malformed("The header is too long.")
    if b"\r" in head:
        raise Malformed("The header has line ends that not every program takes for such.")
    return Wire(tuple(_fields(head.split(b"\n"))), body.replace(b"\n", b"\r\n"))


def picked(fields: Sequence[Field], names: Sequence[str]) -> Iterator[Field]:
    """The fields that a list of names means: of several with one name, each time the lowest not yet picked."""
    left: dict[str, list[Field]] = {}
    for field in fields:
        left.setdefault(field.name, []).append(field)
    for name in names:
        if left.get(name):
            yield left[name].pop()


def _fields(lines: list[bytes]) -> Iterator[Field]:
    name, gathered = b"", [b""]
    for line in [*lines, b""]:
        if line[:1] in (b" ", b"\t"):
            gathered.append(line)
            continue
        if _FIELD_NAME.fullmatch(name):
            yield Field(name.decode("ascii").lower(), b"\r\n".join(gathered))
        name, gathered = line.partition(b":")[0].rstrip(), [line]


def _single_blanks(data: bytes) -> bytes:
    """All blanks and tabs in a row as one blank; a pattern would hold each piece between them in memory."""
    data = data.replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data


def _without_last_lines(body: bytes) -> bytes:
    """The body without the line ends at its end; a pattern for that would take long on many empty lines."""
    filled = body.rstrip(b"\r\n")
    # A carriage return by itself is no line end, and stays with what stands before it.
    kept = body[len(filled) :].replace(b"\r\n", b"\n").rstrip(b"\n")
    return filled + kept.replace(b"\n", b"\r\n")
