"""The log of a game as its record contains it under "proof": its hashes and its order, without the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rules.errors import BadData
from rules.game import Json
from rules.records.entries import Begin, End, Names, Played, Ruling, TakenBack, read_begin, read_body
from rules.records.proof import chained, is_hash
from rules.records.turns import Moved, Ordered, is_list
from rules.result import Result


class Failed(Exception):
    """Raised for a record that does not pass a check; the message is a sentence about the error."""


@dataclass(frozen=True)
class Log:
    """A complete log; `end` and `result` are None while the game goes on, `hashes` are those of all entries.

    `seats` are the names of the players by seat, as far as they are known: in an anonymous game, after its end.
    `turns` are those that were not taken back. `result` is that of the end, or of the last ruling after it.
    """

    begin: Begin
    seats: tuple[str, ...]
    turns: tuple[Played, ...]
    end: End | None
    result: Result | None
    hashes: tuple[str, ...]


def write_log(entries: Iterable[tuple[Json, str]]) -> Json:
    """Return the proof of a record, from the bodies and hashes of all entries, in order."""
    return {"log": [{"body": body, "hash": hashed} for body, hashed in entries]}


def read_log(proof: Json) -> Log:
    """Return the log, if each entry matches its hash and is in its place. Raises Failed.

    Entries of other types may come between begin, turn, undo and end; they do not concern the play. After the
    end there can be only rulings, and rulings can be only there.
    """
    bodies, hashes = _read_chain(proof)
    with _entry(1):
        begin = read_begin(bodies[0])
    seats = begin.seats
    turns: list[Played] = []
    turn = 1
    end: End | None = None
    result: Result | None = None
    for number, body in enumerate(bodies[1:], 2):
        if (end is None) == (body.get("type") == "ruling"):
            where = "before" if end is None else "after"
            raise Failed(f"Entry {number}: It comes {where} the end of the game.")
        with _entry(number):
            match read_body(body, len(begin.seats), turn):
                case Played() as played:
                    turns.append(played)
                    turn += 1
                case TakenBack() as taken_back:
                    _take_back(taken_back, turns)
                    turn += 1
                case Names() as names:
                    seats = names.seats
                case End() as end:
                    result = end.result
                case Ruling() as ruling:
                    result = ruling.result
    return Log(begin, seats, tuple(turns), end, result, hashes)


def _read_chain(proof: Json) -> tuple[list[Json], tuple[str, ...]]:
    """Return the bodies of the entries, and their hashes, all of them checked."""
    entries = proof.get("log")
    if not is_list(entries, dict) or not entries:
        raise Failed("The proof has no log.")
    bodies: list[Json] = []
    hashes = [""]
    for number, entry in enumerate(entries, 1):
        body, found = entry.get("body"), entry.get("hash")
        if not isinstance(body, dict) or not is_hash(found) or not _is_text(body):
            raise Failed(f'Entry {number}: It is not written as {{"body": {{…}}, "hash": "…"}}.')
        if chained(hashes[-1], body) != found:
            raise Failed(f"Entry {number}: It does not match its hash; it was changed, or is out of place.")
        bodies.append(body)
        hashes.append(found)
    return bodies, tuple(hashes[1:])


def _is_text(body: Json) -> bool:
    """Return whether all characters can be written in UTF-8: JSON can express some that cannot."""
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def _entry(number: int) -> Iterator[None]:
    """Add the number of the entry to any error."""
    try:
        yield
    except BadData as error:
        raise Failed(f"Entry {number}: {error}") from None


def _take_back(taken_back: TakenBack, turns: list[Played]) -> None:
    """Remove the turns that a takeback undoes: the named move of its seat and all after it."""
    taken: list[Played] = []
    while turns and turns[-1].number >= taken_back.of:
        taken.append(turns.pop())
    if not taken or not _is_meant(taken_back, taken[-1]):
        raise BadData("It takes back a move that its seat has not made, or that is already taken back.")
    if not all(isinstance(played.turn, Moved) and not played.turn.dice for played in taken):
        raise BadData("It takes back a turn with dice or secret orders, or one in which a player left.")


def _is_meant(taken_back: TakenBack, played: Played) -> bool:
    """Return whether a turn has the number and the seat of the takeback."""
    turn = played.turn
    return played.number == taken_back.of and not isinstance(turn, Ordered) and turn.seat == taken_back.seat
