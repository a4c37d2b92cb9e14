"""Lists as parts of sentences."""

from collections.abc import Iterable


def listed(items: Iterable[object], last: str = "and") -> str:
    """`3`, `3 and 5`, `red, green and blue`; "" for nothing. `last` stands before the last of several."""
    words = [str(item) for item in items]
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def enumerated(items: Iterable[object], most: int = 60) -> str:
    """`a1, a2, a3`; after `most` of them only how many more there are. "" for nothing."""
    words = [str(item) for item in items]
    more = [f"and {len(words) - most} more"] if len(words) > most else []
    return ", ".join([*words[:most], *more])
