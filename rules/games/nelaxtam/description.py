"""Nelaxtam in sentences: the position."""

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing.description import in_order
from rules.games.nelaxtam.board import island, squares_of
from rules.games.nelaxtam.position import SEATS, Position, living


def pieces(position: Position) -> Iterator[str]:
    """Yield sentences about the troops and the tiles: those left or, if they are fewer, those missing."""
    land = island(position.size)
    names = land.board.names
    for seat, side in enumerate(SEATS):
        troops = ", ".join(f"{troop} on {names[square]}" for troop, square in living(position, seat).items())
        yield f"Troops of {side}: {troops or 'none'}."
    corner = SEATS[land.tiles[1] & 1]
    yield f"Tiles of O and X alternate like the squares of a chessboard; a1 is one of {corner}."
    left = position.tiles
    gone = (land.tiles[0] | land.tiles[1]) & ~left
    if gone.bit_count() <= left.bit_count():
        yield f"Squares without a tile: {_named(gone, names)}."
        return
    for side, ground in zip(SEATS, land.tiles, strict=True):
        yield f"Tiles of {side} that are left: {_named(left & ground, names)}."


def _named(squares: int, names: tuple[str, ...]) -> str:
    return ", ".join(in_order(names[square] for square in squares_of(squares))) or "none"
