"""The header of a mail, taken apart from bytes: in one way, for whoever reads it, checks it or acts upon it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from mail.decoding import text_of

_MOST_BYTES = 10_000_000
MOST_HEADER_BYTES = 128_000
# With the lines that go on with it. Possessive, as nothing in it may be read in two ways.
_FIELD = re.compile(rb"^([!-9;-~]++)[ \t]*+:.*(?:\n[ \t].*)*+", re.MULTILINE)
# Some leave the line that separates mails in a mailbox file on top; everyone skips it.
_ONLY_FIELDS = re.compile(rb"(?:>?From .*\n?)?(?:%b\n?)*+" % _FIELD.pattern, re.MULTILINE)

_TO_LF = bytes.maketrans(b"\r", b"\n")

_LINE_ENDS = "The header has line endings that not every program recognises."
_TOO_LONG = "The header is too long."
_NO_FIELD = "A line of the header is not a field, and some programs take it for the end of the header."
_NUL = "The header has a character at which some programs stop reading."


@dataclass(frozen=True)
class Field:
    """A header field: `name` in lower case; `raw` all of it, as it was folded, without the last line end."""

    name: str
    raw: bytes

    @cached_property
    def content(self) -> bytes:
        """The text after the colon, unfolded."""
        return self.raw.partition(b":")[2].replace(b"\r\n", b"").strip(b" \t")

    @cached_property
    def value(self) -> str:
        """The same as text, with encoded words not decoded."""
        return text_of(self.content, "utf-8")

    def canonical(self, relaxed: bool) -> bytes:
        """The bytes that a signature covers (RFC 6376, 3.4), without the last line end."""
        return self._relaxed if relaxed else self.raw

    @cached_property
    def _relaxed(self) -> bytes:
        value = self.raw.partition(b":")[2].replace(b"\r\n", b"")
        return self.name.encode() + b":" + single_blanks(value).strip(b" ")


class Headers:
    """The header fields of a mail or a part, their names in any case.

    `fields` are in the order of the mail. `flaw` is "", or says why other programs may find other fields in the
    header of a mail.
    """

    def __init__(self, head: bytes, flaw: str = "") -> None:
        """From the bytes of a header, its line ends LF."""
        self.flaw = flaw
        found = _FIELD.finditer(head[:MOST_HEADER_BYTES])
        self._written = [(each[1].lower().decode(), each[0]) for each in found]
        self._raw: dict[str, list[bytes]] = {}
        for name, raw in self._written:
            self._raw.setdefault(name, []).append(raw)
        self._asked_for: dict[str, list[Field]] = {}

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """All of them."""
        return tuple(_field(name, raw) for name, raw in self._written)

    def named(self, name: str) -> list[Field]:
        """All fields of that name, the topmost first."""
        name = name.lower()
        if name not in self._asked_for:
            self._asked_for[name] = [_field(name, raw) for raw in self._raw.get(name, ())]
        return self._asked_for[name]

    def all(self, name: str) -> list[str]:
        """The values of all fields of that name."""
        return [field.value for field in self.named(name)]

    def first(self, name: str) -> str:
        """The value of the first field of that name, "" where there is none."""
        return next((field.value for field in self.named(name)), "")

    def names(self) -> list[str]:
        """Which fields there are, in lower case."""
        return list(self._raw)


def split(raw: bytes) -> tuple[Headers, bytes]:
    """Header and body of a mail, whatever its line ends were; the body's are LF, but for a CR without LF.

    Of a mail, 10 million bytes are looked at, of a header 128,000.
    """
    data = raw[:_MOST_BYTES].replace(b"\r\n", b"\n").lstrip(b"\n")
    head, _, body = data.partition(b"\n\n")
    if b"\r" not in head:
        return Headers(head, _flaw(head)), body
    # The only line ends of very old programs; if there are others as well, nobody knows what is meant.
    head, _, body = one_line_end(data).lstrip(b"\n").partition(b"\n\n")
    return Headers(head, _LINE_ENDS), body


def one_line_end(data: bytes) -> bytes:
    """With LF for CR; `replace` would take long for many."""
    return data.translate(_TO_LF) if b"\r" in data else data


def single_blanks(data: bytes) -> bytes:
    """All blanks and tabs in a row as one blank; a pattern would hold each piece between them in memory."""
    data = data.replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data


def _flaw(head: bytes) -> str:
    """Why programs may differ about the fields in a header; "" where they do not."""
    if len(head) > MOST_HEADER_BYTES:
        return _TOO_LONG
    if b"\0" in head:
        return _NUL
    return "" if _ONLY_FIELDS.fullmatch(head) else _NO_FIELD


def _field(name: str, raw: bytes) -> Field:
    return Field(name, raw.replace(b"\n", b"\r\n"))
