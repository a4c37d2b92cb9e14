"""Rematches: another game with the same players, options and terms, in which two players swap seats."""

from dataclasses import replace

from sqlmodel import Session, col, select

from server.errors import Impossible, NotRunning
from server.game.lobby import challenges
from server.game.log import log
from server.game.terms.terms import GameTerms
from server.store.db import locked
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext


def again(action: ActionContext, player: Player, number: int) -> Game:
    """Challenge the others to a rematch, or accept their challenge to one. Raises Refused.

    The finished game is locked, so that two players who ask at the same moment do not create two challenges.
    """
    game = locked(action.session, Game, number)
    if game is None or game.state != "over":
        raise NotRunning(f"Game {number} is not over yet, so there is no rematch.")
    if game.next_due_at is not None:
        raise Impossible("The next game of this series starts automatically.")
    following = _following(action.session, number)
    if following is not None:
        return _join(action, player, following)
    others = [other for _, other in log.seats(action.session, game) if other.id != player.id]
    # The first game has revealed the players to one another.
    terms = replace(GameTerms.from_json(game.terms), games=1, anonymous=False)
    if terms.guided:
        terms = replace(terms, rated=False)
    options = {**game.options, **terms.unusual()}
    return challenges.challenge(action, player, others, game.game_type, options, again_of=number)


def offer_to(session: Session, player: int, number: int) -> int | None:
    """Return the number of the rematch of a game that waits for the player's answer; None if there is none."""
    query = select(Game.id).join(Seat, col(Seat.game_id) == col(Game.id))
    query = query.where(Game.again_of == number, Game.state == "invited")
    return session.exec(query.where(Seat.player_id == player, ~col(Seat.accepted))).first()


def _following(session: Session, number: int) -> Game | None:
    """Return the rematch that a player has already proposed, unless it was declined."""
    query = select(Game).where(Game.again_of == number, col(Game.state) != "declined")
    return session.exec(query.order_by(col(Game.id))).first()


def _join(action: ActionContext, player: Player, game: Game) -> Game:
    number = log.id_of(game)
    waiting = {other.id for seat, other in log.seats(action.session, game) if not seat.accepted}
    if game.state != "invited" or player.id not in waiting:
        raise Impossible(f"There already is a rematch: game {number}.")
    return challenges.accept(action, player, number)
