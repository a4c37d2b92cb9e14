"""The stored position of a game: derived from the log, with a checksum, and not used if it does not match."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm.attributes import flag_modified, set_committed_value

from rules.game import Json, Rules
from rules.records.proof import chained
from rules.registry import rules_named
from server.store.models import Entry, Game

AnyRules = Rules[Any, Any]


def rules_of(game: Game) -> AnyRules:
    """Return the rules of a game."""
    return rules_named(game.game_type)


def keep(game: Game, position: Any) -> None:
    """Store a position as the current one of a game, with the history that rules against repetition need."""
    stored = _stored(game, position, game.rolled)
    game.position, game.memory = stored["position"], stored["memory"]
    game.checksum = _checksum(game, stored)
    # The session may have a repaired position, which differs from the database even if nothing changes here.
    for name in stored:
        flag_modified(game, name)


def fits(game: Game) -> bool:
    """Return whether the stored position matches its checksum."""
    return game.checksum is None or game.checksum == checksum(game)


def entry_fits(entry: Entry) -> bool:
    """Return whether the position stored with an entry matches its checksum; true if it has no checksum."""
    known = entry.checksum
    return known is None or known == entry_checksum(entry.game_id, entry.turn, entry.position)


def entry_checksum(game: int, turn: int | None, position: Json | None) -> str:
    """Return the checksum of the position after a turn."""
    return chained("", {"game": game, "after": turn, "position": position})


def checksum(game: Game) -> str:
    """Return the checksum of the current position; it includes the turn, whose number is used only once."""
    return _checksum(game, {"position": game.position, "memory": game.memory, "rolled": game.rolled})


def show(game: Game, position: Any, rolled: Sequence[int] | None) -> None:
    """Replace the position of a loaded game for the rest of the session; the database keeps its own."""
    for name, value in {**_stored(game, position, rolled), "checksum": None}.items():
        set_committed_value(game, name, value)
    set_committed_value(game, "checksum", checksum(game))


def vouches_for(game: Game, position: Any, rolled: Sequence[int]) -> bool:
    """Return whether the game's stored checksum is that of this position with these dice."""
    return game.checksum == _checksum(game, _stored(game, position, rolled))


def _stored(game: Game, position: Any, rolled: Sequence[int] | None) -> Json:
    rules = rules_of(game)
    dice = None if rolled is None else list(rolled)
    return {"position": rules.write(position), "memory": list(rules.memory(position)), "rolled": dice}


def _checksum(game: Game, stored: Json) -> str:
    return chained("", {"game": game.id, "turn": game.turn, **stored})
