"""Read markers: the turn and the message up to which a player has seen a game's page."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, func, or_, select

from server.accounts import relations
from server.game.log.display_names import NAMELESS
from server.store.models import Game, GameMessage, Seat
from server.store.models.message_audience import heard
from server.store.statements.prepared_statements import Prepared

_SPEAKER = aliased(Seat)
# Built once, because pages use it frequently.
_LAST_MESSAGE: Prepared[int | None] = Prepared(
    select(func.max(GameMessage.id)).where(GameMessage.game_id == bindparam("game"))
)


@dataclass(frozen=True)
class Sight:
    """The state of a game that a page shows: its turn, and the number of its last message (0 for none)."""

    turn: int
    last_message: int

    @classmethod
    def of_game(cls, session: Session, game: Game) -> "Sight":
        """Return the current state of a game."""
        (last,) = _LAST_MESSAGE(session, game=game.id).only()
        return cls(game.turn, last or 0)

    def is_new_to(self, seat: Seat) -> bool:
        """Return whether the player of a seat has not seen this turn or this message yet."""
        return (seat.seen_turn or 0) < self.turn or (seat.seen_message or 0) < self.last_message


def see(seat: Seat, sight: Sight) -> None:
    """Record the turn and message that the player of a seat has seen; later ones stay new."""
    seat.seen_turn = max(seat.seen_turn or 0, sight.turn)
    seat.seen_message = max(seat.seen_message or 0, sight.last_message)


def unread(session: Session, player: int, games: Collection[int]) -> set[int]:
    """Return the numbers of those of `games` with messages from others that a player has not seen yet.

    Messages from ignored players do not count, except in anonymous games.
    """
    return {number for (number,) in _UNREAD(session, player=player, games=list(games))}


def count_unread(player: Any, shown: Any = 0) -> Any:
    """Return the number of these messages as a subquery for a statement about `Game` and the player's `Seat`.

    The messages of the game `shown` do not count.
    """
    unheard = relations.unheard_by(player)
    return (
        select(func.count())
        .select_from(GameMessage)
        .join(_SPEAKER, and_(_SPEAKER.game_id == GameMessage.game_id, _SPEAKER.number == GameMessage.seat))
        .where(col(GameMessage.game_id) == col(Seat.game_id), col(Seat.game_id) != shown)
        .where(heard(col(Seat.number)), col(GameMessage.id) > func.coalesce(col(Seat.seen_message), 0))
        .where(or_(NAMELESS, col(_SPEAKER.player_id).not_in(unheard)))
        .correlate(Seat, Game)
        .scalar_subquery()
    )


_UNREAD: Prepared[int] = Prepared(
    select(Seat.game_id).where(
        col(Seat.player_id) == bindparam("player"),
        col(Seat.game_id).in_(bindparam("games", expanding=True)),
        Game.id == Seat.game_id,
        count_unread(bindparam("player")) > 0,
    )
)
