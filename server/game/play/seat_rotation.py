"""Who sits where in a rematch of two, and in the next game of a series: each one seat on from before."""

from sqlmodel import Session

from server.game.log import log
from server.store.models import Game


def turned(session: Session, game: Game) -> tuple[int, ...]:
    """The players' numbers by seat; () where the seats are drawn, as in rematches of more than two."""
    if game.again_of is None or (len(game.asked) != 2 and game.series_of is None):
        return ()
    before = [seat.player_id for seat, _ in log.seats(session, session.get_one(Game, game.again_of))]
    return tuple(before[1:] + before[:1]) if sorted(before) == sorted(game.asked) else ()
