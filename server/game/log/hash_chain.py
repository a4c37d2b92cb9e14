"""Checks of the hash chain that links the entries of a log."""

from sqlmodel import Session

from rules.records.proof import chained
from server.errors import Damaged
from server.store.models import Game
from server.store.statements import prepared_statements


def check_end(session: Session, game: Game) -> None:
    """Raise Damaged unless the log's last entry matches its own hash and the one stored with the locked game.

    This is checked only once per transaction.
    """
    checked: set[int | None] = session.info.setdefault("logs that end as they should", set())
    if game.id not in checked:
        _check(session, game, max(game.entries - 2, 0))
        checked.add(game.id)


def check_all(session: Session, game: Game) -> None:
    """Raise Damaged unless all entries of a log match their hashes, and the last one the game's head."""
    _check(session, game, 0)


def _check(session: Session, game: Game, first: int) -> None:
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
