"""A line: a sequence of turns that are only tried, for all seats, from any position.

Analysis boards, conditional moves and unsaved games against the computer are all lines::

    line = Line(rules, position).then("c4").then("d5")
    line.choices(["e3"])    # possible picks of the seat to move
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
    """A sequence of turns on trial, with the position after it; it is immutable.

    `parts` are the choices made so far: each is a move in canonical text, or the dice that were rolled. If all
    seats move simultaneously, the orders of one seat follow those of another, and the last ones end the turn.
    Forced passes happen automatically and are not parts.
    """

    rules: Rules[P, M]
    position: P
    dice: tuple[int, ...] = ()
    """The dice of the turn to be played, () if none are rolled."""
    parts: tuple[str, ...] = ()
    steps: tuple[Step[P, M], ...] = ()
    """The turns that the parts make, forced passes included."""
    orders: tuple[tuple[int, M], ...] = ()
    """The seats that have given their orders for the turn to be played, and the orders."""

    @property
    def result(self) -> Result | None:
        """The result after the line; None while the game can go on."""
        return self.rules.result(self.position)

    @property
    def seat(self) -> int | None:
        """The seat that moves next; None if dice are rolled next, or if the game is over."""
        if self.rules.dice(self.position):
            return None
        given = dict(self.orders)
        return next((seat for seat in self.rules.to_move(self.position) if seat not in given), None)

    def then(self, part: str) -> Line[P, M]:
        """Return the line with one more move or roll of dice. Raises WrongMove if it is not possible."""
        if self.result is not None:
            raise IllegalMove("The game is over at that point.")
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
        """Return the line with several more moves or rolls, in order. Raises WrongMove if one is illegal."""
        line = self
        for part in parts:
            line = line.then(part)
        return line

    def choices(self, picks: Sequence[str] = ()) -> Choices:
        """Return the possible picks after `picks`, and the move that these make, if it is complete.

        Raises IllegalMove for picks that are not possible.
        """
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
            raise IllegalMove(f"Dice must be rolled at that point, for example “{self._rolls()[-1]}”.")
        dice = tuple(map(int, said[1].split()))
        try:
            position = self.rules.roll(self.position, dice)
        except BadData as error:
            raise IllegalMove(str(error)) from None
        return replace(self, position=position, dice=dice, parts=(*self.parts, roll(dice)))._passed()

    def _played(self) -> Line[P, M]:
        return self._after(driver.play(self.rules, self.position, dict(self.orders), self.dice))

    def _after(self, step: Step[P, M]) -> Line[P, M]:
        return replace(self, position=step.after, dice=(), steps=(*self.steps, step), orders=())._passed()

    def _passed(self) -> Line[P, M]:
        step = driver.forced_step(self.rules, self.position, self.dice)
        return self if step is None else self._after(step)


def roll(dice: Iterable[int]) -> str:
    """Return rolled dice as a part of a line: "roll 3 5"."""
    return " ".join(["roll", *map(str, dice)])
