"""The notation of a turn of Nibble: from text to squares or a colour, without looking at the position."""

from __future__ import annotations

import re
from typing import NamedTuple

from rules.errors import IllegalMove, Unreadable
from rules.games.nibble.board import COLOURS, LETTERS
from rules.games.nibble.turn import Take
from rules.sentences import quoted


class Written(NamedTuple):
    """A turn as written: the names of squares, each once, or a colour from 0 and no squares."""

    squares: tuple[str, ...]
    colour: int | None


def read_move(text: str) -> Written:
    """Return the squares or the colour that a text names.

    For example, `take a1, c3` names two squares, and `red` names colour 0.

    Raises Unreadable unless every word of the text belongs to a turn, and IllegalMove for forms that are legal
    in no position: a range, a square twice, two colours, squares and a colour.
    """
    words = _words(text)
    for word in words:
        if not (_SQUARE.fullmatch(word) or word in _COLOUR or word == "-"):
            raise Unreadable(f"{quoted(word)} is neither a square nor a colour. {_AS_IN}")
    squares = tuple(word for word in words if _SQUARE.fullmatch(word))
    colours = [word for word in words if word in _COLOUR]
    if not squares and not colours:
        raise Unreadable(f"There is neither a square nor a colour here. {_AS_IN}")
    _forbid_range(words)
    if squares and colours:
        raise IllegalMove(
            f"{squares[0]} is a square and “{colours[0]}” is a colour: write squares, or one colour."
        )
    if len(colours) > 1:
        raise IllegalMove(
            f"“{colours[0]}” and “{colours[1]}” both name colours: write one of them, or squares."
        )
    named: set[str] = set()
    for square in squares:
        if square in named:
            raise IllegalMove(f"{square} is named twice; a block can be taken only once.")
        named.add(square)
    return Written(squares, _COLOUR[colours[0]] if colours else None)


def write_move(take: Take) -> str:
    """Return the canonical text: "a1 c3"."""
    return " ".join(take.squares)


_AS_IN = "Write squares, as in “a1 c3”, or one colour, as in “take red”."
_SQUARE = re.compile(r"[a-z][0-9]+")
_COLOUR = (
    {letter.lower(): i for i, letter in enumerate(LETTERS)}
    | {name: i for i, name in enumerate(COLOURS)}
    | {"gray": COLOURS.index("grey")}
)
_DASH = re.compile(r"(?:(?:-+>?|[–—→]|\bto\b)\s*)+")
_SEPARATOR = re.compile(r"[\s,;+&]|(?<!\.)\.+(?=\s|$)|\b(?:and|take)\b")
_PARTED_SQUARE = re.compile(r"\b([a-z]) +([0-9]+)\b")


def _words(text: str) -> list[str]:
    """Return the meaningful words in lower case; a dash is a word."""
    spaced = " ".join(_DASH.sub(" - ", _SEPARATOR.sub(" ", text.lower())).split())
    return _PARTED_SQUARE.sub(r"\1\2", spaced).split()


def _forbid_range(words: list[str]) -> None:
    """Refuse a dash between two squares, which looks like a range; other dashes mean nothing."""
    for start, dash, end in zip(words, words[1:], words[2:], strict=False):
        if dash == "-" and _SQUARE.fullmatch(start) and _SQUARE.fullmatch(end):
            raise IllegalMove(
                f"“{start}-{end}” looks like a range, and there are none in Nibble: "
                f"name each square, as in “{start} {end}”."
            )
