"""Nebuchadnezzar: place discs and flip walled-in rectangles until your opponent has no disc left.

docs/rules/nebuchadnezzar.md tells the rules. Sets of points are ints, as `rules.nebuchadnezzar_board` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rules.drawing.diagram import Cell, Diagram, Row
from rules.game import BadData, Field, IllegalMove, Json, Kind, Result, Step
from rules.games.nebuchadnezzar.board import (
    flips,
    placements,
    points,
    rectangle,
    whole,
    why_not_flip,
    why_not_place,
)
from rules.games.nebuchadnezzar.notation import (
    STRIDE,
    Flip,
    Move,
    Pass,
    Place,
    Swap,
    point_name,
    read_move,
    rectangle_name,
    write_move,
)
from rules.geometry.squares import FILES

SIZES = range(4, 16)
COLOURS = ("black", "white")
SEATS = ("First", "Second")


@dataclass(frozen=True, slots=True)
class Position:
    """A position between two turns.

    `black` and `white` are the points with discs of that colour, without a common point. `black_seat` plays
    black, the other seat white. `ply` counts the turns played. No disc ever leaves the board, so a placement
    makes all earlier positions impossible: `earlier` describes those since the last placement or swap, and is
    empty exactly when the last turn was one of these, or is not known.
    """

    size: int
    black: int = 0
    white: int = 0
    black_seat: int = 0
    to_move: int = 0
    ply: int = 0
    earlier: tuple[str, ...] = ()

    def discs(self, seat: int) -> int:
        """The points with discs of this seat's colour."""
        return self.black if seat == self.black_seat else self.white

    def sides(self) -> tuple[int, int]:
        """The discs of the seat to move and those of its enemy."""
        return self.discs(self.to_move), self.discs(1 - self.to_move)


