"""Nibble: take blocks of one colour off the edge of the board, and never break it in two.

docs/rules/nibble.md tells the rules. Sets of squares are ints, as `rules.nibble_board` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

from rules.chance import Chance
from rules.drawing.diagram import Diagram
from rules.game import Ambiguous, BadData, Field, IllegalMove, Json, Kind, Result, Step
from rules.games.nibble.board import NAMES, Board, board_named, draw_layout, each
from rules.games.nibble.notation import COLOURS, LETTERS, colour_name, read_turn
from rules.games.nibble.picture import draw
from rules.games.nibble.position import Counts, Position, first_position, read_position, write_position
from rules.sentences import listed

SEATS = ("First", "Second")
TRIPLE = {9: 7, 13: 10}
"""How many blocks in each of three neighbouring colours win, by the number of blocks of a colour."""
LISTED_TAKES = 5000
_MOST_LEFT_OUT = 3


class Take(NamedTuple):
    """The squares whose blocks are taken in one turn, sorted by letter, then number."""

    squares: tuple[str, ...]


class Nibble(Kind[Position, Take]):
    """Take as many blocks of one colour as the board allows; nobody passes."""

    name: ClassVar[str] = "nibble"
    title: ClassVar[str] = "Nibble"
    variants: ClassVar[tuple[Mapping[str, object], ...]] = ({}, {"board": "square-13"}, {"board": "hex-13"})
    reasons: ClassVar[Mapping[str, str]] = {
        "monochrome": "all blocks of one colour are taken by one player",
        "triple": "one player has enough blocks in each of three neighbouring colours",
        "majority": "the board is empty and one player has more than half of most colours",
    }

    # How a game begins

    def options(self, given: Mapping[str, object]) -> Json:
        unknown = sorted(set(given) - {"board"})
        if unknown:
            raise BadData(f"Nibble has no option “{unknown[0]}”; it has board.")
        name = str(given.get("board", NAMES[0])).strip().lower()
        if name not in NAMES:
            raise BadData(f"The board is {NAMES[0]}, {NAMES[1]} or {NAMES[2]}, not {name[:40]}.")
        return {"board": name}

    def seats(self, options: Json) -> tuple[str, ...]:
        return SEATS

    def setup(self, options: Json, chance: Chance) -> Json:
        board = board_named(options["board"])
        layout = draw_layout(board, chance)
        return {"rows": ["".join(LETTERS[layout[name]] for name in row) for row in board.rows]}

    def start(self, options: Json, setup: Json) -> Position:
        return first_position(options["board"], setup)

    # Positions as data

    def write(self, position: Position) -> Json:
        return write_position(position)

    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> Position:
        position = read_position(options["board"], data)
        if _instant_win(position.taken[position.to_move]):
            raise BadData(f"{SEATS[position.to_move]} is to move, but has won already.")
        return position

    # Whose turn it is

    def to_move(self, position: Position) -> tuple[int, ...]:
        return () if self.result(position) else (position.to_move,)

    def result(self, position: Position) -> Result | None:
        mover = 1 - position.to_move
        if reason := _instant_win(position.taken[mover]):
            return Result((mover,), reason)
        if any(position.blocks):
            return None
        scores = _majorities(position.taken[0]), _majorities(position.taken[1])
        return Result((0 if scores[0] > scores[1] else 1,), "majority", scores)

    # Moves

    def understand(self, position: Position, seat: int, text: str) -> Take:
        written = read_turn(text)
        if self.result(position):
            raise IllegalMove("The game is over.")
        if seat != position.to_move:
            raise IllegalMove(f"It is not your turn: {SEATS[position.to_move]} is to move.")
        board = board_named(position.board)
        if written.colour is not None:
            return _all_of(board, position, written.colour)
        squares = [_square(board, name) for name in written.squares]
        if fault := _fault(board, position, squares):
            raise IllegalMove(fault)
        return _take(board, sum(squares))

    def format(self, move: Take) -> str:
        return " ".join(move.squares)

    def moves(self, position: Position, seat: int, only: str = "") -> Iterator[Take]:
        if seat not in self.to_move(position):
            return
        board = board_named(position.board)
        for take in _takes(board, position, _singles(board, position)):
            yield _take(board, take)

    def play(self, position: Position, moves: Mapping[int, Take]) -> Position:
        names = moves[position.to_move].squares
        bits = board_named(position.board).bits
        take = sum(bits[name] for name in names)
        taken = [list(counts) for counts in position.taken]
        taken[position.to_move][position.colour(take)] += len(names)
        return Position(
            board=position.board,
            blocks=tuple(blocks & ~take for blocks in position.blocks),
            taken=(tuple(taken[0]), tuple(taken[1])),
            to_move=1 - position.to_move,
        )

    def sample(self, position: Position, seat: int, below: Callable[[int], int]) -> Take:
        board, left = board_named(position.board), position.left()
        corners = list(each(board.corners(left)))
        take = corners[below(len(corners))]
        while not board.holds_together(left, take):
            take = corners[below(len(corners))]
        same = position.blocks[position.colour(take)] & ~take
        for square in corners:
            if square & same and below(2) and board.holds_together(left ^ take, square):
                take |= square
        return _take(board, take)

    # For people

    def listing(
        self, position: Position, only: str = "", limit: int | None = None
    ) -> list[str] | dict[str, Any]:
        """The blocks that can be taken on their own, then larger takes, as many as nobody would read."""
        return super().listing(position, only, LISTED_TAKES if limit is None else limit)

    def diagram(
        self, position: Position, step: Step[Position, Take] | None = None, plan: Take | None = None
    ) -> Diagram:
        takes = [*(step.moves.values() if step else ()), *([plan] if plan else [])]
        touched = {name for take in takes for name in take.squares}
        full = len(position.blocks)
        captions = (
            f"Wins at once: all {full} of a colour, or {TRIPLE[full]} each of three neighbours (C D E).",
            f"Wins on the empty board: {_most(full)} or more each of {_most(full)} or more colours.",
        )
        return draw(position, touched, captions)

    def story(self, step: Step[Position, Take]) -> list[str]:
        bits = board_named(step.before.board).bits
        told = []
        for seat, take in step.moves.items():
            colour = step.before.colour(bits[take.squares[0]])
            full, has = len(step.after.blocks), step.after.taken[seat][colour]
            share = f"all {full}" if has == full else f"{has} of the {full}"
            majority = ", the majority" if _most(full) <= has < full else ""
            told.append(f"{SEATS[seat]} now has {share} blocks of {colour_name(colour)}{majority}.")
        return told

    def examples(self, position: Position, seat: int) -> tuple[str, ...]:
        if seat not in self.to_move(position):
            return ()
        board = board_named(position.board)
        free = _singles(board, position)
        colours = dict.fromkeys(position.colour(square) for square in each(free))
        widest = {c: _largest(board, position, free & position.blocks[c])[-1] for c in colours}
        largest = max(widest.values(), key=int.bit_count)
        single = next(each(free & ~largest or free))
        together = [COLOURS[c] for c, take in widest.items() if take == free & position.blocks[c]]
        squares = [self.format(_take(board, take)) for take in (single, largest)]
        return tuple(dict.fromkeys([*squares, *(f"take {colour}" for colour in together[-1:])]))

    def fields(self, position: Position, seat: int) -> tuple[Field, ...]:
        if seat not in self.to_move(position):
            return ()
        board = board_named(position.board)
        free = _singles(board, position)
        choices = tuple((board.names[square], _block(board, position, square)) for square in each(free))
        most = max((free & blocks).bit_count() for blocks in position.blocks)
        more = Field("and, of the same colour", (("", "nothing more"), *choices))
        return Field("Block", choices), *[more] * (most - 1)


# How the game ends


def _instant_win(held: Counts) -> str | None:
    """The reason why a player who has taken these wins at once."""
    full = len(held)
    if full in held:
        return "monochrome"
    enough = TRIPLE[full]
    if any(min(three) >= enough for three in zip(held, held[1:], held[2:], strict=False)):
        return "triple"
    return None


def _most(full: int) -> int:
    """The majority of an odd number."""
    return full // 2 + 1


def _majorities(held: Counts) -> int:
    """In how many colours this is the majority."""
    return sum(count >= _most(len(held)) for count in held)


# What may be taken


def _singles(board: Board, position: Position) -> int:
    """The blocks that may be taken on their own."""
    left = position.left()
    return sum(square for square in each(board.corners(left)) if board.holds_together(left, square))


def _takes(board: Board, position: Position, singles: int) -> Iterator[int]:
    """All legal takes of some of these blocks, which may be taken on their own, smaller takes first.

    Every part of a legal take is legal: a group that the part cut off would hold a neighbour of the part, of
    another colour, and so something of the group would still be cut off by the whole. Hence the takes of three
    blocks are found by adding one to those of two, and so on.
    """
    left = position.left()
    takes = [(square, singles & position.blocks[position.colour(square)]) for square in each(singles)]
    while takes:
        yield from (take for take, _ in takes)
        takes = [
            (take | square, same)
            for take, same in takes
            for square in each(same >> take.bit_length() << take.bit_length())
            if board.holds_together(left ^ take, square)
        ]


def _largest(board: Board, position: Position, same: int) -> list[int]:
    """The largest legal takes of blocks of one colour, which may be taken on their own.

    Hardly ever more than a few of them are in the way of the others: what is left without these is tried first,
    as there can be thousands of smaller takes.
    """
    squares, left = list(each(same)), position.left()
    for fewer in range(min(_MOST_LEFT_OUT + 1, len(squares))):
        tried = map(sum, combinations(squares, len(squares) - fewer))
        if takes := [take for take in tried if board.holds_together(left, take)]:
            return takes
    *_, largest = takes = list(_takes(board, position, same))
    return [take for take in takes if take.bit_count() == largest.bit_count()]


def _fault(board: Board, position: Position, squares: Sequence[int]) -> str | None:
    """Why nobody may take the blocks of these squares, as a sentence; None when it is legal."""
    left = position.left()
    for square in squares:
        if not square & left:
            return f"{board.names[square]} is empty: its block has been taken already."
    for square in squares:
        if position.colour(square) != position.colour(squares[0]):
            two = f"{_block(board, position, squares[0])} and {_block(board, position, square)}"
            return f"All blocks of a turn have the same colour, unlike {two}."
    corners = board.corners(left)
    for square in squares:
        if not square & corners:
            return _too_few_sides(board, position, square)
    if not board.holds_together(left, sum(squares)):
        return _divided(board, left, sum(squares))
    return None


def _all_of(board: Board, position: Position, colour: int) -> Take:
    """All blocks of a colour that may be taken on their own, if they may be taken together."""
    name = colour_name(colour)
    if colour >= board.colours:
        last = colour_name(board.colours - 1)
        raise IllegalMove(f"There is no {name} in this game; its last colour is {last}.")
    if not position.blocks[colour]:
        raise IllegalMove(f"No block of {name} is left.")
    free = _singles(board, position) & position.blocks[colour]
    if not free:
        where = listed(_names(board, position.blocks[colour]))
        raise IllegalMove(
            f"No block of {name} may be taken now ({where}): each has too few exposed sides, or cannot go "
            "without cutting off others."
        )
    takes = _largest(board, position, free)
    if takes == [free]:
        return _take(board, free)
    raise Ambiguous(
        f"{listed(_names(board, free))} may each be taken, but not all of them together, because "
        "the blocks left would not be one group: name the squares that you want.",
        [" ".join(_names(board, take)) for take in takes],
    )


# Words


def _too_few_sides(board: Board, position: Position, square: int) -> str:
    sides = board.exposed(position.left(), square)
    exposed = f"is exposed only {listed(sides)}" if sides else "has no exposed side"
    return (
        f"{_block(board, position, square)} {exposed}; a block may be taken when at least {board.needed} sides "
        "that follow one another around it are exposed."
    )


def _divided(board: Board, left: int, take: int) -> str:
    _, *smaller = board.groups(left & ~take)
    cut_off = _names(board, sum(smaller))
    if len(cut_off) > 8:
        cut_off = [*cut_off[:7], f"{len(cut_off) - 7} more"]
    return (
        f"Without {listed(_names(board, take))} the blocks left would not be one group: "
        f"{listed(cut_off)} would be cut off."
    )


def _square(board: Board, name: str) -> int:
    """The square of this name. Raises IllegalMove."""
    if name in board.bits:
        return board.bits[name]
    line = next((row for row in board.rows if board.hexagonal and row[0][0] == name[0]), None)
    if line:
        raise IllegalMove(f"There is no {name} on this board; row {name[0]} goes from {line[0]} to {line[-1]}.")
    first, last = board.rows[-1][0], board.rows[0][-1]
    raise IllegalMove(f"There is no {name} on this board; its squares go from {first} to {last}.")


def _take(board: Board, squares: int) -> Take:
    return Take(tuple(_names(board, squares)))


def _names(board: Board, squares: int) -> list[str]:
    """The names of a set of squares, sorted by letter, then number."""
    return [board.names[square] for square in each(squares)]


def _block(board: Board, position: Position, square: int) -> str:
    """A block as players read it: "c3 (A red)"."""
    return f"{board.names[square]} ({colour_name(position.colour(square))})"
