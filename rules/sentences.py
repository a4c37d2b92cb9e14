"""Lists as parts of sentences."""

from collections.abc import Iterable


def listed(items: Iterable[object], last: str = "and") -> str:
    """`3`, `3 and 5`, `red, green and blue`; "" for nothing. `last` stands before the last of several."""
    words = [str(item) for item in items]
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
