"""NEXUS und Rabauken: rings that wander, marbles that block and surround; the last one able to act wins.

docs/rules/nexus.md explains the rules. The rules on rings and marbles are in `board`, a complete turn in
`turn`, the sorts of action that a seat may take in `actions`; this module has leaving and the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar, Final, TypeVar

from rules.drawing.diagram import Diagram
from rules.errors import BadData, IllegalMove
from rules.game import Json, Rules, Step
from rules.games.nexus import description
from rules.games.nexus.actions import ADDED, REPETITIONS, STANDSTILL, actions, can_act, open_sorts, why_barred
from rules.games.nexus.board import Action, Add, Change, Walk, changes, walks
from rules.games.nexus.estimate import estimate
from rules.games.nexus.legality import judge_action, judge_losses
from rules.games.nexus.move_builder import Beginning, picks_of
from rules.games.nexus.notation import read_move, write_move
from rules.games.nexus.picture import picture, story
from rules.games.nexus.playout import playout
from rules.games.nexus.position import (
    ACTIONS,
    LAST_STANDING,
    LETTERS,
    SEATS,
    Position,
    freeze,
    read_position,
    write_position,
)
from rules.games.nexus.sample import random_move
from rules.games.nexus.threats import promising_move
from rules.games.nexus.turn import Move, carry_out, debts, default_losses, outcome
from rules.geometry.hexes import hexagon, place_at, triangle
from rules.move_builder import MoveBuilder
from rules.options import Option
from rules.reading import need_no_more, typed_whole
from rules.reasons import LEAVING
from rules.result import Result
from rules.sentences import SeatNames

MIDDLE: Final = place_at(13, 13)
CORNER: Final = place_at(10, 10)
SIDES: Final = {2: 3, 4: 4}
RESERVES: Final = {2: (10, 11), 3: (10, 10, 10), 4: (10, 10, 10, 10)}
LISTED_CHANGES: Final = 5000
_DEEDS: Final = {Add.name: "added", Walk.name: "moved", Change.name: "changed rings"}
"""The sorts of action in the past tense."""
T = TypeVar("T")


class Nexus(Rules[Position, Move]):
    """The rules of NEXUS; docs/rules/nexus.md explains them to players."""

    name: ClassVar[str] = "nexus"
    title: ClassVar[str] = "NEXUS und Rabauken"
    primer: ClassVar[str] = (
        "You win if you are the last player who can act: a player who can neither add nor move marbles is "
        "out. In a turn you add three marbles from your reserve on empty rings that you can reach from the "
        "border, or move marbles by two steps, or take four empty rings away and put them down elsewhere. A "
        "step goes to a neighbouring ring, or straight over a row of your own marbles; where you then have "
        "more marbles than another colour, those are deleted, and a group that yours surround loses half of "
        "its marbles."
    )
    variants: ClassVar[tuple[Mapping[str, object], ...]] = ({}, {"players": 3}, {"players": 4})
    offered: ClassVar[Mapping[str, Option]] = {
        "players": Option(
            "Number of players, including you.",
            tuple(RESERVES),
            {players: f"{players} players" for players in RESERVES},
        )
    }
    reasons: ClassVar[Mapping[str, str]] = {
        LAST_STANDING: "no other player can add or move any more",
        "repetition": f"the same position has come up {REPETITIONS} times",
        "standstill": f"for {STANDSTILL} turns of each player no marble was added, deleted or given up",
    }

    # The start of a game

    def options(self, given: Mapping[str, object]) -> Json:
        """Return the options; `players` is 2, 3 or 4."""
        need_no_more(given, self.offered, "NEXUS has only the option players, not {all}.")
        wrong = "NEXUS is for 2, 3 or 4 players, not {!r}."
        return {"players": typed_whole(given.get("players", 2), wrong, self.offered["players"].values)}

    def seats(self, options: Json) -> tuple[str, ...]:
        """Return the colours of the marbles."""
        return SEATS[: options["players"]]

    def signs(self, position: Position) -> tuple[str, ...]:
        return tuple(f"marbles {letter}" for letter in LETTERS[: len(position.reserve)])

    def usual_turns(self, options: Json) -> int:
        return 25 * int(options["players"])

    def start(self, options: Json, setup: Json) -> Position:
        """Return the position with all rings empty and all marbles in reserve."""
        if setup:
            raise BadData("NEXUS has no random start, so the setup must be empty.")
        players = options["players"]
        rings = triangle(CORNER, 7) if players == 3 else hexagon(MIDDLE, SIDES[players])
        return after_leaving(
            Position(
                rings=tuple((ring, "") for ring in rings),
                reserve=RESERVES[players],
                out=(),
                to_move=0,
                last_actions=("",) * players,
            )
        )

    # Positions as data

    def write(self, position: Position) -> Json:
        """Return the object described on the rules page; `last_actions` holds null for a seat that has not
        acted yet.
        """
        return write_position(position)

    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> Position:
        """Return the position; without `memory`, a seat to move that can neither add nor move leaves
        immediately.
        """
        position = read_position(options["players"], data, memory)
        if not memory or position.ended:
            return after_leaving(position)
        if position.seen[-1] != position.key():
            raise BadData("The remembered positions do not end with this position.")
        return position

    def memory(self, position: Position) -> tuple[str, ...]:
        """Return the positions that could come back; once one seat is left, the reason why it won."""
        return (position.ended,) if position.ended else position.seen

    # Whose turn it is

    def to_move(self, position: Position) -> tuple[int, ...]:
        """Return one seat, () when the game is over."""
        return () if self.result(position) else (position.to_move,)

    def result(self, position: Position) -> Result | None:
        """Return the result: the last seat that can act wins, or all that have not left draw; None before."""
        staying = position.staying
        places = (*staying, *reversed(position.out))
        if position.ended:
            return Result(staying, position.ended, places=places)
        if position.seen.count(position.seen[-1]) >= REPETITIONS:
            return Result(staying, "repetition", places=places)
        if position.quiet >= STANDSTILL * len(staying):
            return Result(staying, "standstill", places=places)
        return None

    # Moves

    def understand(self, position: Position, seat: int, text: str) -> Move:
        """Return the move that a text means. A choice of marbles to remove is dropped if it is the default."""
        action, losses = read_move(text)
        if self.result(position):
            raise IllegalMove("The game is over.")
        if seat != position.to_move:
            raise IllegalMove(f"It is the turn of {SEATS[position.to_move]}, not of {SEATS[seat]}.")
        barred = why_barred(position, seat, action.name)
        if barred:
            raise IllegalMove(barred)
        board, letter = position.board, LETTERS[seat]
        judge_action(board, letter, position.reserve[seat], action)
        if isinstance(action, Add):
            action = Add(tuple(sorted(action.rings)))
        after, _ = carry_out(board, letter, action)
        owed = debts(board, after, letter)
        remove = judge_losses(after, owed, losses) if losses else ()
        return Move(action, () if remove == default_losses(after, owed) else remove)

    def format(self, move: Move) -> str:
        """Return the canonical text."""
        return write_move(move)

    def moves(self, position: Position, seat: int, only: str = "") -> Iterator[Move]:
        """Yield all `add` and `move` actions, or those named by `only`, which may also be `rings`.

        Each action appears once, with the default removal of marbles; `parse` accepts every choice.
        """
        if only not in ("", *ACTIONS):
            raise BadData(f"NEXUS has no action {only}; its actions are {', '.join(ACTIONS)}.")
        if seat not in self.to_move(position):
            return
        for name in (only,) if only else (Add.name, Walk.name):
            if not why_barred(position, seat, name):
                yield from map(Move, _actions(position, seat, name))

    def play(self, position: Position, moves: Mapping[int, Move]) -> Position:
        """Return the position after a turn; seats to move that can neither add nor move are out."""
        ((seat, move),) = moves.items()
        action = move.action
        done = outcome(position.board, LETTERS[seat], move)
        added = ADDED if isinstance(action, Add) else 0
        given = isinstance(action, Walk) and action.sacrifice
        return after_leaving(
            Position(
                rings=freeze(done.board),
                reserve=_replaced(position.reserve, seat, position.reserve[seat] - added + done.deleted),
                out=position.out,
                to_move=position.after(seat),
                last_actions=_replaced(position.last_actions, seat, action.name),
                ply=position.ply + 1,
                quiet=0 if added or given or done.deleted else position.quiet + 1,
                seen=() if given else position.seen,
            )
        )

    def leave(self, position: Position, seat: int, reason: str) -> Position:
        """Return the position without the marbles of the seat; if it was to move, the next seat is."""
        if reason not in LEAVING:
            raise BadData(f"A seat leaves because it {' or '.join(LEAVING)}, not {reason!r}.")
        if seat not in position.staying or self.result(position):
            raise BadData(f"{SEATS[seat]} is no longer in the game.")
        return after_leaving(without(position, seat, reason))

    def plays_on(self, position: Position) -> bool:
        """Return True: `leave` determines the winner when one seat is left."""
        return True

    def deed(self, move: str) -> str:
        """Return "added j15 k12 k14", "moved n11-m12 l12-m12", "changed rings …"."""
        action, _, rest = move.partition(" ")
        return f"{_DEEDS[action]} {rest}"

    def seats_out(self, position: Position) -> tuple[int, ...]:
        """Return the seats that resigned, ran out of time, or could no longer act."""
        return position.out

    def sample(self, position: Position, seat: int, below: Callable[[int], int]) -> Move:
        """Return a random legal move of any sort, removals chosen at random too."""
        sorts = open_sorts(position, seat)
        return random_move(position.board, LETTERS[seat], position.reserve[seat], sorts, below)

    # Move builders

    def move_builder(self, position: Position, seat: int) -> MoveBuilder[Move]:
        return Beginning(position, open_sorts(position, seat))

    def picks_of(self, position: Position, seat: int, move: Move) -> tuple[str, ...]:
        return picks_of(position, move)

    # For computer players

    looks_ahead: ClassVar[bool] = True

    def evaluate(self, position: Position) -> tuple[float, ...]:
        return estimate(position)

    def promising(self, position: Position, seat: int, below: Callable[[int], int]) -> Move:
        """Return a random legal move, often one that may delete marbles."""
        return promising_move(position, seat, below)

    def playout(self, position: Position, below: Callable[[int], int], most: int) -> tuple[Result | None, int]:
        return playout(position, below, most)

    # For people

    def listing(
        self, position: Position, only: str = "", limit: int | None = None
    ) -> list[str] | dict[str, Any]:
        """List all `add` and `move` actions, which can be 100,000 or more; of `rings` the first 5000."""
        if limit is None and only == Change.name:
            limit = LISTED_CHANGES
        return super().listing(position, only, limit)

    def diagram(
        self, position: Position, step: Step[Position, Move] | None = None, plan: Move | None = None
    ) -> Diagram:
        """Return the rings with their marbles, and the places where one could be put."""
        return picture(position, step, plan, self.result(position))

    def pieces(self, position: Position, seat: int | None, picture: Diagram) -> list[str]:
        return list(description.pieces(position))

    def possible(self, position: Position, seat: int) -> list[str]:
        if seat not in self.to_move(position):
            return []
        add, walk, change = (not why_barred(position, seat, each.name) for each in (Add, Walk, Change))
        add = add and position.reserve[seat] >= 3
        return list(description.possible(position.board, LETTERS[seat], add=add, walk=walk, change=change))

    def story(self, step: Step[Position, Move], names: SeatNames | None = None) -> list[str]:
        """Return sentences on the marbles given up and deleted, and on the seats that left."""
        return story(step)

    def examples(self, position: Position, seat: int) -> tuple[str, ...]:
        """Return one of each sort: an addition, two marbles moved (else one moved twice), a sacrifice, a change
        of rings.
        """
        board, letter = position.board, LETTERS[seat]
        found: list[Action | None] = []
        if not why_barred(position, seat, Add.name):
            found += islice(_actions(position, seat, Add.name), 1 if position.last_actions[seat] else 2)
        if not why_barred(position, seat, Walk.name):
            two = (walk for walk in walks(board, letter) if walk.steps[0].end != walk.steps[1].start)
            one = (walk for walk in walks(board, letter) if not walk.sacrifice)
            found.append(next(two, None) or next(one, None))
            found.append(next((walk for walk in walks(board, letter) if walk.sacrifice), None))
        if not why_barred(position, seat, Change.name):
            found.append(next(changes(board), None))
        return tuple(self.format(Move(action)) for action in found if action)


def without(position: Position, seat: int, reason: str) -> Position:
    """Return the position after a seat has left with its marbles; `reason` is for a game that ends by that."""
    left = replace(
        position,
        rings=tuple((ring, marbles.replace(LETTERS[seat], "")) for ring, marbles in position.rings),
        reserve=_replaced(position.reserve, seat, 0),
        out=(*position.out, seat),
        to_move=position.after(seat) if seat == position.to_move else position.to_move,
        quiet=0,
        seen=(),
    )
    return replace(left, ended=reason) if len(left.staying) == 1 else left


def after_leaving(position: Position) -> Position:
    """Return the position after every seat to move that can neither add nor move has left; record it as
    seen.
    """
    while not position.ended and not _can_act(position):
        position = without(position, position.to_move, LAST_STANDING)
    if position.ended:
        return position
    # Much faster than `replace`, and computer players do it for each move that they look at.
    return Position(
        position.rings,
        position.reserve,
        position.out,
        position.to_move,
        position.last_actions,
        position.ply,
        position.quiet,
        (*position.seen, position.key()),
    )


def _can_act(position: Position) -> bool:
    seat = position.to_move
    return can_act(position.board, LETTERS[seat], position.reserve[seat], open_sorts(position, seat))


def _actions(position: Position, seat: int, name: str) -> Iterator[Action]:
    """Yield all actions of one sort, allowed in this turn or not."""
    return actions(position.board, LETTERS[seat], position.reserve[seat], name)


def _replaced(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
