"""Move builders: put a move together by picking one thing after the other.

Clickable boards, keys, lists for screen readers, forms and links all offer the picks of a `MoveBuilder`; none
of them knows a rule::

    choices = rules.choices(position, seat)                # the first possible picks
    choices = rules.choices(position, seat, ["1", "ne"])   # the next, after these two
    choices.move                                          # the move, once it can be played
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar

from rules.drawing.diagram import Diagram
from rules.errors import IllegalMove
from rules.sentences import quoted


@dataclass(frozen=True)
class Pick:
    """One thing that can be picked to build a move, such as a piece or a square.

    `text` stands for it in the list of picks. `place` is its place in the picture, "" if it has none, such as
    the end of an offer. `label` describes it: "troop 1 destroys e6". Picks of one `group` are of one sort:
    "move", "destroy". No two picks of a group have the same place. `lifts` is true for a piece that the
    next pick moves to another place; pages let readers drag it. `destroys` is true if the pick destroys
    its place; pages frame it with a broken line.
    """

    text: str
    place: str
    label: str
    group: str
    lifts: bool = False
    destroys: bool = False


def alone(picks: Iterable[Pick]) -> dict[str, Pick]:
    """Return those picks that are the only one at their place, by place."""
    found = [pick for pick in picks if pick.place]
    places = Counter(pick.place for pick in found)
    return {pick.place: pick for pick in found if places[pick.place] == 1}


@dataclass(frozen=True, eq=False)
class Choices:
    """The possible next picks of a player, and the move that the picks so far make.

    `picked` are the picks so far; `marks` are the places of picked pieces that need another pick. `move` is the
    canonical text of the move if it is complete, else "". `draw` draws the result of the picks. `automatic` is
    the number of picks at the start that were made without the player, because there was no alternative.
    """

    picked: tuple[Pick, ...]
    picks: tuple[Pick, ...]
    marks: tuple[str, ...]
    move: str
    draw: Callable[[], Diagram]
    automatic: int = 0

    @property
    def is_begun(self) -> bool:
        """Return whether the player has picked anything."""
        return len(self.picked) > self.automatic

    @cached_property
    def diagram(self) -> Diagram:
        """The picture of the picks so far, drawn on first use."""
        return self.draw()


M = TypeVar("M")


class MoveBuilder(ABC, Generic[M]):
    """A partly built move; it is immutable.

    When no picks are left, there is a `move`: every sequence of picks leads to one.
    """

    @abstractmethod
    def picks(self) -> Iterable[Pick]:
        """Return the possible next picks, each with a different text."""

    @abstractmethod
    def picked(self, text: str) -> MoveBuilder[M]:
        """Return the builder after one more pick, one of `picks`."""

    @abstractmethod
    def move(self) -> M | None:
        """Return the legal move that the picks make; None while something is missing."""

    def marks(self) -> tuple[str, ...]:
        """Return the places of picked pieces that need another pick."""
        return ()

    @abstractmethod
    def diagram(self) -> Diagram:
        """Return the picture of an incomplete move; the rules draw a complete one."""

    def then(self, texts: Sequence[str]) -> tuple[MoveBuilder[M], tuple[Pick, ...]]:
        """Return the builder after these picks, and the picks. Raises IllegalMove if one is not possible."""
        move_builder: MoveBuilder[M] = self
        picks = []
        for number, text in enumerate(texts, 1):
            pick = next((pick for pick in move_builder.picks() if pick.text == text), None)
            if pick is None:
                raise IllegalMove(_not_offered(text, number, [pick.text for pick in move_builder.picks()]))
            picks.append(pick)
            move_builder = move_builder.picked(text)
        return move_builder, tuple(picks)


@dataclass(frozen=True)
class WholeMove(MoveBuilder[M]):
    """A builder for moves that are picked in one step, by their texts."""

    moves: Mapping[str, M]
    picture: Diagram
    chosen: M | None = None

    def picks(self) -> Iterator[Pick]:
        return (Pick(text, "", text, "move") for text in self.moves if self.chosen is None)

    def picked(self, text: str) -> WholeMove[M]:
        return replace(self, chosen=self.moves[text])

    def move(self) -> M | None:
        return self.chosen

    def diagram(self) -> Diagram:
        return self.picture


def _not_offered(text: str, number: int, offered: Sequence[str]) -> str:
    if not offered:
        return f"Pick {number}, {quoted(text)}, is one too many: the move is already complete."
    shown = ", ".join(offered[:12]) + (", …" if len(offered) > 12 else "")
    return f"Pick {number}, {quoted(text)}, is not possible. Possible picks: {shown}."
