"""The move builder of Nibble: a take, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.drawing.diagram import Diagram
from rules.games.nibble.board import board_named, each
from rules.games.nibble.legality import block_name
from rules.games.nibble.picture import picture
from rules.games.nibble.position import Position
from rules.games.nibble.turn import Take, singles, take_of
from rules.move_builder import MoveBuilder, Pick


@dataclass(frozen=True)
class TakeBuilder(MoveBuilder[Take]):
    """The blocks picked so far, as a set of squares."""

    position: Position
    blocks: int = 0

    def picks(self) -> Iterator[Pick]:
        """Yield the blocks that can be added: of the same colour, without dividing the rest."""
        board, left = board_named(self.position.board), self.position.left()
        free = singles(board, self.position) & ~self.blocks
        if self.blocks:
            free &= self.position.blocks[self.position.colour(self.blocks)]
        for square in each(free):
            if board.holds_together(left & ~self.blocks, square):
                name = board.names[square]
                yield Pick(name, name, f"take {block_name(board, self.position, square)}", "take")

    def picked(self, text: str) -> TakeBuilder:
        return replace(self, blocks=self.blocks | board_named(self.position.board).bits[text])

    def move(self) -> Take | None:
        return take_of(board_named(self.position.board), self.blocks) if self.blocks else None

    def diagram(self) -> Diagram:
        return picture(self.position, None, None)
