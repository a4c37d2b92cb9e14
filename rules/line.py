"""A line: turns that are only tried, for all seats, from any position on.

Analysis boards, conditional moves and games against the computer that nobody keeps are all lines::

    line = Line(rules, position).then("c4").then("d5")
    line.choices(["e3"])    # what can be picked next, for whoever is to move
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Generic, TypeVar

from rules import driver
from rules.errors import BadData, IllegalMove
from rules.game import Rules, Step
from rules.move_builder import Choices, WholeMove
from rules.result import Result

P = TypeVar("P")
M = TypeVar("M")

_FACES = range(1, 7)
_ROLLED = re.compile(r"roll((?: [1-6])+)")


@dataclass(frozen=True)
class Line(Generic[P, M]):
    """Where a line has come to; a value that never changes.

    `parts` are what was chosen on the way, each a move in canonical text or the dice that were rolled. Where
    all seats move at once, the orders of one come after those of the other, and the turn is over with the
    last. Passes that are forced come by themselves and are no parts.
    """

    rules: Rules[P, M]
    position: P
    dice: tuple[int, ...] = ()
    """The dice of the turn to be played, where they are rolled."""
    parts: tuple[str, ...] = ()
    steps: tuple[Step[P, M], ...] = ()
    """The turns that the parts make, forced passes included."""
    orders: tuple[tuple[int, M], ...] = ()
    """The seats that have given their orders for the turn to be played, with these."""

    @property
    def result(self) -> Result | None:
        """The result that the line has led to, None while it can go on."""
        return self.rules.result(self.position)

    @property
    def seat(self) -> int | None:
        """The seat whose move comes next, None when dice are rolled next, or nothing."""
        if self.rules.dice(self.position):
            return None
        given = dict(self.orders)
        return next((seat for seat in self.rules.to_move(self.position) if seat not in given), None)

    def then(self, part: str) -> Line[P, M]:
        """The line with one more part. Raises WrongMove, with a sentence, for what cannot be played there."""
        if self.result is not None:
            raise IllegalMove("The game is over there.")
        if self.seat is None:
            return self._rolled(part)
        move = self.rules.parse(self.position, self.seat, part)
        longer = replace(
            self,
            parts=(*self.parts, self.rules.format(move)),
            orders=(*self.orders, (self.seat, move)),
        )
        return longer if longer.seat is not None else longer._played()

    def follow(self, parts: Iterable[str]) -> Line[P, M]:
        """The line with more parts, in order. Raises WrongMove."""
        line = self
        for part in parts:
            line = line.then(part)
        return line

    def choices(self, picks: Sequence[str] = ()) -> Choices:
        """What can be picked next, and what that makes: the next part. Raises IllegalMove for wrong picks."""
        if self.seat is not None:
            return self.rules.choices(self.position, self.seat, picks)
        rolls = [] if self.result is not None else self._rolls()
        picture = self.rules.diagram(self.position, self.steps[-1] if self.steps else None)
        move_builder, picked = WholeMove({roll: roll for roll in rolls}, picture).then(picks)
        return Choices(picked, tuple(move_builder.picks()), (), move_builder.move() or "", move_builder.diagram)

    def _rolls(self) -> list[str]:
        dice = combinations_with_replacement(_FACES, self.rules.dice(self.position))
        return [roll(faces) for faces in dice]

    def _rolled(self, part: str) -> Line[P, M]:
        said = _ROLLED.fullmatch(part)
        if said is None:
            raise IllegalMove(f"Dice have to be rolled there, as in “{self._rolls()[-1]}”.")
        dice = tuple(map(int, said[1].split()))
        try:
            position = self.rules.roll(self.position, dice)
        except BadData as error:
            raise IllegalMove(str(error)) from None
        return replace(self, position=position, dice=dice, parts=(*self.parts, roll(dice)))._passed()

    def _played(self) -> Line[P, M]:
        """With the turn for which all have given their moves."""
        return self._after(driver.play(self.rules, self.position, dict(self.orders), self.dice))

    def _after(self, step: Step[P, M]) -> Line[P, M]:
        return replace(self, position=step.after, dice=(), steps=(*self.steps, step), orders=())._passed()

    def _passed(self) -> Line[P, M]:
        """With a pass that is forced."""
        step = driver.forced_step(self.rules, self.position, self.dice)
        return self if step is None else self._after(step)


def roll(dice: Iterable[int]) -> str:
    """How dice are written that are part of a line: "roll 3 5"."""
    return " ".join(["roll", *map(str, dice)])
