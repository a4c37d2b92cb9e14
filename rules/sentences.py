"""Lists, names and quotations as parts of sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_LONGEST = 60  # characters of a quoted text


@dataclass(frozen=True)
class SeatNames:
    """The names of all seats in sentences, and the seat of the reader, who is “you”; None for a spectator."""

    names: Sequence[str]
    reader: int | None = None

    def having(self, seat: int) -> str:
        """Return the start of a sentence about something that a seat has: `You now have`, `Ben now has`."""
        return "You now have" if seat == self.reader else f"{self.names[seat]} now has"


def listed(items: Iterable[object], last: str = "and") -> str:
    """Return `3`, `3 and 5`, `red, green and blue`; "" for no items. `last` comes before the last item."""
    words = [str(item) for item in items]
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def enumerated(items: Iterable[object], most: int = 60) -> str:
    """Return `a1, a2, a3`; of more than `most` items, only the number of the others; "" for no items.

    For example, three items with `most=2` give `a1, a2, and 1 more`.
    """
    words = [str(item) for item in items]
    more = [f"and {len(words) - most} more"] if len(words) > most else []
    return ", ".join([*words[:most], *more])


def quoted(text: str) -> str:
    """Return a player's text in quotes, such as `“next year”`: on one line, printable, up to 60 characters."""
    return f"“{shortened(text)}”"


def shortened(text: str, most: int = _LONGEST) -> str:
    """Return a player's text on one line, printable; a longer one is cut, after a word if it has several."""
    start = " ".join(text.split())[: most + 1]
    line = "".join(letter if letter.isprintable() else "?" for letter in start)
    if len(line) <= most:
        return line
    return f"{line[: most - 1].rpartition(' ')[0] or line[: min(most, _LONGEST) - 1]}…"
