"""Nebuchadnezzar: place discs and flip walled-in rectangles until your opponent has no disc left.

docs/rules/nebuchadnezzar.md explains the rules. Sets of points are ints, as in `board`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from rules.drawing.diagram import Diagram
from rules.errors import BadData, IllegalMove
from rules.game import Json, Rules, Step
from rules.games.nebuchadnezzar import description
from rules.games.nebuchadnezzar.board import (
    Flip,
    Move,
    Pass,
    Place,
    Swap,
    flips,
    placements,
    rectangle,
    whole,
    why_not_flip,
    why_not_place,
)
from rules.games.nebuchadnezzar.estimate import estimate
from rules.games.nebuchadnezzar.move_builder import PlainMoveBuilder
from rules.games.nebuchadnezzar.notation import read_move, write_move
from rules.games.nebuchadnezzar.picture import picture, story
from rules.games.nebuchadnezzar.playout import playout
from rules.games.nebuchadnezzar.position import SEATS, Position, read_position, write_position
from rules.geometry.bits import nth, numbers_in
from rules.options import Option
from rules.reading import need_no_more, typed_whole
from rules.result import Result
from rules.sentences import SeatNames


class Nebuchadnezzar(Rules[Position, Move]):
    """The rules of Nebuchadnezzar: place or flip, swap as the second turn, pass if nothing is possible."""

    name: ClassVar[str] = "nebuchadnezzar"
    title: ClassVar[str] = "Nebuchadnezzar"
    primer: ClassVar[str] = (
        "You win when no disc of the other colour is left on the board. In a turn you either place a disc "
        "on an empty point, or flip a rectangle of enemy discs that has discs all around it, most of them "
        "yours: all discs in it become yours. You may not place a disc where exactly one neighbour (above, "
        "below, left or right) is an enemy disc and the other three are empty."
    )
    meanings: ClassVar[Mapping[str, str]] = {"swap": "you take over the other colour"}
    variants: ClassVar[tuple[Mapping[str, object], ...]] = ({}, {"size": 4}, {"size": 15})
    offered: ClassVar[Mapping[str, Option]] = {
        "size": Option(
            "Points on each side of the board.",
            range(4, 16),
            {size: f"{size} by {size} points" for size in range(4, 16)},
        )
    }
    reasons: ClassVar[Mapping[str, str]] = {
        "annihilation": "no enemy disc is left",
        "blocked": "neither player can place a disc or flip a rectangle",
        "repetition": "the same position has come up for the third time",
    }

    # The start of a game

    def options(self, given: Mapping[str, object]) -> Json:
        need_no_more(given, self.offered, "Nebuchadnezzar has no option “{}”; it has size.")
        wrong = "The size is a whole number from 4 to 15, not {}."
        return {"size": typed_whole(given.get("size", 8), wrong, self.offered["size"].values)}

    def seats(self, options: Json) -> tuple[str, ...]:
        return SEATS

    def titles(self, position: Position) -> tuple[str, ...]:
        return ("Black", "White") if position.black_seat == 0 else ("White", "Black")

    def signs(self, position: Position) -> tuple[str, ...]:
        return ("discs b", "discs w") if position.black_seat == 0 else ("discs w", "discs b")

    def usual_turns(self, options: Json) -> int:
        return 7 * int(options["size"]) ** 2 // 5 + 2

    def start(self, options: Json, setup: Json) -> Position:
        if setup:
            raise BadData("Nebuchadnezzar starts with an empty board; it has no setup.")
        return Position(options["size"])

    # Positions as data

    def write(self, position: Position) -> Json:
        return write_position(position)

    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> Position:
        return read_position(options["size"], data, memory)

    def memory(self, position: Position) -> tuple[str, ...]:
        return position.earlier

    # Whose turn it is

    def to_move(self, position: Position) -> tuple[int, ...]:
        return () if self.result(position) else (position.to_move,)

    def result(self, position: Position) -> Result | None:
        if winner := _annihilator(position):
            return Result(winner, "annihilation")
        if _is_full(position) and not (_can_flip(position, 0) or _can_flip(position, 1)):
            return Result((0, 1), "blocked")
        if len(position.earlier) > 1 and position.earlier.count(_mark(position)) > 1:
            return Result((0, 1), "repetition")
        return None

    def forced(self, position: Position) -> Move | None:
        if not _is_full(position) or _can_flip(position, position.to_move) or self.result(position):
            return None
        return Pass()

    # Moves

    def understand(self, position: Position, seat: int, text: str) -> Move:
        move = read_move(text, position.size)
        self.check_turn(position, seat, SEATS)
        if fault := _fault(position, move):
            raise IllegalMove(fault)
        return move

    def format(self, move: Move) -> str:
        return write_move(move)

    def moves(self, position: Position, seat: int, only: str = "") -> Iterator[Move]:
        if seat not in self.to_move(position):
            return
        yield from map(Place, numbers_in(_placements(position)))
        yield from _flips(position)
        if _may_swap(position):
            yield Swap()

    def sample(self, position: Position, seat: int, below: Callable[[int], int]) -> Move:
        free = _placements(position)
        others: tuple[Move, ...] = _flips(position)
        if _may_swap(position):
            others += (Swap(),)
        picked = below(free.bit_count() + len(others))
        if picked < len(others):
            return others[picked]
        return Place(nth(free, picked - len(others)))

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

    # Move builders

    def move_builder(self, position: Position, seat: int) -> PlainMoveBuilder:
        return PlainMoveBuilder(position, tuple(self.moves(position, seat)))

    def picks_of(self, position: Position, seat: int, move: Move) -> tuple[str, ...]:
        return self.move_builder(position, seat).picks_of(move)

    # For computer players

    def evaluate(self, position: Position) -> tuple[float, float]:
        return estimate(position)

    def playout(self, position: Position, below: Callable[[int], int], most: int) -> tuple[Result | None, int]:
        return playout(position, below, most)

    # For people

    def diagram(
        self, position: Position, step: Step[Position, Move] | None = None, plan: Move | None = None
    ) -> Diagram:
        return picture(position, step, plan)

    def possible(self, position: Position, seat: int) -> list[str]:
        return list(description.possible(self.moves(position, seat)))

    def story(self, step: Step[Position, Move], names: SeatNames | None = None) -> list[str]:
        return story(step, stuck=self.forced(step.after) is not None)

    def deed(self, move: str) -> str:
        """Return "played c4", "flipped b3-d4" for `xb3-d4`, or "swapped colours"."""
        if move == write_move(Swap()):
            return "swapped colours"
        return f"flipped {move[1:]}" if move.startswith("x") else f"played {move}"

    def examples(self, position: Position, seat: int) -> tuple[str, ...]:
        if seat not in self.to_move(position):
            return ()
        if pass_due := self.forced(position):
            return (write_move(pass_due),)
        free = list(numbers_in(_placements(position)))
        boxes = _flips(position)
        shown: list[Move] = [Place(point) for point in free[len(free) // 2 :][:1] + free[:1]]
        shown += [*boxes[-1:], *boxes[:1]]
        if _may_swap(position):
            shown.append(Swap())
        return tuple(dict.fromkeys(map(write_move, shown)))[:4]


# Rules about whole positions


def _mark(position: Position) -> str:
    """Return a text for the discs of both colours and the colours of the seats, for comparing positions."""
    return f"{position.to_move}{position.black:x}"


def _placements(position: Position) -> int:
    return placements(position.size, *position.sides())


def _flips(position: Position) -> tuple[Flip, ...]:
    return flips(position.size, *position.sides())


def _may_swap(position: Position) -> bool:
    """Return whether White is to move right after Black's first disc."""
    single = position.black.bit_count() == 1 and not position.white
    return position.ply == 1 and single and position.to_move != position.black_seat


