"""Try-outs: games of a visitor against the computer, without an account. They are not stored on the server."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rules import driver
from rules.bots import players
from rules.chance import Chance
from rules.errors import BadData, IllegalMove
from rules.game import Json, Step
from rules.reasons import Reason
from rules.records.record import POSITION_FORMAT, load_position, read_options, turn_of
from rules.registry import rules_named
from rules.result import Result
from rules.sentences import SeatNames
from rules.strengths import STRENGTHS
from server.game.log.log import AnyRules
from server.game.terms.wording import result_text, turn_lines
from server.game.views.boards import Board

PLAYER = 0
"""The seat of the visitor on a page; the computer has all others."""


@dataclass(frozen=True)
class Partner:
    """The computer player of a try-out: its name, its level, and its thinking time.

    `seconds` are for all its moves until the visitor has to move again; None for no limit.
    """

    name: str = "Computer"
    level: int = 2
    seconds: float | None = 0.03


@dataclass(frozen=True)
class Tryout:
    """A try-out at a moment when the visitor has to move, or after its end; it is immutable.

    `steps` are the latest turns: the visitor's, and the computer's answers.
    """

    rules: AnyRules
    options: Json
    position: Any
    steps: tuple[Step[Any, Any], ...] = ()
    clock: Callable[[], float] = time.monotonic
    """Returns seconds, to limit the computer's thinking time."""
    seat: int = PLAYER
    partner: Partner = Partner()
    setup: Json = field(default_factory=dict)
    turn: int = 0
    """The number of turns played, as far as it is known."""
    dice: tuple[int, ...] = ()
    """The dice of the current turn, if they are rolled and known."""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    """The seed of dice and of the computer's choices: the same moves give the same game."""

    @classmethod
    def begin(
        cls,
        name: str,
        given: Mapping[str, object] | None = None,
        *,
        seat: int = PLAYER,
        partner: Partner = Partner(),
        secret: bytes | None = None,
    ) -> Tryout:
        """Start a try-out of the game type `name`, with the options `given` or the defaults. Raises BadData."""
        rules = rules_named(name)
        options = read_options(rules, given or {})
        secret = secret or secrets.token_bytes(32)
        setup = rules.setup(options, Chance(secret, "setup"))
        start = rules.start(options, setup)
        game = cls(rules, options, start, seat=seat, partner=partner, setup=setup, secret=secret)
        return game._gone_on(game._end())

    @classmethod
    def read(cls, written: str) -> Tryout:
        """Return the try-out in a text that `write` has returned. Raises BadData for any other text."""
        rules, options, position = load_position(written)
        if rules.result(position) is None and (rules.dice(position) or PLAYER not in rules.to_move(position)):
            raise BadData("It is not the player's turn there.")
        return cls(rules, options, position)

    def write(self) -> str:
        """Return the game as text, without its last turns and its history of positions."""
        position = self.rules.write(self.position)
        data = {"format": POSITION_FORMAT, "game": self.rules.name, "options": self.options}
        return json.dumps({**data, "position": position}, separators=(",", ":"))

    def play(self, text: str) -> Tryout:
        """Return the game after a move of the player and the computer's answers. Raises WrongMove."""
        seats = self.rules.to_move(self.position)
        if self.seat not in seats or self.is_over:
            raise IllegalMove("It is not your turn, or the game is over.")
        move = self.rules.parse(self.position, self.seat, text)
        end = self._end()
        others = {seat: self._chosen(seat, end) for seat in seats if seat != self.seat}
        step = driver.play(self.rules, self.position, {self.seat: move, **others}, self.dice)
        return replace(self, steps=())._with(step)._gone_on(end)

    def resign(self) -> Tryout:
        """Return the game after the player has resigned. The others do not play on."""
        step = driver.leave(self.rules, self.position, self.seat, Reason.RESIGNED)
        return replace(self, steps=())._with(step)

    @property
    def board(self) -> Board:
        """Return the board as the player sees it."""
        return Board(
            self.rules,
            self.position,
            self.seat,
            step=self.steps[-1] if self.steps else None,
            is_now=not self.is_over,
        )

    @property
    def last_story(self) -> list[tuple[str, ...]]:
        """Return sentences about the last turns, a group for each turn."""
        names = SeatNames(self.names, self.seat)
        return [
            (*turn_lines(turn_of(self.rules, step), self._labels(step.before)), *self.rules.story(step, names))
            for step in self.steps
        ]

    @property
    def ended(self) -> Result | None:
        """Return the result; None while the game goes on. It ends here when the visitor is out of it."""
        found = self.rules.result(self.position)
        if found is None and self.steps:
            return driver.forfeit(self.rules, self.steps[-1], len(self.names))
        return found

    @property
    def is_over(self) -> bool:
        """Return whether the game is over for the player."""
        left = self.steps[-1].left if self.steps else None
        return self.ended is not None or (left is not None and left[0] == self.seat)

    @property
    def result(self) -> str:
        """Return the result in a sentence; "" while the game goes on."""
        written = None if self.ended is None else self.ended.to_json()
        return result_text(self.rules, written, self._labels(self.position))

    @property
    def title(self) -> str:
        """Return the title of the player's seat: "Black"."""
        return self._titles(self.position)[self.seat]

    @property
    def names(self) -> list[str]:
        """Return the names of the players, by seat."""
        seats = range(len(self.rules.seats(self.options)))
        return ["You" if seat == self.seat else self.partner.name for seat in seats]

    def _end(self) -> float | None:
        return None if self.partner.seconds is None else self.clock() + self.partner.seconds

    def _with(self, step: Step[Any, Any]) -> Tryout:
        """Return the game after one more turn."""
        steps = (*self.steps, step)
        return replace(self, position=step.after, steps=steps, turn=self.turn + 1, dice=())

    def _gone_on(self, end: float | None) -> Tryout:
        """Return the game at the point where the player has a choice, or it is over."""
        game = self
        while self.rules.result(game.position) is None:
            position, dice = driver.begin(self.rules, game.position, game._drawn("dice").dice)
            game = replace(game, position=position, dice=dice)
            step = driver.forced_step(self.rules, position, dice)
            if step is None:
                seats = self.rules.to_move(position)
                if self.seat in seats:
                    break
                moves = {seat: game._chosen(seat, end) for seat in seats}
                step = driver.play(self.rules, position, moves, dice)
            game = game._with(step)
        return game

    def _chosen(self, seat: int, end: float | None) -> Any:
        below = self._drawn(f"seat {seat}").below
        left = None if end is None else end - self.clock()
        if left is not None and left <= 0:
            return self.rules.sample(self.position, seat, below)
        strength = STRENGTHS[self.partner.level - 1]
        thought = players.think(
            self.rules,
            self.position,
            seat,
            len(self.names),
            strength,
            below,
            seconds=left,
            clock=self.clock,
        )
        return thought.move

    def _drawn(self, what_for: str) -> Chance:
        return Chance(self.secret, f"{what_for}, turn {self.turn}")

    def _titles(self, position: Any) -> Sequence[str]:
        return self.rules.titles(position) or self.rules.seats(self.options)

    def _labels(self, position: Any) -> list[str]:
        titles = self._titles(position)
        return [f"{name} ({title})" for name, title in zip(self.names, titles, strict=True)]
