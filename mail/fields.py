"""The header of an email. All code uses this parser, so that each part of Nabu reads it in the same way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from mail.decoding import text_of

_MOST_BYTES = 10_000_000
MOST_HEADER_BYTES = 128_000
# With its continuation lines. Possessive, as nothing in it may be read in two ways.
_FIELD = re.compile(rb"^([!-9;-~]++)[ \t]*+:.*(?:\n[ \t].*)*+", re.MULTILINE)
# Some programs leave the line that separates emails in a mailbox file on top; all programs skip it.
_ONLY_FIELDS = re.compile(rb"(?:>?From .*\n?)?(?:%b\n?)*+" % _FIELD.pattern, re.MULTILINE)

_TO_LF = bytes.maketrans(b"\r", b"\n")

_LINE_ENDS = "The header has line endings that not every program recognises."
_TOO_LONG = "The header is too long."
_NO_FIELD = "A line of the header is not a field, and some programs take it for the end of the header."
_NUL = "The header has a character at which some programs stop reading."


@dataclass(frozen=True)
class Field:
    """A header field: `name` in lower case; `raw` is all of it, folded, without the last line end."""

    name: str
    raw: bytes

    @cached_property
    def content(self) -> bytes:
        """Return the text after the colon, unfolded."""
        return self.raw.partition(b":")[2].replace(b"\r\n", b"").strip(b" \t")

    @cached_property
    def value(self) -> str:
        """Return the text after the colon as a string, with encoded words not decoded."""
        return text_of(self.content, "utf-8")

    def canonical(self, relaxed: bool) -> bytes:
        """Return the bytes that a signature covers (RFC 6376, 3.4), without the last line end."""
        return self._relaxed if relaxed else self.raw

    @cached_property
    def _relaxed(self) -> bytes:
        value = self.raw.partition(b":")[2].replace(b"\r\n", b"")
        return self.name.encode() + b":" + single_blanks(value).strip(b" ")


class Headers:
    """The header fields of an email or a part, their names in any case.

    `fields` are in the order of the email. `flaw` is "", or the reason why other programs may find other
    fields in the header.
    """

    def __init__(self, head: bytes, flaw: str = "") -> None:
        """Parse the bytes of a header, whose line ends are LF."""
        self.flaw = flaw
        found = _FIELD.finditer(head[:MOST_HEADER_BYTES])
        self._written = [(each[1].lower().decode(), each[0]) for each in found]
        self._raw: dict[str, list[bytes]] = {}
        for name, raw in self._written:
            self._raw.setdefault(name, []).append(raw)
        self._asked_for: dict[str, list[Field]] = {}

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Return all fields."""
        return tuple(_field(name, raw) for name, raw in self._written)

    def named(self, name: str) -> list[Field]:
        """Return all fields with this name, the topmost first."""
        name = name.lower()
        if name not in self._asked_for:
            self._asked_for[name] = [_field(name, raw) for raw in self._raw.get(name, ())]
        return self._asked_for[name]

    def all(self, name: str) -> list[str]:
        """Return the values of all fields with this name, the topmost first."""
        return [field.value for field in self.named(name)]

    def first(self, name: str) -> str:
        """Return the value of the first field with this name; "" if there is none."""
        return next((field.value for field in self.named(name)), "")

    def names(self) -> list[str]:
        """Return the names of all fields, in lower case."""
        return list(self._raw)


def split(raw: bytes) -> tuple[Headers, bytes]:
    """Split an email with any line ends into header and body; the body's are LF, except for a CR without LF.

    Only the first 10 million bytes of an email are read, and 128,000 of its header.
    """
    data = raw[:_MOST_BYTES].replace(b"\r\n", b"\n").lstrip(b"\n")
    head, _, body = data.partition(b"\n\n")
    if b"\r" not in head:
        return Headers(head, _flaw(head)), body
    # The only line ends of very old programs; together with others they are ambiguous.
    head, _, body = one_line_end(data).lstrip(b"\n").partition(b"\n\n")
    return Headers(head, _LINE_ENDS), body


def one_line_end(data: bytes) -> bytes:
    """Return the data with LF for each CR; for many of them faster than `replace`."""
    return data.translate(_TO_LF) if b"\r" in data else data


def single_blanks(data: bytes) -> bytes:
    """Return the data with each run of blanks as one. A pattern would hold the pieces between in memory."""
    data = data.replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data


def _flaw(head: bytes) -> str:
    """Return why programs may differ about the fields in a header; "" if they do not."""
    if len(head) > MOST_HEADER_BYTES:
        return _TOO_LONG
    if b"\0" in head:
        return _NUL
    return "" if _ONLY_FIELDS.fullmatch(head) else _NO_FIELD


def _field(name: str, raw: bytes) -> Field:
    return Field(name, raw.replace(b"\n", b"\r\n"))
