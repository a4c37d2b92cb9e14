"""What players have seen on the pages of their games: whatever came later is new to them."""

from collections.abc import Collection

from sqlmodel import Session, and_, col, func, select

from server.game import log
from server.store.models import Game, Press, Seat

_HEARD = and_(col(Press.seat) != col(Seat.number), ~col(Press.private))
_NEW = col(Press.id) > func.coalesce(col(Seat.seen_press), 0)


def has_news(session: Session, game: Game, seat: Seat) -> bool:
    """Whether anything happened or was said since the player of this seat last looked."""
    return seat.seen_turn != game.turn or seat.seen_press != _last_press(session, game)


def see(session: Session, game: Game, seat: Seat) -> None:
    """From now on, all that has happened and been said is known to the player of this seat."""
    seat.seen_turn, seat.seen_press = game.turn, _last_press(session, game)


def unread(session: Session, player: int, games: Collection[int]) -> set[int]:
    """In which of these games others have said something that the player with this number has not seen."""
    query = (
        select(Press.game_id)
        .join(Seat, and_(col(Seat.game_id) == col(Press.game_id), col(Seat.player_id) == player))
        .where(col(Press.game_id).in_(games), _HEARD, _NEW)
    )
    return set(session.exec(query.distinct()))


def _last_press(session: Session, game: Game) -> int | None:
    return session.exec(select(func.max(Press.id)).where(Press.game_id == log.identity(game))).one()
