"""What the computer is asked to think about, and what it answers: plain data, so that it may think elsewhere.

A request is built field by field, and holds what any spectator may know of a game, and no more.
"""

from hashlib import sha256
from typing import Any

from rules.chance import Chance
from rules.game import Json
from rules.registry import kind
from server.game import hints, log
from server.store.models import Game

HINT = "hint"

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


def answer(request: Json) -> Json:
    """Think about a request; takes seconds. The same request is answered alike, as far as there is time."""
    rules = kind(request["kind"])
    options = request["options"]
    position: Any = rules.read(options, request["position"], request["memory"])
    below = Chance(bytes.fromhex(request["seed"]), HINT).below
    seats = len(rules.seats(options))
    hint = hints.find(rules, position, request["seat"], seats, below, seconds=_HINT_SECONDS)
    return hint.to_json()


def _seed(game: Game, what_for: str) -> str:
    return sha256(f"pondering {log.identity(game)} {game.turn} {what_for}".encode()).hexdigest()
