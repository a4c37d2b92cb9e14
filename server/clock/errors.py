"""The error for a text that cannot be read as a time."""

from server.wording import Spoken


class BadTime(Spoken, ValueError):
    """A time, zone, date or option that cannot be used; `str(error)` explains it and gives an example."""
