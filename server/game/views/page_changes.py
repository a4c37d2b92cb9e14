"""The pages that may have changed, among very many: a page stays the same while the sums of its counters do.

The sums contain counters that not all readers may see, so a difference alone says nothing: `versions` has the
version of the page for one reader.
"""

from collections.abc import Collection
from typing import Any, Literal

from sqlalchemy import Integer, bindparam, cast, func, literal, select
from sqlmodel import Session, col

from server.game.views.versions import Subject
from server.store.models import Game, Seat, Tournament

_EACH = 500
"""Subjects in a statement."""
_NUMBERS: Any = bindparam("numbers", expanding=True)
_STATEMENTS: dict[Literal["game", "player", "tournament", "lobby"], Any] = {
    "game": select(col(Game.id), col(Game.version), col(Game.chat_version), func.sum(Seat.version))
    .join(Seat, col(Seat.game_id) == col(Game.id))
    .where(col(Game.id).in_(_NUMBERS))
    .group_by(col(Game.id)),
    "player": select(
        col(Seat.player_id),
        *(func.count(), func.sum(Seat.game_id), func.sum(Game.version)),
        *(func.sum(Seat.lists_version), func.sum(cast(Seat.owes, Integer))),
    )
    .join(Game, col(Seat.game_id) == col(Game.id))
    .where(col(Seat.player_id).in_(_NUMBERS), col(Seat.over_at).is_(None))
    .group_by(col(Seat.player_id)),
    "tournament": select(col(Tournament.id), col(Tournament.version)).where(col(Tournament.id).in_(_NUMBERS)),
    "lobby": select(literal(0), func.count(), func.sum(Game.id), func.sum(Game.version))
    .where(col(Game.state) == "open")
    .where(literal(0).in_(_NUMBERS)),
}


def counter_sums(session: Session, subjects: Collection[Subject]) -> dict[Subject, tuple[Any, ...]]:
    """Return sums of the version counters of each subject; a subject without data is left out."""
    connection, found = session.connection(), dict[Subject, tuple[Any, ...]]()
    for kind, statement in _STATEMENTS.items():
        numbers = sorted(number for other, number in subjects if other == kind)
        for start in range(0, len(numbers), _EACH):
            given = {"numbers": numbers[start : start + _EACH]}
            for number, *sums in connection.execute(statement, given):
                found[kind, number] = tuple(sums)
    return found
