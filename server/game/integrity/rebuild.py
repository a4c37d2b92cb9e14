"""Rebuilds the stored data of a game from its log and seed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from rules import driver
from rules.driver import RollFor
from rules.errors import RuleError
from rules.game import Json
from rules.records.entries import Begin, End, Import, Names, Played, Ruling, TakenBack, read_body, read_first
from rules.records.log import write_log
from rules.records.record import carry_out
from rules.records.turns import Left, Moved, Turn
from rules.records.verification import verify
from server.errors import Damaged
from server.game.log import checksums, log, stored_entries
from server.store.models import Entry, Game


class _Stood(NamedTuple):
    """A valid turn, and the position before it, without dice."""

    row: Entry
    turn: Turn
    before: Any


@dataclass
class Course:
    """A game that is replayed from its log: `game` and `entries` are the rows that should be stored for it."""

    game: Game
    names: Sequence[str]
    roll: RollFor | None
    entries: list[Entry] = field(default_factory=list)
    position: Any = None
    """The current position, without its dice."""
    rolled: Any = None
    """The current position, with its dice."""
    _stood: list[_Stood] = field(default_factory=list)

    def add(self, entry: Entry) -> Entry:
        """Add an entry of the log without derived data, and return it."""
        row = Entry(game_id=entry.game_id, number=entry.number, body=entry.body, hash=entry.hash, at=entry.at)
        self.entries.append(row)
        return row

    def play(self, entry: Entry) -> None:
        """Replay an entry of the log after the first. Raises Damaged or RuleError if it is not possible."""
        row = self.add(entry)
        body = read_body(row.body, len(self.names))
        if isinstance(body, Played | TakenBack) and body.number != self.game.turn:
            raise Damaged(self.game.id, f"entry {row.number} has another number than {self.game.turn}")
        match body:
            case Played():
                self._turn(row, body.turn)
            case TakenBack():
                self._undo(row, body.of)
            case Names():
                self.names = body.seats
            case End():
                self.game.state, self.game.result = "over", body.result.to_json()
            case Ruling():
                self.game.result = body.result.to_json()

    def _turn(self, row: Entry, turn: Turn) -> None:
        rules = log.rules_of(self.game)
        left = isinstance(turn, Left)
        if self.roll and isinstance(turn, Moved) and list(turn.dice) != (self.game.rolled or []):
            raise Damaged(self.game.id, f"turn {self.game.turn} has other dice than its seed gives")
        # A player may leave after the dice are rolled; the others keep these dice.
        before = self.rolled if left else self.position
        step = carry_out(rules, before, turn)
        self._stood.append(_Stood(row, turn, self.position))
        row.turn, row.position = self.game.turn, rules.write(step.after)
        row.checksum = checksums.entry_checksum(row.game_id, row.turn, row.position)
        if driver.keeps_dice(rules, step):
            self.position, self.rolled = carry_out(rules, self.position, turn).after, step.after
            self.game.turn += 1
        else:
            self.go_on(step.after)

    def _undo(self, row: Entry, first: int) -> None:
        row.turn = row.undone_by = self.game.turn
        position = self.position
        while self._stood and (self._stood[-1].row.turn or 0) >= first:
            taken, _, position = self._stood.pop()
            taken.undone_by = row.turn
        self.go_on(position)

    def go_on(self, position: Any) -> None:
        """Start the next turn from `position`: roll its dice, if the game has dice."""
        rules, game = log.rules_of(self.game), self.game
        game.turn += 1
        game.rolled = None
        self.position = self.rolled = position
        if self.roll:
            self.rolled, dice = driver.begin(rules, position, partial(self.roll, game.turn))
            game.rolled = list(dice) or None

    def check(self) -> None:
        """Verify the log as an independent verifier does. Raises Damaged."""
        proof = write_log((entry.body, entry.hash) for entry in self.entries) if self.roll else None
        record = stored_entries.record(self.game, self.names, [stood.turn for stood in self._stood], proof)
        wrong = verify(record.to_json()).wrong
        if wrong is not None:
            raise Damaged(self.game.id, wrong)


def course(stored: Game, entries: Sequence[Entry], roll: RollFor) -> Course:
    """Replay a log whose hashes are right, and return the game as it should be stored. Raises Damaged."""
    try:
        first = read_first(entries[0].body)
        fresh = {"turn": 0, "state": "running", "result": None, "rolled": None, **_columns(first)}
        game = Game(**{**{column: getattr(stored, column) for column in Game.model_fields}, **fresh})
        played = Course(game, first.seats, roll if isinstance(first, Begin) else None)
        rules = log.rules_of(game)
        played.go_on(rules.start(game.options, game.setup))
        played.add(entries[0])
        for entry in entries[1:]:
            played.play(entry)
        checksums.keep_position(game, played.rolled)
        played.check()
    except (RuleError, LookupError, TypeError, AttributeError, ValueError) as error:
        raise Damaged(stored.id, f"it cannot be replayed: {type(error).__name__}: {error}") from None
    return played


def _columns(first: Begin | Import) -> Json:
    """Return the columns of a game that follow from its first entry."""
    if isinstance(first, Import):
        return {"game_type": first.game_type}
    return {
        "game_type": first.game_type,
        "rules_version": first.version,
        "options": first.options,
        "setup": first.setup,
        "terms": first.terms,
        "seed_hash": first.seed_hash,
    }
