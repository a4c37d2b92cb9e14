"""Leaving all tournaments and games at once."""

from sqlmodel import col, select

from server.game import lobby, log, play, seeking
from server.game.target import Target
from server.store.db import locked
from server.store.letters.tournaments import PlaceFree
from server.store.models import Entrant, Game, Player, Seat, Tournament
from server.store.outbox import Action


def leave_all(action: Action, player: Player) -> None:
    """Leave all tournaments; resign games that go on, decline or leave others, and close the player's own."""
    _leave_tournaments(action, player)
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


def _leave_tournaments(action: Action, player: Player) -> None:
    """Take part in none that is not over, and wait for a place in none; the worker does what follows."""
    session = action.session
    inside = select(Entrant.tournament_id).where(Entrant.player_id == player.id, col(Entrant.left).is_(False))
    for number in session.exec(inside.order_by(col(Entrant.tournament_id))).all():
        tournament = locked(session, Tournament, number)
        entrant = session.get(Entrant, (number, player.id), populate_existing=True)
        if tournament is None or entrant is None or tournament.state not in ("open", "running"):
            continue
        if entrant.seed is None:
            give_up_place(action, tournament, entrant)
        else:
            entrant.left = True
        tournament.due_at = action.now


def give_up_place(action: Action, tournament: Tournament, entrant: Entrant) -> None:
    """Leave a locked tournament in which one does not play yet; who waited, and now has a place, is told."""
    session = action.session
    session.delete(entrant)
    session.flush()
    if tournament.state != "open":
        return
    entrants = select(Entrant).where(Entrant.tournament_id == tournament.id).order_by(col(Entrant.number))
    last = session.exec(entrants.offset(tournament.room - 1).limit(1)).first()
    if last is not None and last.number > entrant.number:
        letter = PlaceFree(entrant.tournament_id)
        action.put_to_player(session.get_one(Player, last.player_id), letter)
