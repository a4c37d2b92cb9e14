"""The error for a text that cannot be read as a time."""

from server.wording import Spoken

_LONGEST = 40


class BadTime(Spoken, ValueError):
    """A time, zone, date or option that cannot be used; `str(error)` explains it and gives an example."""


def quoted(text: str) -> str:
    """Return a player's text in quotes, such as `“next year”`: on one line, printable, up to 40 characters."""
    line = "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
    return f"“{line}”" if len(line) <= _LONGEST else f"“{line[:_LONGEST]}…”"