def _is_full(position: Position) -> bool:
    """Return whether no point is empty. Until then each seat can place a disc.

    The leftmost empty point of the highest rank that has one has no empty point above it nor to its left, so it
    does not touch three.
    """
    return position.black | position.white == whole(position.size)


def _can_flip(position: Position, seat: int) -> bool:
    """Return whether the seat could flip a rectangle if it were to move."""
    return bool(flips(position.size, position.discs(seat), position.discs(1 - seat)))


def _annihilator(position: Position) -> tuple[int, ...]:
    """Return the seat that flipped its enemy's last disc, () if there is none.

    Having no disc yet is not a loss, so there must have been a flip, and a flip takes a disc and two discs in
    its walls. It shows in `earlier` or, where that is not known, in `ply`: there are more turns than the
    placements and the swap explain.
    """
    if position.black and position.white:
        return ()
    discs = (position.black | position.white).bit_count()
    if discs < 3:
        return ()
    if not position.earlier and position.ply <= discs + position.black_seat:
        return ()
    return (position.black_seat if position.black else 1 - position.black_seat,)


def _fault(position: Position, move: Move) -> str:
    """Return a sentence on why the move is illegal, "" if it is legal."""
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
            stuck = _is_full(position) and not _can_flip(position, position.to_move)
            return "" if stuck else only
