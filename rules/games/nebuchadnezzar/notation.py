"""The notation of moves of Nebuchadnezzar; this module does not check whether they are legal."""

from __future__ import annotations

import re

from rules.errors import IllegalMove, Unreadable
from rules.game import PASS
from rules.games.nebuchadnezzar.board import STRIDE, Flip, Move, Pass, Place, Swap, point_name, rectangle_name
from rules.geometry.squares import FILES
from rules.sentences import quoted


def write_move(move: Move) -> str:
    """Return the canonical text: "c4", "xc4-e6", "xc4", "swap" or "pass"."""
    match move:
        case Place(point):
            return point_name(point)
        case Flip():
            return f"x{rectangle_name(move)}"
        case Swap():
            return "swap"
        case Pass():
            return PASS


_POINT = r"([a-z]) ?([0-9]{1,4})"
_PLACE = re.compile(rf"(?:(?:place|put) (?:on |at )?)?{_POINT}")
_FLIP = re.compile(rf"(?:x|flip) ?{_POINT}(?:(?: ?(?:->|[-–—→:]) ?| to | ){_POINT})?")
_SEPARATORS = re.compile(r"[\s,;]+")


def read_move(text: str, size: int) -> Move:
    """Return the move that a text such as `C4` or `xc4-e6` means on a board of this size, legal or not.

    Raises Unreadable unless all of the text is one move, IllegalMove for a point that is not on the board.
    """
    words = _SEPARATORS.sub(" ", text).strip().rstrip(" .").lower()
    if words == "swap":
        return Swap()
    if words == PASS:
        return Pass()
    if found := _PLACE.fullmatch(words):
        return Place(_point(found[1], found[2], size))
    if found := _FLIP.fullmatch(words):
        first = _point(found[1], found[2], size)
        return _rectangle(first, _point(found[3], found[4], size) if found[3] else first)
    raise Unreadable(_not_a_move(words))


def _point(file: str, rank: str, size: int) -> int:
    right, up = FILES.index(file), int(rank) - 1
    if right < size and 0 <= up < size:
        return STRIDE * up + right
    raise IllegalMove(
        f"There is no point {file}{rank} on this board: files go from a to {FILES[size - 1]}, "
        f"ranks from 1 to {size}."
    )


def _rectangle(one: int, other: int) -> Flip:
    ranks, files = zip(divmod(one, STRIDE), divmod(other, STRIDE), strict=True)
    return Flip(STRIDE * min(ranks) + min(files), STRIDE * max(ranks) + max(files))


def _not_a_move(words: str) -> str:
    how = "write c4 to place a disc on c4, xb2-c3 to flip the rectangle from b2 to c3"
    if not words:
        return f"There is no move here: {how}."
    return f"{quoted(words)} is not a move of Nebuchadnezzar: {how}."
