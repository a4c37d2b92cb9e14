"""A game's log, as a record holds it under "proof": its hashes, its order and its form, and no game's rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from rules.game import BadData, Json, Result
from rules.limits import LONGEST_NAME, MOST_SEATS
from rules.records.proof import Seed, chained
from rules.records.turns import Moved, Turn, is_list, read_result, read_turn

_HASH = re.compile(r"[0-9a-f]{64}")
_NONCE = re.compile(r"[0-9a-f]{32}")


class Failed(Exception):
    """A check that a record does not pass; the message is a sentence that says what is wrong."""


@dataclass(frozen=True)
class Opened:
    """What an envelope held beside the orders, and what was public of it before it was opened."""

    nonce: str
    commitment: str


@dataclass(frozen=True)
class LoggedTurn:
    """A turn with the number that it has in the log, and its envelopes by seat."""

    number: int
    turn: Turn
    opened: Mapping[int, Opened]


@dataclass(frozen=True)
class Begin:
    """How the game began; `asked` are the players as they were named, before the lot gave them seats."""

    game: int
    kind: str
    version: int
    options: Json
    setup: Json
    seats: tuple[str, ...]
    asked: tuple[str, ...]
    client_seeds: tuple[str, ...]
    seed_hash: str


@dataclass(frozen=True)
class End:
    """How the game ended, and the seed that was published then."""

    result: Result
    seed: Seed


@dataclass(frozen=True)
class Log:
    """A whole log; `end` is None while the game goes on, `hashes` are those of all entries, in order.

    `turns` are those that stand: not those that were taken back.
    """

    begin: Begin
    turns: tuple[LoggedTurn, ...]
    end: End | None
    hashes: tuple[str, ...]


def read_log(proof: Json) -> Log:
    """The log, if each entry fits its hash and stands where it belongs. Raises Failed.

    Entries of other types than begin, turn, undo and end may stand between these; they say nothing of the play.
    """
    bodies, hashes = _read_chain(proof)
    with _entry(1):
        begin = _begin(bodies[0])
    seats = len(begin.seats)
    turns: list[LoggedTurn] = []
    turn = 1
    end: End | None = None
    for number, body in enumerate(bodies[1:], 2):
        if end is not None:
            raise Failed(f"Entry {number}: It stands behind the end of the game.")
        with _entry(number):
            match body.get("type"):
                case "begin":
                    raise BadData("The game begins once more.")
                case "turn":
                    turns.append(_turn(body, turn, seats))
                    turn += 1
                case "undo":
                    _undo(body, turn, turns)
                    turn += 1
                case "end":
                    end = _end(body, seats)
    return Log(begin, tuple(turns), end, hashes)


def _read_chain(proof: Json) -> tuple[list[Json], tuple[str, ...]]:
    """The bodies of the entries, and their hashes, each of which is right."""
    entries = proof.get("log")
    if not is_list(entries, dict) or not entries:
        raise Failed("The proof has no log.")
    bodies: list[Json] = []
    hashes = [""]
    for number, entry in enumerate(entries, 1):
        body, found = entry.get("body"), entry.get("hash")
        if not isinstance(body, dict) or not _fits(_HASH, found) or not _is_text(body):
            raise Failed(f'Entry {number}: It is not written as {{"body": {{…}}, "hash": "…"}}.')
        if chained(hashes[-1], body) != found:
            raise Failed(f"Entry {number}: It does not fit its hash; it was changed, or is not in its place.")
        bodies.append(body)
        hashes.append(found)
    return bodies, tuple(hashes[1:])


def _is_text(body: Json) -> bool:
    """Whether all characters can be written in UTF-8: JSON can name some that cannot."""
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


# The entries


@contextmanager
def _entry(number: int) -> Iterator[None]:
    """Says which entry is meant when one is not as it has to be."""
    try:
        yield
    except BadData as error:
        raise Failed(f"Entry {number}: {error}") from None


def _begin(body: Json) -> Begin:
    match body:
        case {
            "type": "begin",
            "game": int(game),
            "kind": str(kind),
            "rules": int(version),
            "options": dict(options),
            "setup": dict(setup),
            "seats": list(seats),
            "asked": list(asked),
            "luck": list(client_seeds),
            "seed_hash": seed_hash,
        } if is_list([game, version], int) and is_list([*seats, *asked, *client_seeds], str):
            pass
        case _:
            raise BadData("This is no entry that begins a game.")
    if len(seats) > MOST_SEATS or any(len(text) > LONGEST_NAME for text in (*seats, *asked, *client_seeds)):
        raise BadData(
            f"A game has {MOST_SEATS} players at most, whose names and words have {LONGEST_NAME} characters."
        )
    if (
        not len(seats) == len(asked) == len(client_seeds)
        or "\n" in "".join(client_seeds)
        or not _fits(_HASH, seed_hash)
    ):
        raise BadData("Each seat has one player and one line of words, and the hash of the seed has 64 digits.")
    return Begin(
        game, kind, version, options, setup, tuple(seats), tuple(asked), tuple(client_seeds), seed_hash
    )


def _turn(body: Json, number: int, seats: int) -> LoggedTurn:
    _check_number(body, number)
    opened = body.get("opened", {})
    if not isinstance(opened, dict) or not opened.keys() <= {str(seat) for seat in range(seats)}:
        raise BadData("Its envelopes are not those of seats.")
    envelopes = {int(seat): _opened(content) for seat, content in sorted(opened.items())}
    return LoggedTurn(number, read_turn(body.get("line"), seats), envelopes)


def _undo(body: Json, number: int, turns: list[LoggedTurn]) -> None:
    """Leave the turns that stand after an undo: those before the move of its seat that it names."""
    _check_number(body, number)
    first, seat = body.get("of"), body.get("seat")
    if not is_list([first, seat], int):
        raise BadData("It does not say which turn of which seat it takes back.")
    taken: list[LoggedTurn] = []
    while turns and turns[-1].number >= body["of"]:
        taken.append(turns.pop())
    if not taken or taken[-1].number != first or getattr(taken[-1].turn, "seat", None) != seat:
        raise BadData("What it takes back is not a move of its seat that stands.")
    if not all(isinstance(entry.turn, Moved) and not entry.turn.dice for entry in taken):
        raise BadData("It takes back a turn with dice or secret orders, or one in which somebody left.")


def _check_number(body: Json, number: int) -> None:
    if not is_list([body.get("turn")], int) or body["turn"] != number:
        raise BadData(f"This is not turn {number}, which has to come next.")


def _opened(content: object) -> Opened:
    match content:
        case {"nonce": nonce, "commitment": found} if _fits(_NONCE, nonce) and _fits(_HASH, found):
            return Opened(nonce, found)
    raise BadData("An envelope has a nonce of 32 and a commitment of 64 hexadecimal digits.")


def _end(body: Json, seats: int) -> End:
    result, seed = read_result(body.get("result"), seats), body.get("seed")
    if result is None or not isinstance(seed, str) or not _fits(_HASH, seed):
        raise BadData("The end has a result, and a seed of 64 hexadecimal digits.")
    return End(result, Seed(bytes.fromhex(seed)))


def _fits(form: re.Pattern[str], data: object) -> bool:
    return isinstance(data, str) and form.fullmatch(data) is not None
