"""What has to be stored about a game besides its log: made once more, from the log and the seed alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rules import driver
from rules.game import Json, RuleError
from rules.records.record import Record, carry_out
from rules.records.turns import Left, Moved, read_result, read_turn
from rules.records.verification import verify
from server.errors import Damaged
from server.game import positions
from server.store.models import Entry, Game

Draw = Callable[[int, int], Sequence[int]]
"""The dice of a turn, by its number and their count."""

_BEGUN = {
    "kind": "kind",
    "rules_version": "rules",
    "options": "options",
    "setup": "setup",
    "terms": "house",
    "seed_hash": "seed_hash",
}
"""The columns of a game that its first entry tells, and how it names them."""


@dataclass
class Course:
    """A game as it ought to be stored; `entries` and `game` are rows of no database."""

    game: Game
    first: Json
    names: Sequence[str]
    draw: Draw | None
    entries: list[Entry] = field(default_factory=list)
    position: Any = None
    """The one to be played, without the dice that are rolled for it."""
    rolled: Any = None
    """The same with these dice."""
    _stood: list[tuple[Entry, Any]] = field(default_factory=list)

    def play(self, entry: Entry) -> None:
        """Go on by an entry of the log. Raises Damaged or RuleError."""
        row = Entry(game_id=entry.game_id, number=entry.number, body=entry.body, hash=entry.hash, at=entry.at)
        self.entries.append(row)
        body = row.body
        if body["type"] in ("turn", "undo") and body["turn"] != self.game.turn:
            raise Damaged(self.game.id, f"entry {row.number} has another number than {self.game.turn}")
        if body["type"] == "turn":
            self._turn(row)
        elif body["type"] == "undo":
            self._undo(row)
        elif body["type"] == "end":
            self.game.state, self.game.result = "over", body["result"]

    def _turn(self, row: Entry) -> None:
        rules, turn = positions.rules_of(self.game), read_turn(row.line, len(self.names))
        left = isinstance(turn, Left)
        if self.draw and isinstance(turn, Moved) and list(turn.dice) != (self.game.rolled or []):
            raise Damaged(self.game.id, f"turn {self.game.turn} has other dice than its seed gives")
        # Who leaves may do so when the dice are rolled, and they stay so for whoever is still to move.
        before = self.rolled if left else self.position
        step = carry_out(rules, before, turn)
        self._stood.append((row, self.position))
        row.turn, row.position = self.game.turn, rules.write(step.after)
        row.checksum = positions.entry_checksum(row)
        self.go_on(step.after, keep_dice=driver.keeps_dice(rules, step))

    def _undo(self, row: Entry) -> None:
        row.turn = row.undone_by = self.game.turn
        position = self.position
        while self._stood and (self._stood[-1][0].turn or 0) >= row.body["of"]:
            taken, position = self._stood.pop()
            taken.undone_by = row.turn
        self.go_on(position)

    def go_on(self, position: Any, *, keep_dice: bool = False) -> None:
        """The next turn begins, with its dice."""
        rules, game = positions.rules_of(self.game), self.game
        game.turn += 1
        game.rolled = game.rolled if keep_dice else None
        self.position = self.rolled = position
        if self.draw:
            self.rolled, dice = driver.begin(rules, position, partial(self.draw, game.turn))
            game.rolled = list(dice) or game.rolled

    def check(self) -> None:
        """Have the log verified as everybody can do it. Raises Damaged."""
        log = [{"body": entry.body, "hash": entry.hash} for entry in self.entries]
        record = Record(
            game=self.game.kind,
            options=self.game.options,
            setup=self.game.setup,
            seats=tuple(self.names),
            turns=tuple(read_turn(row.line, len(self.names)) for row, _ in self._stood),
            result=read_result(self.game.result, len(self.names)),
            proof={"log": log} if self.draw else None,
        )
        wrong = verify(record.to_json()).wrong
        if wrong is not None:
            raise Damaged(self.game.id, wrong)


def course(stored: Game, entries: Sequence[Entry], draw: Draw) -> Course:
    """Play a log through whose hashes are right. Raises Damaged where it cannot be so."""
    try:
        first = entries[0].body
        told = {column: first[name] for column, name in _BEGUN.items() if name in first}
        fresh = {"turn": 0, "state": "running", "result": None, "rolled": None, **told}
        game = Game(**{**{column: getattr(stored, column) for column in Game.model_fields}, **fresh})
        played = Course(game, first, first["seats"], draw if first["type"] == "begin" else None)
        rules = positions.rules_of(game)
        played.go_on(rules.start(game.options, game.setup))
        for entry in entries:
            played.play(entry)
        positions.keep(game, played.rolled)
        played.check()
    except (RuleError, LookupError, TypeError, AttributeError, ValueError) as error:
        raise Damaged(stored.id, f"it cannot be played through: {type(error).__name__}: {error}") from None
    return played
