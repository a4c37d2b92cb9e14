"""A move in the making: put together by picking one thing after the other.

Boards to click, keys, lists for screen readers, forms and links all offer what a `MoveBuilder` offers, and none
of them knows a rule::

    choices = rules.choices(position, seat)                # what can be picked first
    choices = rules.choices(position, seat, ["1", "ne"])   # and after these
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


@dataclass(frozen=True)
class Pick:
    """One thing that can be picked.

    `text` stands for it in the list of picks; `place` is the place of the picture that it stands for, "" for
    what has none, such as the end of an offer. `label` says in words what it means: "troop 1 strikes e6".
    Picks of one `group` are of one sort: "move", "strike". No two picks of a group stand for the same place.
    """

    text: str
    place: str
    label: str
    group: str


def alone(picks: Iterable[Pick]) -> dict[str, Pick]:
    """By place, what can be picked there; not where it may be one of several."""
    found = [pick for pick in picks if pick.place]
    places = Counter(pick.place for pick in found)
    return {pick.place: pick for pick in found if places[pick.place] == 1}


@dataclass(frozen=True, eq=False)
class Choices:
    """What can be picked next, and what the picks so far amount to.

    `picked` are the picks so far; `marks` are the places of the pieces that were picked and wait for more.
    `move` is the canonical text of the move when it can be played as it is, else "". `draw` draws what the
    picks give.
    """

    picked: tuple[Pick, ...]
    picks: tuple[Pick, ...]
    marks: tuple[str, ...]
    move: str
    draw: Callable[[], Diagram]

    @cached_property
    def diagram(self) -> Diagram:
        """The picture that the picks give, drawn when it is asked for."""
        return self.draw()


M = TypeVar("M")


class MoveBuilder(ABC, Generic[M]):
    """A move as far as it is picked; a value that never changes.

    While nothing is left to pick, there is a `move`: no path of picks ends nowhere.
    """

    @abstractmethod
    def picks(self) -> Iterable[Pick]:
        """What can be picked next, each text once."""

    @abstractmethod
    def picked(self, text: str) -> MoveBuilder[M]:
        """With one more pick, one of `picks`."""

    @abstractmethod
    def move(self) -> M | None:
        """The legal move that the picks make, None while something is missing."""

    def marks(self) -> tuple[str, ...]:
        """The places of the pieces that were picked and wait for more."""
        return ()

    @abstractmethod
    def diagram(self) -> Diagram:
        """The picture while there is no `move`; of a move, the rules draw what it leads to."""

    def then(self, texts: Sequence[str]) -> tuple[MoveBuilder[M], tuple[Pick, ...]]:
        """With more picks, in order, and these. Raises IllegalMove for the first that is not to be picked."""
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
    """A move that is picked as a whole, by its text, of these."""

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
        return f"Pick {number}, “{text:.40}”, is one too many: the move is complete before it."
    shown = ", ".join(offered[:12]) + (", …" if len(offered) > 12 else "")
    return f"Pick {number}, “{text:.40}”, is not possible; what can be picked there is {shown}."
