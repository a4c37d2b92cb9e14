"""Leaving all games at once."""

from sqlmodel import col, select

from server.game import lobby, log, play, seeking
from server.game.target import Target
from server.store.db import locked
from server.store.models import Game, Player, Seat
from server.store.outbox import Action


def leave_all(action: Action, player: Player) -> None:
    """Resign all games of a player that go on; decline or leave those that have not begun, close their own."""
    mine = select(Game.id).where(Seat.game_id == Game.id, Seat.player_id == player.id)
    numbers = action.session.exec(
        mine.where(col(Game.state).in_(("running", "invited", "open"))).order_by(col(Game.id))
    ).all()
    for number in numbers:
        game = locked(action.session, Game, number)
        if game is None:
            continue
        if game.state == "invited":
            lobby.decline(action, player, log.identity(game))
        if game.state == "open" and player.id in game.asked:
            seeking.leave(action, player, log.identity(game))
        seat = lobby.seat_of(action.session, game, player)
        if game.state == "running" and seat is not None and seat not in log.gone(game):
            play.resign(action, player, Target(log.identity(game), seat, game.turn))
