"""Who may see a game: its players always, everybody else once it has begun, unless it is private.

One that waits for anybody to join is seen by all, but for those whom somebody keeps away who sits there. If it
is anonymous only players see it, so that nobody can tell from it who keeps away from whom.

Everything that shows a game by its number, or lists games, asks here. A game that somebody may not see is for
them as if there were none: the same is looked up, and the same is answered.
"""

from sqlmodel import Session, and_, col, select

from server.accounts import relations
from server.store.models import Game, Seat

_SHOWN = ("running", "over")
PUBLIC = and_(col(Game.state).in_(_SHOWN), ~col(Game.private))
"""A condition: everybody may see the game."""


def is_public(state: str, *, private: bool) -> bool:
    """Whether everybody may see a game in this state."""
    return state == "open" or (state in _SHOWN and not private)


def is_hidden(session: Session, game: Game, player: int | None) -> bool:
    """Whether a game waits for others, and is not shown to this player, or to anybody."""
    if game.state != "open":
        return False
    if player is None:
        return game.anonymous
    return not relations.of(session, player).isdisjoint(game.asked)


def shown(session: Session, number: int, player: int | None) -> tuple[Game, int | None] | None:
    """The game for a player (by their number), or with None for anybody, and the seat that they have in it.

    None if there is no such game, or it is not shown to them.
    """
    game = session.get(Game, number)
    seat = None
    if player is not None:
        seat = session.exec(select(Seat.number).where(Seat.game_id == number, Seat.player_id == player)).first()
    if game is None or not (seat is not None or is_public(game.state, private=game.private)):
        return None
    if seat is None and is_hidden(session, game, player):
        return None
    return game, seat
