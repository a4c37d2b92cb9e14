"""A kind of game that nothing but this module knows: a new kind is one class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rules.drawing.diagram import Cell, Diagram, Row
from rules.drawing.looks import LIGHT
from rules.errors import BadData, IllegalMove, Unreadable
from rules.game import Json, Kind, Step
from rules.options import Option
from rules.reading import need_exactly, need_no_more, typed_whole, whole
from rules.result import Result


@dataclass(frozen=True)
class Heap:
    """How many stones are left, and who is to take some."""

    stones: int
    to_move: int = 0


class Toy(Kind[Heap, int]):
    """Take one to three stones from a heap; who takes the last one wins."""

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

    def moves(self, position: Heap, seat: int, only: str = "") -> Iterator[int]:
        if seat in self.to_move(position):
            yield from range(1, min(3, position.stones) + 1)

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(position.stones - moves[position.to_move], 1 - position.to_move)

    def diagram(self, position: Heap, step: Step[Heap, int] | None = None, plan: int | None = None) -> Diagram:
        return Diagram((Row("", (Cell("heap", str(position.stones), LIGHT, mark=bool(step or plan)),)),))

    def story(self, step: Step[Heap, int]) -> list[str]:
        return [f"{step.before.stones - step.after.stones} stones were taken."]

    def examples(self, position: Heap, seat: int) -> tuple[str, ...]:
        return tuple(map(self.format, self.moves(position, seat)))
