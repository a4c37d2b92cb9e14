"""Records: complete games as text. Reading, writing and replaying them; and single positions.

A record is JSON, `nabu-record/1`: the game type and its options, the setup, names for the seats, the turns, the
result, and under `proof` the data that verify dice and order. This module opens no files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules import driver
from rules.errors import BadData, IllegalMove, RuleError
from rules.game import Json, Rules, Step
from rules.limits import LONGEST_NAME, LONGEST_OPTION, MOST_OPTIONS, MOST_TURNS
from rules.reasons import REASONS, Reason
from rules.records.documents import part_of, read_object
from rules.records.turns import Left, Moved, Ordered, Turn, is_list, read_result, read_turn
from rules.registry import rules_named as rules_named
from rules.result import Result
from rules.sentences import quoted

RECORD_FORMAT = "nabu-record/1"
POSITION_FORMAT = "nabu-position/1"


@dataclass(frozen=True)
class Record:
    """A recorded game that has the right form, but is not yet known to be legal.

    `options` are canonical, and the game can be started with them and `setup`; every seat named in a turn or in
    the result exists.
    """

    game: str
    options: Json
    setup: Json
    seats: tuple[str, ...]
    turns: tuple[Turn, ...]
    result: Result | None = None
    proof: Json | None = None

    @classmethod
    def from_json(cls, source: str | Json) -> Record:
        """Return the record in a JSON text, or in the object that was read from one.

        `options`, `setup`, `seats`, `result` and `proof` may be missing. Raises BadData with a sentence that
        explains the error; about a turn it begins with "turn 7: ".
        """
        data = read_object(source, RECORD_FORMAT)
        rules = _rules(data)
        options = read_options(rules, part_of(data, "options", {}))
        setup = part_of(data, "setup", {})
        rules.start(options, setup)
        names = rules.seats(options)
        seats = data.get("seats", list(names))
        if not is_list(seats, str) or len(seats) != len(names):
            raise BadData(f'"seats" must list {len(names)} names, one for each of {", ".join(names)}.')
        if longest := next((name for name in seats if len(name) > LONGEST_NAME), None):
            raise BadData(
                f"A name can have at most {LONGEST_NAME} characters; one of these has {len(longest)}."
            )
        turns = data.get("turns")
        if not isinstance(turns, list):
            raise BadData('"turns" must be a list of turns, empty before the first.')
        if len(turns) > MOST_TURNS:
            raise BadData(f"A record can have at most {MOST_TURNS} turns; this one has {len(turns)}.")
        return cls(
            game=rules.name,
            options=options,
            setup=setup,
            seats=tuple(seats),
            turns=tuple(_turn(number, turn, len(names)) for number, turn in enumerate(turns, 1)),
            result=read_result(data.get("result"), len(names)),
            proof=part_of(data, "proof", None),
        )

    def to_json(self) -> str:
        """Return the record as JSON with one turn a line, always the same text for the same record."""
        head = {
            "format": RECORD_FORMAT,
            "game": self.game,
            "options": self.options,
            "setup": self.setup,
            "seats": list(self.seats),
        }
        parts = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        turns = ",\n".join(f"  {json.dumps(turn.to_json())}" for turn in self.turns)
        parts.append(f' "turns": [\n{turns}\n ]' if turns else ' "turns": []')
        parts.append(f' "result": {json.dumps(self.result.to_json() if self.result else None)}')
        if self.proof is not None:
            parts.append(f' "proof": {json.dumps(self.proof)}')
        return "{\n" + ",\n".join(parts) + "\n}\n"


@dataclass(frozen=True)
class Replay:
    """A record replayed as far as it is legal.

    `steps` and `position` are the legal part. `error` is the first error, "turn 7: …" with turns counted from 1
    or "result: …", or None. `result` is the one that the rules give or, if there is no error, the record's.
    """

    rules: Rules[Any, Any]
    options: Json
    start: Any
    steps: tuple[Step[Any, Any], ...]
    position: Any
    result: Result | None
    error: str | None


def replay(record: Record) -> Replay:
    """Replay a record: check every seat, roll, move and forced pass, and the result at the end.

    Raises BadData only for a record that `Record.from_json` would not read: options or a setup that do not fit.
    """
    rules = rules_named(record.game)
    start = position = rules.start(record.options, record.setup)
    steps: list[Step[Any, Any]] = []
    result, error = rules.result(position), None
    for number, turn in enumerate(record.turns, 1):
        try:
            if result:
                raise IllegalMove("The game is over; there can be no more turns.")
            step = carry_out(rules, position, turn)
        except RuleError as wrong:
            error = f"turn {number}: {wrong}"
            break
        steps.append(step)
        position = step.after
        result = rules.result(position) or driver.forfeit(rules, step, len(record.seats))
    if error is None and record.result is not None:
        if record.result.reason == Reason.RULED or (result is None and record.result.reason in REASONS):
            result = record.result
        elif result is None or not _agree(record.result, result):
            error = f"result: {_difference(record.result, result)}"
    return Replay(rules, record.options, start, tuple(steps), position, result, error)


def turn_of(rules: Rules[Any, Any], step: Step[Any, Any]) -> Turn:
    """Return a turn as records contain it, with its moves in canonical text."""
    if step.left is not None:
        return Left(*step.left)
    texts = tuple((seat, rules.format(move)) for seat, move in sorted(step.moves.items()))
    if rules.simultaneous:
        return Ordered(texts)
    ((seat, text),) = texts
    return Moved(seat, text, step.dice)


def load_position(source: str | Json) -> tuple[Rules[Any, Any], Json, Any]:
    """Return the rules, options and position in a `nabu-position/1` text, or in its object. Raises BadData."""
    data = read_object(source, POSITION_FORMAT)
    rules = _rules(data)
    options = read_options(rules, part_of(data, "options", {}))
    return rules, options, rules.read(options, part_of(data, "position", None, needed=True))


def read_options(rules: Rules[Any, Any], given: Mapping[str, object]) -> Json:
    """Return all options of a game, with defaults. Raises BadData for invalid ones, and for too many."""
    if len(given) > MOST_OPTIONS:
        raise BadData(f"A game can have at most {MOST_OPTIONS} options; this one has {len(given)}.")
    for name, value in given.items():
        length = max(len(name), len(value if isinstance(value, str) else json.dumps(value)))
        if length > LONGEST_OPTION:
            raise BadData(
                f"An option can have at most {LONGEST_OPTION} characters; {quoted(name)} has {length}."
            )
    return rules.options(given)


# Playing


def carry_out(rules: Rules[Any, Any], position: Any, turn: Turn) -> Step[Any, Any]:
    """Return the turn of a record, played in this position. Raises RuleError if it is illegal."""
    if isinstance(turn, Left):
        return driver.leave(rules, position, turn.seat, turn.reason)
    if isinstance(turn, Ordered):
        return driver.play(rules, position, _moves(rules, position, turn))
    position = _rolled(rules, position, turn)
    return driver.play(rules, position, _moves(rules, position, turn), turn.dice)


def _rolled(rules: Rules[Any, Any], position: Any, turn: Moved) -> Any:
    needed = rules.dice(position)
    if needed and not turn.dice:
        raise BadData(f'The numbers rolled are missing: this turn needs "dice" with {needed} numbers.')
    return rules.roll(position, turn.dice) if turn.dice else position


def _moves(rules: Rules[Any, Any], position: Any, turn: Moved | Ordered) -> dict[int, Any]:
    seats = rules.to_move(position)
    if isinstance(turn, Ordered) != rules.simultaneous:
        form = '{"orders": {"0": …, "1": …}}' if rules.simultaneous else '{"seat": 0, "move": …}'
        raise BadData(f"A turn of {rules.title} must have the form {form}.")
    if isinstance(turn, Moved):
        if turn.seat not in seats:
            raise IllegalMove(f"It is the turn of seat {seats[0]}, not of seat {turn.seat}.")
        return {turn.seat: driver.read_move(rules, position, turn.seat, turn.move)}
    for seat, _ in turn.orders:
        if seat not in seats:
            raise IllegalMove(f"Seat {seat} has no orders to give.")
    missing = sorted(set(seats) - dict(turn.orders).keys())
    if missing and not rules.may_abstain(position):
        raise IllegalMove(f"The orders of seat {missing[0]} are missing, but this turn needs them.")
    return {seat: rules.parse(position, seat, text) for seat, text in turn.orders}


def _agree(written: Result, found: Result) -> bool:
    """Return whether a recorded result is the one found; scores and places may be missing."""
    return (
        sorted(written.winners) == sorted(found.winners)
        and written.reason == found.reason
        and written.scores in (None, found.scores)
        and written.places in (None, found.places)
    )


def _difference(written: Result, found: Result | None) -> str:
    if found is None:
        return f"The record says {json.dumps(written.to_json())}, but the game is not over."
    return f"The record says {json.dumps(written.to_json())}, but the game gives {json.dumps(found.to_json())}."


# Reading


def _rules(data: Json) -> Rules[Any, Any]:
    game = data.get("game")
    if not isinstance(game, str):
        raise BadData('"game" must be the name of a game, such as "nibble".')
    return rules_named(game)


def _turn(number: int, data: object, seats: int) -> Turn:
    """Return turn `number` of a record."""
    try:
        return read_turn(data, seats)
    except BadData as error:
        raise BadData(f"turn {number}: {error}") from None
