"""Lines just above a quote that may be from the person or from their program, such as pasted headers.

Programs write only an introduction there: a line with the author and the date, a block of headers, a separator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mail.reading.markers import attribution, block_above, is_rule, is_separator, is_signature

_MARK = "-- "
"""The line above a signature (RFC 3676); nothing below it is meant for the reader."""
_MOST_SIGNED = 2
"""Lines of “Sent from my phone”."""
_NABU = "Nabu"
_FIELD = re.compile(r"[^\s:][^:]{0,30}:\s")
_MOST_INTRODUCING = 12
"""Lines of an introduction of Nabu's email in an unknown form."""


def cut_lines(lines: Sequence[str], end: int, quote: int) -> range:
    """Return the numbers of lines between a text and the quote below it that may be the person's too.

    The text ends above the line `end`, and the quote begins at `quote`. Usual signatures do not count.
    """
    if lines[end : end + 1] == [_MARK]:
        return range(0)
    below = _above_introduction(lines, end, quote)
    filled = [number for number in range(end, below) if lines[number].strip()]
    if not any(map(str.isalnum, "".join(lines[number] for number in filled))):
        return range(0)
    if quote < len(lines) and _introduces([lines[number] for number in filled]):
        return range(0)
    if len(filled) <= _MOST_SIGNED and is_signature(lines[end]) and lines[end].strip("-–—_ "):
        return range(0)
    return range(filled[0], filled[-1] + 1)


def _introduces(lines: Sequence[str]) -> bool:
    """Return whether lines above a quote introduce it, in a form that is not known."""
    named = len(lines) <= _MOST_INTRODUCING and any(_NABU in line for line in lines)
    return named or all(is_separator(line) or _FIELD.match(line) for line in lines)


def _above_introduction(lines: Sequence[str], end: int, quote: int) -> int:
    """Return the number of the line at which the program's introduction of the quote begins."""
    below = quote
    while below > end:
        line = lines[below - 1]
        begin = attribution(lines, below - 1, True) if line.strip() else None
        if not line.strip() or is_rule(line) or is_separator(line):
            below -= 1
        elif begin is not None:
            below = begin
        elif (first := block_above(lines, below)) < below:
            below = first
        else:
            break
    return max(below, end)
