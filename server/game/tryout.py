"""A game against the computer for trying a kind out: nobody needs an account, and it is stored nowhere."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import Any

from rules import driver
from rules.bots import flat
from rules.chance import Chance
from rules.errors import BadData, IllegalMove
from rules.game import Json, Step
from rules.records.record import POSITION_FORMAT, load_position, turn_of
from rules.registry import kind
from server.game.boards import Board
from server.game.positions import AnyKind
from server.game.wording import result_text, turn_lines

PLAYER = 0
"""The seat of whoever tries; all others are the computer's."""
_SECONDS = 0.03
"""How long the computer thinks before it is the player's turn again, however many moves it makes."""


@dataclass(frozen=True)
class Tryout:
    """How such a game stands when its player is to move, or it is over; a value that never changes.

    `steps` are the turns that were played last: the player's, and what the computer answered.
    """

    rules: AnyKind
    options: Json
    position: Any
    steps: tuple[Step[Any, Any], ...] = ()
    clock: Callable[[], float] = time.monotonic
    """Seconds, for the computer to think by."""

    @classmethod
    def begin(cls, name: str) -> Tryout:
        """A new game of a kind, as it is usually played."""
        rules = kind(name)
        options = rules.options({})
        position = rules.start(options, rules.setup(options, _chance("setup")))
        game = cls(rules, options, position)
        return game._gone_on(game.clock() + _SECONDS)

    @classmethod
    def read(cls, written: str) -> Tryout:
        """The game that `write` has written. Raises BadData."""
        rules, options, position = load_position(written)
        if rules.result(position) is None and (rules.dice(position) or PLAYER not in rules.to_move(position)):
            raise BadData("It is not the player's turn there.")
        return cls(rules, options, position)

    def write(self) -> str:
        """All that the game is, but for its last turns; whether a position comes again is not remembered."""
        position = self.rules.write(self.position)
        data = {"format": POSITION_FORMAT, "game": self.rules.name, "options": self.options}
        return json.dumps({**data, "position": position}, separators=(",", ":"))

    def play(self, text: str) -> Tryout:
        """The game after a move of the player and the computer's answers. Raises WrongMove."""
        seats = self.rules.to_move(self.position)
        if PLAYER not in seats:
            raise IllegalMove("It is not your turn, or the game is over.")
        move = self.rules.parse(self.position, PLAYER, text)
        end = self.clock() + _SECONDS
        others = {seat: self._chosen(self.position, seat, end) for seat in seats if seat != PLAYER}
        step = driver.play(self.rules, self.position, {PLAYER: move, **others})
        return replace(self, position=step.after, steps=(step,))._gone_on(end)

    @property
    def board(self) -> Board:
        """The board as the player sees it."""
        return Board(
            self.rules, self.position, PLAYER, step=self.steps[-1] if self.steps else None, is_now=True
        )

    @property
    def told(self) -> list[tuple[str, ...]]:
        """What was played last, in sentences, a group for each turn."""
        return [
            (*turn_lines(turn_of(self.rules, step), self._names(step.before)), *self.rules.story(step))
            for step in self.steps
        ]

    @property
    def result(self) -> str:
        """How the game ended, in a sentence; "" while it goes on."""
        found = self.rules.result(self.position)
        written = None if found is None else found.to_json()
        return result_text(self.rules, written, self._names(self.position))

    @property
    def title(self) -> str:
        """What the player is called: "Black"."""
        return self._titles(self.position)[PLAYER]

    def _gone_on(self, end: float) -> Tryout:
        """The game once the player has a choice, or it is over."""
        position, steps = self.position, list(self.steps)
        while self.rules.result(position) is None:
            position, dice = driver.begin(self.rules, position, _chance("dice").dice)
            step = driver.forced_step(self.rules, position, dice)
            if step is None:
                seats = self.rules.to_move(position)
                if PLAYER in seats:
                    break
                moves = {seat: self._chosen(position, seat, end) for seat in seats}
                step = driver.play(self.rules, position, moves, dice)
            steps.append(step)
            position = step.after
        return replace(self, position=position, steps=tuple(steps))

    def _chosen(self, position: Any, seat: int, end: float) -> Any:
        seconds = max(0.0, end - self.clock())
        return flat.choose(
            self.rules, position, seat, SystemRandom().randrange, seconds=seconds, clock=self.clock
        )

    def _titles(self, position: Any) -> Sequence[str]:
        return self.rules.titles(position) or self.rules.seats(self.options)

    def _names(self, position: Any) -> list[str]:
        who = ("You" if seat == PLAYER else "Computer" for seat in range(len(self._titles(position))))
        return [f"{name} ({title})" for name, title in zip(who, self._titles(position), strict=True)]


def _chance(label: str) -> Chance:
    return Chance(secrets.token_bytes(32), label)
