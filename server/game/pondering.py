"""What the computer is asked to think about, and what it answers: plain data, so that it may think elsewhere.

A request is built field by field, and holds what any spectator may know of a game, and no more.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from sqlmodel import Session

from rules.chance import Chance
from rules.game import Json
from rules.records.record import carry_out
from rules.records.turns import read_turn
from rules.registry import kind
from server.game import assessing, bodies, hints, log
from server.store.models import Game

HINT, ASSESSMENT = "hint", "assessment"

_HINT_SECONDS = 10.0


def about_move(game: Game, seat: int) -> Json:
    """The request for a hint for `seat` in the position to be played."""
    rules, position = log.rules_of(game), log.position_of(game)
    return {
        "what": HINT,
        "kind": game.kind,
        "options": game.options,
        "position": rules.write(position),
        "memory": list(rules.memory(position)),
        "seat": seat,
        "seed": _seed(game, f"seat {seat}"),
    }


def about_course(session: Session, game: Game) -> Json:
    """The request to assess a game that is over: its turns that stand, each with its number. Raises Damaged."""
    played = [bodies.played(game, entry) for entry in log.turns(session, game)]
    return {
        "what": ASSESSMENT,
        "kind": game.kind,
        "options": game.options,
        "setup": game.setup,
        "turns": [[each.number, each.turn.to_json()] for each in played],
        "seed": _seed(game, "course"),
    }


def answer(request: Json) -> Json:
    """Think about a request; takes seconds, or minutes. The same request is answered alike, given the time."""
    return _ANSWERS[request["what"]](request)


def _hint(request: Json) -> Json:
    rules, options = kind(request["kind"]), request["options"]
    position: Any = rules.read(options, request["position"], request["memory"])
    below = Chance(bytes.fromhex(request["seed"]), HINT).below
    seats = len(rules.seats(options))
    return hints.find(rules, position, request["seat"], seats, below, seconds=_HINT_SECONDS).to_json()


def _assess(request: Json) -> Json:
    rules, options = kind(request["kind"]), request["options"]
    seats = len(rules.seats(options))
    start = position = rules.start(options, request["setup"])
    steps = []
    for _, turn in request["turns"]:
        steps.append(carry_out(rules, position, read_turn(turn, seats)))
        position = steps[-1].after
    numbers = [number for number, _ in request["turns"]]
    return assessing.assess(rules, start, steps, numbers, seats, bytes.fromhex(request["seed"])).to_json()


_ANSWERS: dict[str, Callable[[Json], Json]] = {HINT: _hint, ASSESSMENT: _assess}


def _seed(game: Game, what_for: str) -> str:
    return sha256(f"pondering {log.identity(game)} {game.turn} {what_for}".encode()).hexdigest()
