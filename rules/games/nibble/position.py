"""Positions of Nibble, and their JSON form, which the rules page describes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.errors import BadData
from rules.game import Json
from rules.games.nibble.board import LETTERS, Board, board_named, colour_name, each
from rules.reading import items, need, need_no_more, texts, whole

SEATS = ("First", "Second")
KEYS = ("board", "rows", "taken", "to_move")
Counts = tuple[int, ...]
"""A number of blocks for each colour."""
TRIPLE = {9: 7, 13: 10}
"""The number of blocks in each of three colours in a row that wins, by the number of blocks of a colour."""


def majority(full: int) -> int:
    """Return how many of `full` blocks, an odd number, are a majority."""
    return full // 2 + 1


def majorities(held: Sequence[int]) -> int:
    """Return of how many colours a player with these blocks has the majority."""
    return sum(count >= majority(len(held)) for count in held)


def instant_win(held: Sequence[int]) -> str | None:
    """Return the reason why a player with these blocks wins immediately; None if they do not."""
    full = len(held)
    if full in held:
        return "monochrome"
    enough, in_a_row = TRIPLE[full], 0
    for count in held:
        in_a_row = in_a_row + 1 if count >= enough else 0
        if in_a_row == 3:
            return "triple"
    return None


@dataclass(frozen=True, slots=True)
class Position:
    """A position between two turns.

    `blocks[colour]` is the set of squares with blocks of that colour, counted from 0; `taken[seat][colour]` is
    how many of them a seat has taken. Always: blocks left and taken make the full number of each colour,
    blocks of one colour do not touch, and all blocks left are one group.
    """

    board: str
    blocks: tuple[int, ...]
    taken: tuple[Counts, Counts]
    to_move: int = 0

    def left(self) -> int:
        """Return the set of squares that still have a block."""
        return sum(self.blocks)

    def colour(self, square: int) -> int:
        """Return the colour of the block on a square."""
        return next(colour for colour, blocks in enumerate(self.blocks) if blocks & square)

    def letters(self) -> dict[str, str]:
        """Return the letter of every block that is left, by the name of its square."""
        names = board_named(self.board).names
        return {
            names[square]: letter
            for letter, blocks in zip(LETTERS, self.blocks, strict=False)
            for square in each(blocks)
        }


def first_position(board: str, setup: Json) -> Position:
    """Return the position of a layout, `{"rows": […]}`. Raises BadData for an illegal layout."""
    need_no_more(setup, {"rows"}, "The setup of Nibble has rows and nothing else.")
    blocks = _blocks(board_named(board), setup.get("rows"))
    none = (0,) * len(blocks)
    return _checked(Position(board, blocks, (none, none)))


def write_position(position: Position) -> Json:
    """Return the position as JSON."""
    letters = position.letters()
    return {
        "board": position.board,
        "rows": ["".join(letters.get(name, ".") for name in row) for row in board_named(position.board).rows],
        "taken": [list(counts) for counts in position.taken],
        "to_move": position.to_move,
    }


def read_position(board: str, data: Json) -> Position:
    """Return the position that `write_position` wrote. Raises BadData."""
    need(data, KEYS, "A position of Nibble needs “{}”.")
    if data["board"] != board:
        raise BadData(f"The board of the position is {data['board']!r}, but the options have “{board}”.")
    to_move = whole(data["to_move"], "“to_move” is seat 0 or 1, not {!r}.", most=1)
    blocks = _blocks(board_named(board), data["rows"])
    return _checked(Position(board, blocks, _taken(data["taken"], len(blocks)), to_move))


def _blocks(board: Board, rows: object) -> tuple[int, ...]:
    lengths = [len(row) for row in board.rows]
    widths = ", ".join(map(str, lengths if board.hexagonal else lengths[:1]))
    wrong = f"“rows” are {len(lengths)} texts from the top row down, of {widths} letters."
    letters = LETTERS[: board.colours]
    blocks = [0] * board.colours
    for names, row in zip(board.rows, texts(rows, lengths, wrong), strict=True):
        for name, letter in zip(names, row, strict=True):
            if letter in letters:
                blocks[letters.index(letter)] |= board.bits[name]
            elif letter != ".":
                raise BadData(f"“{letter}” at {name} is none of the letters {letters[0]} to {letters[-1]}.")
    return tuple(blocks)


def _taken(taken: object, colours: int) -> tuple[Counts, Counts]:
    wrong = f"“taken” are two lists, one for each seat, of {colours} numbers each."
    first, second = [items(counts, wrong, count=colours) for counts in items(taken, wrong, count=2)]
    return _counts(first), _counts(second)


def _counts(counts: list[object]) -> Counts:
    return tuple([whole(count, "“taken” counts blocks in whole numbers from 0.") for count in counts])


def _checked(position: Position) -> Position:
    """Return the position, after checking the conditions in the docstring of `Position`."""
    board = board_named(position.board)
    for colour, (blocks, *taken) in enumerate(zip(position.blocks, *position.taken, strict=True)):
        count = blocks.bit_count() + sum(taken)
        if count != board.colours:
            name = colour_name(colour)
            raise BadData(f"There are {count} blocks of {name}, left and taken; there must be {board.colours}.")
        if touching := blocks & board.beside(blocks):
            square = board.names[touching & -touching]
            raise BadData(f"The block of {colour_name(colour)} at {square} touches another of its colour.")
    if len(board.groups(position.left())) > 1:
        raise BadData("The blocks that are left are not one group.")
    return position
