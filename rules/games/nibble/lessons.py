"""Lessons on the rules of Nibble, each with a position as an example."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.games.nibble.board import Board, board_named, colour_name, each
from rules.games.nibble.legality import block_name, divided
from rules.games.nibble.position import TRIPLE, Position, majority
from rules.games.nibble.turn import largest_takes, names_of, singles
from rules.lessons import Lesson
from rules.sentences import listed

_ENOUGH_TO_COMPARE = 3
"""The number of fully taken colours from which the lesson compares the players' colours."""


def lesson(position: Position, seat: int, name: str) -> Lesson | None:
    """Return the lesson on the rule `name` for the player to move; None if the position does not show it."""
    return _TAUGHT[name](board_named(position.board), position, seat)


def _corner(board: Board, position: Position, seat: int) -> Lesson | None:
    """A block needs free sides that follow one another."""
    left, free = position.left(), singles(board, position)
    stuck = left & ~board.corners(left)
    if not stuck:
        return None
    taken, kept = (board.names[next(each(squares))] for squares in (free, stuck))
    corner = "three sides in a row" if board.hexagonal else "two sides that meet, so that it has a free corner"
    return Lesson(
        f"In a turn you take blocks off the edge. A block can be taken when nothing touches it on {corner}. "
        f"Here “{taken}” can be taken, and “{kept}” cannot.",
        allowed=(taken,),
        refused=(kept,),
    )


def _several(board: Board, position: Position, seat: int) -> Lesson | None:
    """A turn takes any number of blocks of one colour."""
    free = singles(board, position)
    largest = [largest_takes(board, position, same)[0] for blocks in position.blocks if (same := free & blocks)]
    most = max(largest, key=int.bit_count)
    if most.bit_count() == 1:
        return None
    names, colour = names_of(board, most), colour_name(position.colour(most & -most))
    whole, part = " ".join(names), " ".join(names[:-1])
    return Lesson(
        f"You can take several blocks in one turn if all are of one colour: here “{whole}”, all {colour}. "
        f"You may also take fewer, as in “{part}”, but you must take at least one.",
        allowed=(whole, part),
    )


def _colour(board: Board, position: Position, seat: int) -> Lesson | None:
    """All blocks of one colour win."""
    own, other = position.taken[seat], position.taken[1 - seat]
    alone = [colour for colour, count in enumerate(own) if count and not other[colour]]
    if not alone:
        return None
    best = max(alone, key=lambda colour: own[colour])
    return Lesson(
        f"A player who has all {board.colours} blocks of one colour wins immediately. Of {colour_name(best)} "
        f"you have {own[best]} and your opponent has none, so you need the other {board.colours - own[best]}. "
        "To stop an opponent from doing this, one block of that colour is enough."
    )


def _in_a_row(board: Board, position: Position, seat: int) -> Lesson | None:
    """Many blocks of three colours in a row win."""
    own, enough = position.taken[seat], TRIPLE[board.colours]
    first = max(range(board.colours - 2), key=lambda colour: sum(own[colour : colour + 3]))
    three = range(first, first + 3)
    if sum(own[colour] for colour in three) < 2:
        return None
    names, counts = (listed(map(str, values)) for values in (map(colour_name, three), (own[c] for c in three)))
    return Lesson(
        f"At least {enough} blocks in each of three colours in a row, by their letters, win "
        f"immediately, too: of {names}, for example, you have {counts}."
    )


def _group(board: Board, position: Position, seat: int) -> Lesson | None:
    """The remaining blocks stay one group."""
    left, rule = position.left(), "The blocks that are left must stay one group, connected along their sides. "
    cutting = board.corners(left) & ~singles(board, position)
    if not cutting:
        return Lesson(f"{rule}Here no block holds the group together: you can take any that has a free corner.")
    square = next(each(cutting))
    return Lesson(
        f"{rule}{block_name(board, position, square)} has a free corner but cannot be taken now. "
        f"{divided(board, left, square)}",
        refused=(board.names[square],),
    )


def _most(board: Board, position: Position, seat: int) -> Lesson | None:
    """The majority of colours wins on an empty board."""
    own, other = position.taken[seat], position.taken[1 - seat]
    pairs = list(zip(own, other, strict=True))
    if sum(max(pair) > 0 for pair in pairs) < _ENOUGH_TO_COMPARE:
        return None
    ahead, behind = sum(mine > theirs for mine, theirs in pairs), sum(mine < theirs for mine, theirs in pairs)
    return Lesson(
        "If the board is empty and neither player has won, each colour goes to the player with "
        f"{majority(board.colours)} of its blocks or more, and the player with more colours wins. At the "
        f"moment you have more blocks than your opponent in {_colours(ahead)}, and fewer in {_colours(behind)}."
    )


def _colours(count: int) -> str:
    return "one colour" if count == 1 else f"{count or 'no'} colours"


_TAUGHT: Mapping[str, Callable[[Board, Position, int], Lesson | None]] = {
    "corner": _corner,
    "several": _several,
    "colour": _colour,
    "neighbours": _in_a_row,
    "group": _group,
    "most": _most,
}
TAUGHT = tuple(_TAUGHT)
"""The names of the rules, in the order in which they are easiest to learn."""
