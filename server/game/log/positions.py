"""The stored position of a game, with a checksum: derived from the log, and not trusted if it differs."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm.attributes import flag_modified, set_committed_value

from rules.game import Json, Rules
from rules.records.proof import chained
from rules.registry import rules_named
from server.store.models import Entry, Game

AnyRules = Rules[Any, Any]


def rules_of(game: Game) -> AnyRules:
    """The rules that a game is played by."""
    return rules_named(game.game_type)


def keep(game: Game, position: Any) -> None:
    """Store the position to be played, with what the guards against repetition remember."""
    stored = _stored(game, position, game.rolled)
    game.position, game.memory = stored["position"], stored["memory"]
    game.checksum = _checksum(game, stored)
    # If the one in hand was repaired, the one in the database may differ even if nothing changes.
    for name in stored:
        flag_modified(game, name)


def fits(game: Game) -> bool:
    """Whether the stored position is the one of this turn, as it was stored."""
    return game.checksum is None or game.checksum == checksum(game)


def entry_fits(entry: Entry) -> bool:
    """Whether the position that is stored with a turn is the one after it, as it was stored."""
    known = entry.checksum
    return known is None or known == entry_checksum(entry.game_id, entry.turn, entry.position)


def entry_checksum(game: int, turn: int | None, position: Json | None) -> str:
    """Of the position after a turn."""
    return chained("", {"game": game, "after": turn, "position": position})


def checksum(game: Game) -> str:
    """For the position to be played: it depends on the turn, and no two turns have the same number."""
    return _checksum(game, {"position": game.position, "memory": game.memory, "rolled": game.rolled})


def show(game: Game, position: Any, rolled: Sequence[int] | None) -> None:
    """Give a game in hand another position; this stores nothing."""
    for name, value in {**_stored(game, position, rolled), "checksum": None}.items():
        set_committed_value(game, name, value)
    set_committed_value(game, "checksum", checksum(game))


def vouches_for(game: Game, position: Any, rolled: Sequence[int]) -> bool:
    """Whether the stored checksum does not belong to the stored position and this roll."""
    return game.checksum == _checksum(game, _stored(game, position, rolled))


def _stored(game: Game, position: Any, rolled: Sequence[int] | None) -> Json:
    rules = rules_of(game)
    dice = None if rolled is None else list(rolled)
    return {"position": rules.write(position), "memory": list(rules.memory(position)), "rolled": dice}


def _checksum(game: Game, stored: Json) -> str:
    return chained("", {"game": game.id, "turn": game.turn, **stored})
