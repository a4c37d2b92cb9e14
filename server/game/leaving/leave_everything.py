"""Leaving all tournaments and games, and blocking a player."""

from sqlmodel import col, select

from server.accounts import players, relations
from server.game.lobby import challenges, joining
from server.game.log import log
from server.game.log.display_names import called
from server.game.play import moves
from server.game.play.target import Target
from server.store.db import locked
from server.store.failures import PLAYING, isolated
from server.store.letters.tournaments import PlaceFree
from server.store.models import Entrant, Game, Player, Seat, Tournament
from server.store.outbox import ActionContext


def leave_all(action: ActionContext, player: Player) -> None:
    """Remove a player from all tournaments and games: resign, decline, leave open games, close their own.

    A damaged game, in which nothing can be played, stays as it is until an administrator repairs it.
    """
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
            challenges.decline(action, player, log.id_of(game))
        if game.state == "open" and player.id in game.asked:
            joining.leave(action, player, log.id_of(game))
        seat = challenges.seat_of(action.session, game, player)
        if game.state == "running" and seat is not None and seat not in log.seats_out(game):
            with isolated(action.session, action.now, PLAYING, Game, log.id_of(game)):
                moves.resign(action, player, Target(log.id_of(game), seat, game.turn))


def _leave_tournaments(action: ActionContext, player: Player) -> None:
    """Leave all tournaments that are not over, and their waiting lists; the worker does the rest."""
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


def give_up_place(action: ActionContext, tournament: Tournament, entrant: Entrant) -> None:
    """Leave a locked tournament that has not started, and notify the player who gets the free place."""
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


def block(action: ActionContext, player: Player, name: str) -> str:
    """Block the player called `name`, and leave all games with them that have not started.

    Returns sentences for the player. Raises BadRequest if there is no such player.
    """
    told = relations.block(action, player, name)
    other = players.find_known(action.session, name.strip())
    left = [] if other is None else _leave_those_with(action, player, other)
    return " ".join([*left, told])


def _leave_those_with(action: ActionContext, player: Player, other: Player) -> list[str]:
    """Leave the pending games in which both have a seat, as far as the player may know that."""
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
            joining.leave(action, player, log.id_of(game))
            told.append(f"You have {did} game {number}, which {other.name} has joined too.")
        elif game.state == "invited":
            did = "withdrawn your challenge" if player.id == game.asked[0] else "declined the invitation"
            challenges.decline(action, player, log.id_of(game))
            told.append(f"You have {did} to game {number} with {other.name}.")
    return told


def _knows(action: ActionContext, game: Game, player: Player, other: Player) -> bool:
    """Return whether both have a seat in a game, and the player knows the other's name there."""
    seats = {each.player.id: each for each in log.seats(action.session, game, fresh=True)}
    both = player.id in seats and other.id in seats
    return both and called(game, *seats[other.id], player.id) == other.name
