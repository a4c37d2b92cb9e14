"""The parser of raw emails: headers, and parts within parts.

The standard library's parser has no limits; a hostile email costs it minutes or overflows its stack. Here
everything has a limit, and each byte is read only a few times. Nothing raises: malformed parts remain in one
piece, and everything beyond the limits is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mail.decoding import text_of, transfer_decoded
from mail.fields import MOST_HEADER_BYTES, Headers, one_line_end, split

_MOST_PARTS = 100
_DEEPEST = 10
_MOST_DASHES = 10_000  # lines that begin like a delimiter

_MEDIA_TYPE = re.compile(r"\s*([\w.+-]+/[\w.+-]+)")
_AFTER_BOUNDARY = re.compile(rb"(--)?[ \t]*(?:\n|\Z)")
_PARAMETER = r';\s*{}\*?0?\*?\s*=\s*(?:"([^"]*)"|([^\s;"]+))'
_BOUNDARY = re.compile(_PARAMETER.format("boundary"), re.IGNORECASE)
_CHARSET = re.compile(_PARAMETER.format("charset"), re.IGNORECASE)
_FILENAME = re.compile(_PARAMETER.format("(?:file)?name"), re.IGNORECASE)
_FORMAT = re.compile(_PARAMETER.format("format"), re.IGNORECASE)
_DELSP = re.compile(_PARAMETER.format("delsp"), re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """An email, or a part of one; `body` is encoded, with "\\n" as line ends, and b"" if there are `parts`."""

    headers: Headers
    media_type: str
    body: bytes
    parts: tuple[Part, ...] = ()

    @property
    def attached(self) -> bool:
        """Return whether this part is an attached file, and not text to be read."""
        return self.headers.first("Content-Disposition").strip().lower().startswith("attachment")

    @property
    def filename(self) -> str:
        """Return the name of the file, in lower case; "" if it has none."""
        fields = ("Content-Disposition", "Content-Type")
        found = (_parameter(self.headers.first(field), _FILENAME) for field in fields)
        return next(filter(None, found), "").strip().lower()

    def content(self, most_bytes: int) -> bytes:
        """Return the first `most_bytes` bytes of a part without parts, decoded."""
        # Encoded, a byte takes three characters at most.
        data = transfer_decoded(self.body[: 3 * most_bytes], self.headers.first("Content-Transfer-Encoding"))
        return data[:most_bytes]

    def text(self, most_bytes: int) -> str:
        """Return the text of a part without parts, from at most `most_bytes` of it, line ends "\\n"."""
        data = self.content(most_bytes + 1)
        if len(data) > most_bytes:
            # Cut between lines: half a character would make the rest unreadable.
            data = data[:most_bytes].rpartition(b"\n")[0]
        text = text_of(data, self._parameter(_CHARSET))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if self._parameter(_FORMAT).lower() == "flowed":
            return _unwrapped(text, joint="" if self._parameter(_DELSP).lower() == "yes" else " ")
        return text

    def walk(self) -> Iterator[Part]:
        """Yield this part and all parts within it, in the order of the email."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def _parameter(self, pattern: re.Pattern[str]) -> str:
        return _parameter(self.headers.first("Content-Type"), pattern)


def parse(raw: bytes) -> Part:
    """Parse an email: at most 10 deep and 100 parts, of its first 10 million bytes."""
    headers, body = split(raw)
    return _Parting(one_line_end(body)).part(headers, 0, len(body), "text/plain", depth=0)


class _Parting:
    """The parsing of one email; counts the parts. Only undivided parts are copied."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._left = _MOST_PARTS

    def part(self, headers: Headers, body: int, end: int, default_type: str, depth: int) -> Part:
        """Return the part whose body is between two places in the email."""
        declared = _MEDIA_TYPE.match(headers.first("Content-Type"))
        media_type = declared[1].lower() if declared else default_type
        between = boundary(headers.first("Content-Type"))
        if not media_type.startswith("multipart/") or not between or depth == _DEEPEST:
            return Part(headers, media_type, self._data[body:end])
        inner = "message/rfc822" if media_type == "multipart/digest" else "text/plain"
        pieces = self._pieces(body, end, b"--" + between)
        parts = tuple(self.part(*self._parted(*piece), piece[1], inner, depth + 1) for piece in pieces)
        if parts:
            return Part(headers, media_type, b"", parts)
        # Some programs omit the boundary lines; then all of the body is the text.
        return Part(headers, "text/plain", self._data[body:end])

    def _parted(self, start: int, end: int) -> tuple[Headers, int]:
        """Return the header of a part, which may be empty, and where its body starts."""
        if self._data.startswith(b"\n", start, end):
            return Headers(b""), start + 1
        found = self._data.find(b"\n\n", start, end)
        head = self._data[start : min(found if found >= 0 else end, start + MOST_HEADER_BYTES)]
        return Headers(head), found + 2 if found >= 0 else end

    def _pieces(self, start: int, end: int, delimiter: bytes) -> Iterator[tuple[int, int]]:
        """Yield the pieces between the delimiter lines, and the one after the last if none closes it."""
        begin = -1
        for above, below, closing in self._delimiters(start, end, delimiter):
            if begin >= 0:
                yield begin, max(begin, above - 1)
            self._left -= 1
            if closing or self._left < 0:
                return
            begin = below
        if begin >= 0:
            yield begin, end

    def _delimiters(self, start: int, end: int, delimiter: bytes) -> Iterator[tuple[int, int, bool]]:
        """Yield where each delimiter line starts and ends, and whether it is a closing one."""
        data, line = self._data, b"\n" + delimiter
        place = start if data.startswith(delimiter, start, end) else _line_with(line, data, start, end)
        for _ in range(_MOST_DASHES):
            if place < 0:
                return
            below = place + len(delimiter)
            after = _AFTER_BOUNDARY.match(data, below, end)
            if after:
                yield place, after.end(), after[1] is not None
                below = after.end()
            # The line end before a delimiter may be the end of another one.
            place = _line_with(line, data, below - 1, end)


def _line_with(line: bytes, data: bytes, start: int, end: int) -> int:
    """Return where the next line that begins like this starts, or -1; `line` begins with a line end."""
    found = data.find(line, start, end)
    return found if found < 0 else found + 1


def boundary(content_type: str) -> bytes:
    """Return the text that separates the parts of a body, from its Content-Type; b"" if there is none."""
    return _parameter(content_type, _BOUNDARY).rstrip().encode(errors="replace")


def _parameter(content_type: str, pattern: re.Pattern[str]) -> str:
    found = pattern.search(content_type)
    return (found[1] or found[2] or "") if found else ""


def _unwrapped(text: str, joint: str) -> str:
    """Join lines that end in a blank with the next, as long as both are quoted alike (RFC 3676)."""
    lines: list[str] = []
    depth = -1  # quote depth of the unfinished line; -1 if there is none
    for line in text.split("\n"):
        marks = len(line) - len(line.lstrip(">"))
        # One blank in front protects a line that begins with a blank or a mark.
        content = line[marks:].removeprefix(" ")
        if depth == marks and content != "-- ":
            lines[-1] += content
        else:
            lines.append(">" * marks + " " * (marks > 0) + content)
        depth = marks if content.endswith(" ") and content != "-- " else -1
        if depth >= 0 and not joint:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)
