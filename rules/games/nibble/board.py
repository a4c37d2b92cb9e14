"""The boards of Nibble, sets of squares on them, and the random layout.

A set of squares is a number: each square is one bit of it. The bits are laid out so that going to the
neighbour on one side is the same shift for every square, and so that leaving the board leads to a bit that no
square has. One shift then looks at a whole side of all blocks together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from rules.chance import Chance
from rules.geometry.squares import DIRECTIONS, HEX_DIRECTIONS, hexagon_board, square_board

LETTERS = "ABCDEFGHIJKLM"
COLOURS = (
    "red",
    "orange",
    "yellow",
    "lime",
    "green",
    "teal",
    "blue",
    "purple",
    "pink",
    "brown",
    "grey",
    "black",
    "white",
)

_SIDES = {"n": "above", "e": "on the right", "s": "below", "w": "on the left"}
_HEX_SIDES = {
    "ne": "at the upper right",
    "e": "on the right",
    "se": "at the lower right",
    "sw": "at the lower left",
    "w": "on the left",
    "nw": "at the upper left",
}


@dataclass(frozen=True, eq=False)
class Board:
    """The squares of one board and their neighbours.

    `colours` is the number of colours and of blocks of each; `needed` is how many exposed sides in a row free a
    block. `rows` are the names of the squares from the top row down. `bits` are in canonical order (by letter,
    then number), which is ascending; `names` is its inverse. `sides` and `shifts` go clockwise around a square:
    the name of the side, and the shift to the neighbour there. `near` lists the neighbours.
    """

    colours: int
    needed: int
    rows: tuple[tuple[str, ...], ...]
    bits: dict[str, int]
    names: dict[int, str]
    sides: tuple[str, ...]
    shifts: tuple[int, ...]
    near: dict[str, tuple[str, ...]]

    @property
    def hexagonal(self) -> bool:
        """True if the squares are hexagons."""
        return len(self.shifts) == 6

    def beside(self, squares: int) -> int:
        """Return the neighbours of the squares along their sides, including places off the board."""
        found = 0
        for shift in self.shifts:
            found |= shifted(squares, shift)
        return found

    def exposed(self, left: int, square: int) -> tuple[str, ...]:
        """Return the sides of one square that no block of `left` touches."""
        return tuple(
            side
            for side, shift in zip(self.sides, self.shifts, strict=True)
            if not shifted(square, shift) & left
        )

    def corners(self, left: int) -> int:
        """Return the blocks of `left` with at least `needed` exposed sides that follow one another."""
        bare = [~shifted(left, -shift) for shift in self.shifts]
        found = 0
        for last in range(len(bare)):
            free = left
            for back in range(self.needed):
                free &= bare[last - back]
            found |= free
        return found

    def holds_together(self, left: int, take: int) -> bool:
        """Return whether `left`, one group that contains `take`, is still one group, or empty, without
        `take`.
        """
        rest = left
        while take:
            square = take & -take
            if self._may_divide(rest, square):
                rest &= ~take
                return self._group(rest, rest & -rest) == rest
            take ^= square
            rest ^= square
        return True

    def groups(self, squares: int) -> list[int]:
        """Return the connected parts of a set of squares, the largest first."""
        found = []
        while squares:
            found.append(self._group(squares, squares & -squares))
            squares ^= found[-1]
        return sorted(found, key=int.bit_count, reverse=True)

    def _may_divide(self, left: int, square: int) -> bool:
        """Return whether the blocks next to `square`, joined around it, are more than one piece.

        Only then can taking it divide the others; this test usually makes a search of the board unnecessary.
        """
        pieces = 0
        previous = self.shifts[-1]
        for shift in self.shifts:
            if left & shifted(square, shift):
                joined = self.hexagonal or left & shifted(square, previous + shift)
                pieces += not (joined and left & shifted(square, previous))
            previous = shift
        return pieces > 1

    def _group(self, squares: int, start: int) -> int:
        """Return all of `squares` that are connected to `start`."""
        reached = 0
        while reached != start:
            reached = start
            start |= squares & self.beside(start)
        return reached


def shifted(squares: int, shift: int) -> int:
    """Return a set of squares moved by one of the shifts of their board, or back by it."""
    return squares << shift if shift > 0 else squares >> -shift


def each(squares: int) -> Iterator[int]:
    """Yield the squares in a set, ascending, each as a set with one square."""
    while squares:
        square = squares & -squares
        yield square
        squares ^= square


def colour_name(colour: int) -> str:
    """Return the name of a colour, counted from 0: "A red"."""
    return f"{LETTERS[colour]} {COLOURS[colour]}"


NAMES = ("square-9", "square-13", "hex-13")
"""The names of the boards in the options of a game."""


@cache
def board_named(name: str) -> Board:
    """Return the board with a name from `NAMES`, such as "hex-13"; the same object every time."""
    return on_hexagons(8, 13) if name == "hex-13" else on_squares(int(name.removeprefix("square-")))


def on_squares(size: int) -> Board:
    """Return the square board of `size` rows, with as many colours."""
    names = square_board(size).names
    return _board(
        colours=size,
        needed=2,
        rows=tuple(names[start : start + size] for start in range(size * (size - 1), -1, -size)),
        places={name: (i % size, i // size) for i, name in enumerate(names)},
        steps={side: DIRECTIONS[way] for way, side in _SIDES.items()},
    )


def on_hexagons(side: int, colours: int) -> Board:
    """Return the hexagonal board of `side`, which has `colours` squared cells."""
    board = hexagon_board(side)
    lines: dict[str, list[str]] = {}
    for name in board.names:
        lines.setdefault(name[0], []).append(name)
    return _board(
        colours=colours,
        needed=3,
        rows=tuple(tuple(line) for line in reversed(lines.values())),
        places={name: (row, column) for name, (column, row) in zip(board.names, board.places, strict=True)},
        steps={side: HEX_DIRECTIONS[way][::-1] for way, side in _HEX_SIDES.items()},
    )


def _board(
    colours: int,
    needed: int,
    rows: tuple[tuple[str, ...], ...],
    places: dict[str, tuple[int, int]],
    steps: dict[str, tuple[int, int]],
) -> Board:
    """Build a board from the place of each square, by letter and number, and the step over each side,
    clockwise.
    """
    stride = 1 + len({number for _, number in places.values()})
    bits = {name: 1 << letter * stride + number for name, (letter, number) in places.items()}
    names = {bit: name for name, bit in sorted(bits.items(), key=lambda item: item[1])}
    shifts = tuple(letter * stride + number for letter, number in steps.values())
    return Board(
        colours=colours,
        needed=needed,
        rows=rows,
        bits=bits,
        names=names,
        sides=tuple(steps),
        shifts=shifts,
        near={
            name: tuple(names[there] for shift in shifts if (there := shifted(bit, shift)) in names)
            for name, bit in bits.items()
        },
    )


def random_layout(board: Board, chance: Chance) -> dict[str, int]:
    """Return a random colour, from 0, for every square: as many of each, and no two of one colour side by side.

    Every such layout is possible, because the shuffle alone can produce it, and then nothing is changed; not
    all are equally likely.
    """
    squares = list(board.near)
    while True:
        colours = chance.shuffle([i % board.colours for i in range(len(squares))])
        layout = dict(zip(squares, colours, strict=True))
        if all(_parted(board, layout, square, chance) for square in squares):
            return layout


def _parted(board: Board, layout: dict[str, int], square: str, chance: Chance) -> bool:
    """If `square` touches its own colour, swap it so that neither square does; return False if no swap
    works.
    """
    if not _touches(board, layout, square):
        return True
    for other in chance.shuffle(list(layout)):
        layout[square], layout[other] = layout[other], layout[square]
        if not _touches(board, layout, square) and not _touches(board, layout, other):
            return True
        layout[square], layout[other] = layout[other], layout[square]
    return False


def _touches(board: Board, layout: dict[str, int], square: str) -> bool:
    return any(layout[other] == layout[square] for other in board.near[square])