class Nebuchadnezzar(Kind[Position, Move]):
    """Place or flip, swap as the second turn, pass when nothing is possible."""

    name: ClassVar[str] = "nebuchadnezzar"
    title: ClassVar[str] = "Nebuchadnezzar"
    variants: ClassVar[tuple[Mapping[str, object], ...]] = ({}, {"size": 4}, {"size": 15})
    reasons: ClassVar[Mapping[str, str]] = {
        "annihilation": "no enemy disc is left",
        "blocked": "neither player can place a disc or flip a rectangle",
        "repetition": "the same position has come up for the third time",
    }

    # How a game begins

    def options(self, given: Mapping[str, object]) -> Json:
        unknown = sorted(set(given) - {"size"})
        if unknown:
            raise BadData(f"Nebuchadnezzar has no option “{unknown[0]}”; it has size.")
        written = str(given.get("size", 8)).strip()
        if written not in map(str, SIZES):
            raise BadData(f"The size is a whole number from 4 to 15, not {written}.")
        return {"size": int(written)}

    def seats(self, options: Json) -> tuple[str, ...]:
        return SEATS

    def titles(self, position: Position) -> tuple[str, ...]:
        return ("Black", "White") if position.black_seat == 0 else ("White", "Black")

    def start(self, options: Json, setup: Json) -> Position:
        if setup:
            raise BadData("Nebuchadnezzar begins with an empty board; it has no setup.")
        return Position(options["size"])

    # Positions as data

    def write(self, position: Position) -> Json:
        colours = COLOURS if position.black_seat == 0 else COLOURS[::-1]
        return {
            "size": position.size,
            "rows": _rows(position),
            "colours": list(colours),
            "to_move": position.to_move,
            "ply": position.ply,
        }

    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> Position:
        for key in ("size", "rows", "colours", "to_move", "ply"):
            if key not in data:
                raise BadData(f"A position of Nebuchadnezzar needs “{key}”.")
        size = options["size"]
        if data["size"] != size:
            raise BadData(f"The position has size {data['size']!r}, the options say {size}.")
        if data["colours"] not in (list(COLOURS), list(COLOURS[::-1])):
            raise BadData("“colours” are black and white, one for each seat.")
        to_move, ply = data["to_move"], data["ply"]
        if type(to_move) is not int or to_move not in (0, 1):
            raise BadData(f"“to_move” is seat 0 or 1, not {to_move!r}.")
        if type(ply) is not int or ply < 0:
            raise BadData(f"“ply” counts the turns played, from 0; it cannot be {ply!r}.")
        black, white = _discs(data["rows"], size)
        return Position(size, black, white, data["colours"].index("black"), to_move, ply, tuple(memory))

    def memory(self, position: Position) -> tuple[str, ...]:
        return position.earlier

    # Whose turn it is

    def to_move(self, position: Position) -> tuple[int, ...]:
        return () if self.result(position) else (position.to_move,)

    def result(self, position: Position) -> Result | None:
        if winner := _annihilator(position):
            return Result(winner, "annihilation")
        if not any(_can_move(position, seat) for seat in (position.to_move, 1 - position.to_move)):
            return Result((0, 1), "blocked")
        if position.earlier.count(_mark(position)) >= 2:
            return Result((0, 1), "repetition")
        return None

    def forced(self, position: Position) -> Move | None:
        if self.result(position) or _can_move(position, position.to_move):
            return None
        return Pass()

    # Moves

    def understand(self, position: Position, seat: int, text: str) -> Move:
        move = read_move(text, position.size)
        if self.result(position):
            raise IllegalMove("The game is over.")
        if seat != position.to_move:
            raise IllegalMove(f"It is not your turn: {SEATS[position.to_move]} is to move.")
        if fault := _fault(position, move):
            raise IllegalMove(fault)
        return move

    def format(self, move: Move) -> str:
        return write_move(move)

    def moves(self, position: Position, seat: int, only: str = "") -> Iterator[Move]:
        if seat not in self.to_move(position):
            return
        yield from map(Place, points(_placements(position)))
        yield from _flips(position)
        if _may_swap(position):
            yield Swap()

    def sample(self, position: Position, seat: int, below: Callable[[int], int]) -> Move:
        free = _placements(position)
        others: tuple[Move, ...] = _flips(position)
        if _may_swap(position):
            others += (Swap(),)
        drawn = below(free.bit_count() + len(others))
        if drawn < len(others):
            return others[drawn]
        for _ in range(drawn - len(others)):
            free &= free - 1
        return Place(next(points(free)))

    def play(self, position: Position, moves: Mapping[int, Move]) -> Position:
        move = moves[position.to_move]
        own, enemy = position.sides()
        earlier: tuple[str, ...] = (*position.earlier, _mark(position))
        black_seat = position.black_seat
        match move:
            case Place(point):
                own |= 1 << point
                earlier = ()
            case Flip():
                own |= rectangle(move)
                enemy &= ~own
            case Swap():
                own, enemy = enemy, own
                black_seat = position.to_move
                earlier = ()
        black, white = (own, enemy) if black_seat == position.to_move else (enemy, own)
        return Position(
            position.size, black, white, black_seat, 1 - position.to_move, position.ply + 1, earlier
        )

    # For people

    def diagram(
        self, position: Position, step: Step[Position, Move] | None = None, plan: Move | None = None
    ) -> Diagram:
        move = plan or (step and next(iter(step.moves.values()), None))
        touched = _touched(position, move) if move else 0
        ranks = reversed(range(position.size))
        files = range(position.size)
        return Diagram(
            rows=tuple(
                Row(str(rank + 1), tuple(_cell(position, STRIDE * rank + file, touched) for file in files))
                for rank in ranks
            ),
            files=tuple(FILES[: position.size]),
            captions=tuple(_caption(position, colour) for colour in COLOURS),
        )

    def story(self, step: Step[Position, Move]) -> list[str]:
        told = [_told(step, move) for move in step.moves.values() if not isinstance(move, Place)]
        if self.forced(step.after):
            told.append(f"{_colour(step.after).title()} can neither place nor flip and has to pass.")
        return told

    def examples(self, position: Position, seat: int) -> tuple[str, ...]:
        if seat not in self.to_move(position):
            return ()
        if pass_due := self.forced(position):
            return (write_move(pass_due),)
        free = list(points(_placements(position)))
        boxes = _flips(position)
        shown: list[Move] = [Place(point) for point in free[len(free) // 2 :][:1] + free[:1]]
        shown += [*boxes[-1:], *boxes[:1]]
        if _may_swap(position):
            shown.append(Swap())
        return tuple(dict.fromkeys(map(write_move, shown)))[:4]

    def fields(self, position: Position, seat: int) -> tuple[Field, ...]:
        choices = tuple((write_move(move), _label(move)) for move in self.moves(position, seat))
        return (Field("Move", choices),)


# The rules about whole positions


def _mark(position: Position) -> str:
    """What tells apart positions with discs on the same points and the same colours of the seats."""
    return f"{position.to_move}{position.black:x}"


def _placements(position: Position) -> int:
    return placements(position.size, *position.sides())


def _flips(position: Position) -> tuple[Flip, ...]:
    return flips(position.size, *position.sides())


def _may_swap(position: Position) -> bool:
    """Whether White is to move right after Black's first disc."""
    single = position.black.bit_count() == 1 and not position.white
    return position.ply == 1 and single and position.to_move != position.black_seat


def _can_move(position: Position, seat: int) -> bool:
    """Whether the seat could place or flip, were it to move.

    While a point is empty it can place: the leftmost empty point of the highest rank that has one has no empty
    point above it nor to its left, so it does not touch three.
    """
    if position.black | position.white != whole(position.size):
        return True
    return bool(flips(position.size, position.discs(seat), position.discs(1 - seat)))


def _annihilator(position: Position) -> tuple[int, ...]:
    """The seat that flipped its enemy's last disc, () if there is none.

    A colour that has no disc yet is no loss, so there must have been a flip, and a flip takes a disc and two
    discs of its walls. It shows in `earlier` or, where that is not known, in `ply`: there are more turns than
    placements and swap account for.
    """
    discs = position.black.bit_count() + position.white.bit_count()
    if (position.black and position.white) or discs < 3:
        return ()
    if not position.earlier and position.ply <= discs + position.black_seat:
        return ()
    return (position.black_seat if position.black else 1 - position.black_seat,)


def _fault(position: Position, move: Move) -> str:
    """A sentence that says why the move is not legal, "" if it is."""
    own, enemy = position.sides()
    match move:
        case Place(point):
            legal = _placements(position) >> point & 1
            return "" if legal else why_not_place(point, own, enemy)
        case Flip():
            legal = move in _flips(position)
            return "" if legal else why_not_flip(move, position.size, own, enemy)
        case Swap():
            only = "Only White may swap, as its first turn, right after Black's first disc."
            return "" if _may_swap(position) else only
        case Pass():
            only = "You may not pass while you can place a disc or flip a rectangle."
            return only if _can_move(position, position.to_move) else ""


# Rows of text, pictures and sentences


def _rows(position: Position) -> list[str]:
    ranks = range((position.size - 1) * STRIDE, -1, -STRIDE)
    return ["".join(_sign(position, rank + file) or "." for file in range(position.size)) for rank in ranks]


def _sign(position: Position, point: int) -> str:
    """The letter of the disc on a point, "" for none."""
    if position.black >> point & 1:
        return "b"
    return "w" if position.white >> point & 1 else ""


def _discs(rows: object, size: int) -> tuple[int, int]:
    """The points of the black and of the white discs in `rows`."""
    if not isinstance(rows, list) or [isinstance(row, str) and len(row) for row in rows] != [size] * size:
        raise BadData(f"“rows” are {size} texts of {size} signs each, from the top rank down.")
    found = {"b": 0, "w": 0, ".": 0}
    for rank, row in enumerate(reversed(rows)):
        for file, sign in enumerate(row):
            if sign not in found:
                raise BadData(f"“rows” hold the signs b, w and . only, not {sign}.")
            found[sign] |= 1 << STRIDE * rank + file
    return found["b"], found["w"]


def _touched(position: Position, move: Move) -> int:
    """The points that a move changes, or has changed."""
    match move:
        case Place(point):
            return 1 << point
        case Flip():
            return rectangle(move)
        case Swap():
            return position.black
        case Pass():
            return 0


def _cell(position: Position, point: int, touched: int) -> Cell:
    sign = _sign(position, point)
    ink = {"b": "black", "w": "white", "": ""}[sign]
    return Cell(point_name(point), sign, "light", ink, mark=bool(touched >> point & 1))


def _colour(position: Position) -> str:
    """The colour of the seat to move."""
    return COLOURS[position.to_move != position.black_seat]


def _discs_counted(discs: int, colour: str = "") -> str:
    """How many discs a set holds, in words: "1 black disc"."""
    number = discs.bit_count()
    noun = "disc" if number == 1 else "discs"
    return " ".join(filter(None, (str(number), colour, noun)))


def _caption(position: Position, colour: str) -> str:
    seat = position.black_seat if colour == "black" else 1 - position.black_seat
    return f"{colour[0]}: {colour}, {_discs_counted(position.discs(seat))}"


def _told(step: Step[Position, Move], move: Move) -> str:
    colour = _colour(step.before)
    match move:
        case Flip():
            enemy = "white" if colour == "black" else "black"
            return f"{_discs_counted(rectangle(move), enemy)} turned {colour}: {rectangle_name(move)}."
        case Swap():
            return "The colours are exchanged: who played white plays black from now on."
        case _:
            return f"{colour.title()} could neither place nor flip."


def _label(move: Move) -> str:
    match move:
        case Flip():
            return f"flip {rectangle_name(move)} ({_discs_counted(rectangle(move))})"
        case Swap():
            return "swap colours"
        case _:
            return f"place {write_move(move)}"
