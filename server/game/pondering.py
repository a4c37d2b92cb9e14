"""What the computer is asked to think about, as `rules.asked.answering` takes it.

A request is built field by field, and holds what any spectator may know of a game, and no more.
"""

from hashlib import sha256

from sqlmodel import Session

from rules.asked.answering import ASSESSMENT, HINT
from rules.game import Json
from server.game import bodies, log
from server.store.models import Game


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


def _seed(game: Game, what_for: str) -> str:
    return sha256(f"pondering {log.identity(game)} {game.turn} {what_for}".encode()).hexdigest()
