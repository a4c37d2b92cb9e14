"""Blocking somebody with whom a player waits for a game: they leave or decline it, as they might at any time.

To let it wait, though it can never begin, would tell the other that they have been blocked.
"""

from sqlmodel import col, select

from server.accounts import players, relations
from server.game import lobby, log, seeking
from server.game.invited import called
from server.store.db import locked
from server.store.models import Game, Player, Seat
from server.store.outbox import Action


def block(action: Action, player: Player, name: str) -> str:
    """Let a player never sit with another again, nor hear them; gives the answer, sentences for the player.

    Raises BadRequest.
    """
    told = relations.block(action, player, name)
    other = players.known(action.session, name.strip())
    left = [] if other is None else _leave_those_with(action, player, other)
    return " ".join([*left, told])


def _leave_those_with(action: Action, player: Player, other: Player) -> list[str]:
    """Leave the games that wait, and at which both sit, as far as the player may know that."""
    mine, theirs = (select(Seat.game_id).where(Seat.player_id == each.id) for each in (player, other))
    query = select(Game.id).where(col(Game.state).in_(("open", "invited")), ~col(Game.anonymous))
    query = query.where(col(Game.id).in_(mine), col(Game.id).in_(theirs)).order_by(col(Game.id))
    told = []
    for number in action.session.exec(query).all():
        game = locked(action.session, Game, number)
        if game is None or not _knows(action, game, player, other):
            continue
        if game.state == "open":
            did = "closed" if player.id == game.asked[0] else "left"
            seeking.leave(action, player, log.identity(game))
            told.append(f"You have {did} game {number}, where {other.name} was waiting, too.")
        elif game.state == "invited":
            did = "taken back your challenge" if player.id == game.asked[0] else "declined the invitation"
            lobby.decline(action, player, log.identity(game))
            told.append(f"You have {did} to game {number} with {other.name}.")
    return told


def _knows(action: Action, game: Game, player: Player, other: Player) -> bool:
    """Whether both sit at a game, and the player knows the other there by name, not only by an address."""
    seats = {each.player.id: each for each in log.seats(action.session, game, fresh=True)}
    both = player.id in seats and other.id in seats
    return both and called(game, *seats[other.id], player.id) == other.name
