"""Games for tests only; each is one class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rules.drawing.diagram import Cell, Diagram, Row
from rules.drawing.themes import LIGHT
from rules.errors import BadData, IllegalMove, Unreadable
from rules.game import Json, Rules, Step
from rules.options import Option
from rules.reading import need_exactly, need_no_more, typed_whole, whole
from rules.reasons import Reason
from rules.result import Result
from rules.sentences import SeatNames


@dataclass(frozen=True)
class Heap:
    """The number of stones left, and the seat to move."""

    stones: int
    to_move: int = 0


class Toy(Rules[Heap, int]):
    """Take one to three stones from a heap; the player who takes the last one wins."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy"
    variants: ClassVar[tuple[Mapping[str, object], ...]] = ({}, {"stones": 4})
    offered: ClassVar[Mapping[str, Option]] = {"stones": Option("In the heap at first.", range(1, 100))}
    reasons: ClassVar[Mapping[str, str]] = {"last-stone": "the last stone is taken"}

    def options(self, given: Mapping[str, object]) -> Json:
        wrong = "Toy has the option stones, from 1 to 99."
        need_no_more(given, self.offered, wrong)
        return {"stones": typed_whole(given.get("stones", 12), wrong, self.offered["stones"].values)}

    def seats(self, options: Json) -> tuple[str, ...]:
        return ("First", "Second")

    def start(self, options: Json, setup: Json) -> Heap:
        if setup:
            raise BadData("Toy has no setup.")
        return Heap(options["stones"])

    def write(self, position: Heap) -> Json:
        return {"stones": position.stones, "to_move": position.to_move}

    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> Heap:
        need_exactly(data, ("stones", "to_move"), "A position has stones and to_move; wrong here: {}.")
        wrong = "There are not so many stones, or not so many seats."
        return Heap(whole(data["stones"], wrong, most=options["stones"]), whole(data["to_move"], wrong, most=1))

    def to_move(self, position: Heap) -> tuple[int, ...]:
        return (position.to_move,) if position.stones else ()

    def result(self, position: Heap) -> Result | None:
        return None if position.stones else Result((1 - position.to_move,), "last-stone")

    def understand(self, position: Heap, seat: int, text: str) -> int:
        word = text.strip(" .\n").lower().removeprefix("take").strip()
        if word not in map(str, range(100)):
            raise Unreadable("A move is a number of stones.")
        if seat not in self.to_move(position) or int(word) not in list(self.moves(position, seat)):
            raise IllegalMove(f"You cannot take {word} stones now.")
        return int(word)

    def format(self, move: int) -> str:
        return f"take {move}"

    def deed(self, move: str) -> str:
        return move.replace("take", "took")

    def moves(self, position: Heap, seat: int, only: str = "") -> Iterator[int]:
        if seat in self.to_move(position):
            yield from range(1, min(3, position.stones) + 1)

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(position.stones - moves[position.to_move], 1 - position.to_move)

    def diagram(self, position: Heap, step: Step[Heap, int] | None = None, plan: int | None = None) -> Diagram:
        return Diagram((Row("", (Cell("heap", str(position.stones), LIGHT, mark=bool(step or plan)),)),))

    def story(self, step: Step[Heap, int], names: SeatNames | None = None) -> list[str]:
        return [f"{step.before.stones - step.after.stones} stones were taken."]

    def examples(self, position: Heap, seat: int) -> tuple[str, ...]:
        return tuple(map(self.format, self.moves(position, seat)))


class Waiting(Toy):
    """A game like `Toy` in which the first seat always wins, but some of its moves win sooner than others.

    The second seat never takes the last stone. The estimate is certain that the first seat wins.
    """

    def moves(self, position: Heap, seat: int, only: str = "") -> Iterator[int]:
        yield from super().moves(position, seat) if seat == 0 else range(min(2, position.stones))[::-1]

    def evaluate(self, position: Heap) -> tuple[float, float]:
        return 1.0, 0.0


FAR = 20


@dataclass(frozen=True)
class Track:
    """The progress of each seat, the seat to move, its die (0 before the roll), and the seats that left."""

    steps: tuple[int, ...] = (0, 0, 0)
    to_move: int = 0
    die: int = 0
    gone: tuple[int, ...] = ()

    def following(self) -> Track:
        """The turn of the next seat that has not left."""
        others = [(self.to_move + i) % 3 for i in (1, 2, 3)]
        return replace(self, die=0, to_move=next(seat for seat in others if seat not in self.gone))


class Race(Rules[Track, str]):
    """Go as far as the die says, or rest; the first to reach twenty wins, even if alone."""

    name: ClassVar[str] = "race"
    title: ClassVar[str] = "Race"
    reasons: ClassVar[Mapping[str, str]] = {"far": "one has arrived"}

    def options(self, given: Mapping[str, object]) -> Json:
        return {}

    def seats(self, options: Json) -> tuple[str, ...]:
        return ("First", "Second", "Third")

    def start(self, options: Json, setup: Json) -> Track:
        return Track()

    def write(self, position: Track) -> Json:
        return {
            "steps": list(position.steps),
            "to_move": position.to_move,
            "die": position.die,
            "gone": list(position.gone),
        }

    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> Track:
        return Track(tuple(data["steps"]), data["to_move"], data["die"], tuple(data["gone"]))

    def to_move(self, position: Track) -> tuple[int, ...]:
        return () if self.result(position) else (position.to_move,)

    def result(self, position: Track) -> Result | None:
        far = tuple(seat for seat in range(3) if position.steps[seat] >= FAR)
        return Result(far, "far") if far else None

    def dice(self, position: Track) -> int:
        return 0 if position.die or self.result(position) else 1

    def roll(self, position: Track, dice: Sequence[int]) -> Track:
        if len(dice) != self.dice(position):
            raise BadData("One die is rolled, once.")
        return replace(position, die=dice[0])

    def understand(self, position: Track, seat: int, text: str) -> str:
        self.check_turn(position, seat, self.seats({}))
        if text not in ("go", "rest"):
            raise IllegalMove("You can go, or rest.")
        return text

    def format(self, move: str) -> str:
        return move

    def moves(self, position: Track, seat: int, only: str = "") -> Iterator[str]:
        if seat in self.to_move(position):
            yield from ("go", "rest")

    def play(self, position: Track, moves: Mapping[int, str]) -> Track:
        ((seat, move),) = moves.items()
        steps = list(position.steps)
        steps[seat] += position.die if move == "go" else 0
        return replace(position, steps=tuple(steps)).following()

    def leave(self, position: Track, seat: int, reason: Reason) -> Track:
        left = replace(position, gone=(*position.gone, seat))
        return left.following() if seat == position.to_move else left

    def plays_on(self, position: Track) -> bool:
        return True

    def seats_out(self, position: Track) -> tuple[int, ...]:
        return position.gone

    def diagram(
        self, position: Track, step: Step[Track, str] | None = None, plan: str | None = None
    ) -> Diagram:
        cells = (Cell(f"seat {seat}", str(steps), LIGHT) for seat, steps in enumerate(position.steps))
        return Diagram((Row("", tuple(cells)),))

    def story(self, step: Step[Track, str], names: SeatNames | None = None) -> list[str]:
        return []

    def examples(self, position: Track, seat: int) -> tuple[str, ...]:
        return ("go", "rest")
