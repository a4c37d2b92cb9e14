"""Another game like one that is over: the same players, options and terms, and two players turn the seats."""

from dataclasses import replace

from sqlmodel import Session, col, select

from server.errors import BadRequest, NotRunning
from server.game.lobby import challenges
from server.game.log import log
from server.game.terms.terms import GameTerms
from server.store.db import locked
from server.store.models import Game, Player
from server.store.outbox import ActionContext


def again(action: ActionContext, player: Player, number: int) -> Game:
    """Challenge the others to another game, or accept their challenge to it. Raises Refused.

    The game that is over must be locked, so that only one of those who ask at the same moment challenges.
    """
    game = locked(action.session, Game, number)
    if game is None or game.state != "over":
        raise NotRunning(f"Game {number} is not over yet, so there is no rematch.")
    if game.next_due_at is not None:
        raise BadRequest("The next game of this series begins by itself.")
    following = _following(action.session, number)
    if following is not None:
        return _join(action, player, following)
    others = [other for _, other in log.seats(action.session, game) if other.id != player.id]
    # By now they know one another.
    terms = replace(GameTerms.from_json(game.terms), games=1, anonymous=False)
    if terms.guided:
        terms = replace(terms, rated=False)
    options = {**game.options, **terms.unusual()}
    return challenges.challenge(action, player, others, game.game_type, options, again_of=number)


def _following(session: Session, number: int) -> Game | None:
    """The rematch that somebody has asked for already, unless it was declined."""
    query = select(Game).where(Game.again_of == number, col(Game.state) != "declined")
    return session.exec(query.order_by(col(Game.id))).first()


def _join(action: ActionContext, player: Player, game: Game) -> Game:
    number = log.id_of(game)
    waiting = {other.id for seat, other in log.seats(action.session, game) if not seat.accepted}
    if game.state != "invited" or player.id not in waiting:
        raise BadRequest(f"There is a rematch already: game {number}.")
    return challenges.accept(action, player, number)
