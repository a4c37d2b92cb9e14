"""Checks of stored data: the hash chain that links the entries of a log, and the checksums of positions.

A position is derived from the log. It is not used if it does not match its checksum.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm.attributes import flag_modified, set_committed_value
from sqlmodel import Session

from rules.game import Json
from rules.records.proof import chained
from rules.registry import rules_named
from server.errors import Damaged
from server.store.models import Entry, Game
from server.store.statements import prepared_statements


def check_last_entry(session: Session, game: Game) -> None:
    """Raise Damaged unless the log's last entry matches its own hash and the one stored with the locked game.

    This is checked only once per transaction.
    """
    checked: set[int | None] = session.info.setdefault("logs that end as they should", set())
    if game.id not in checked:
        _check_chain(session, game, max(game.entries - 2, 0))
        checked.add(game.id)


def check_log(session: Session, game: Game) -> None:
    """Raise Damaged unless all entries of a log match their hashes, and the last one the game's head."""
    _check_chain(session, game, 0)


def _check_chain(session: Session, game: Game, first: int) -> None:
    rows = prepared_statements.LOG(session, game=game.id, first=first).all()
    number, before = first, None if first else ""
    for stored, body, digest in rows:
        if stored != number:
            raise Damaged(game.id, f"entry {number} is missing")
        # The hash before the first row is unknown, unless it is entry 0, so only its own hash is used.
        if before is not None and (body is None or chained(before, body) != digest):
            raise Damaged(game.id, f"entry {number} does not match its hash")
        number, before = number + 1, digest
    if number != game.entries:
        raise Damaged(game.id, f"the log has {number} entries instead of {game.entries}")
    if (before or "") != game.head:
        raise Damaged(game.id, "the hash of its last entry is not the head of the game")


def keep_position(game: Game, position: Any) -> None:
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


def show_position(game: Game, position: Any, rolled: Sequence[int] | None) -> None:
    """Replace the position of a loaded game for the rest of the session; the database keeps its own."""
    for name, value in {**_stored(game, position, rolled), "checksum": None}.items():
        set_committed_value(game, name, value)
    set_committed_value(game, "checksum", checksum(game))


def vouches_for(game: Game, position: Any, rolled: Sequence[int]) -> bool:
    """Return whether the game's stored checksum is that of this position with these dice."""
    return game.checksum == _checksum(game, _stored(game, position, rolled))


def _stored(game: Game, position: Any, rolled: Sequence[int] | None) -> Json:
    rules = rules_named(game.game_type)
    dice = None if rolled is None else list(rolled)
    return {"position": rules.write(position), "memory": list(rules.memory(position)), "rolled": dice}


def _checksum(game: Game, stored: Json) -> str:
    return chained("", {"game": game.id, "turn": game.turn, **stored})
