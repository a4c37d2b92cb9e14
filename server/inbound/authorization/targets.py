"""Which seat a reply comes from, and which a letter goes to."""

from dataclasses import replace

from sqlmodel import Session

from rules.game import PASS
from server.game.log import entry_bodies, log
from server.game.play.target import Target
from server.store.letters.letter import About
from server.store.models import Game, Seat
from server.store.tokens import ReplyToken


def target_of(session: Session, game: Game, token: ReplyToken) -> Target:
    """What a reply is about; after an invitation was mailed, the player may have drawn another seat."""
    seat = token.seat if token.turn else log.seat_of_asked(session, game, token.seat)
    return Target(token.game, seat, token.turn)


def after_own_move(session: Session, game: Game, target: Target) -> Target:
    """What a reply without a move is about: now, if it answers the mail that asked for the player's last move.

    Until it is their turn again they are mailed nothing, so they have no later mail to answer.
    """
    owing = session.get_one(Seat, (target.game, target.seat)).owes
    if game.state != "running" or owing or not 0 < target.turn < game.turn:
        return target
    since = [entry_bodies.turn_of(game, entry) for entry in log.turns(session, game, target.turn)]
    own = [played.number for played in since if played.turn.texts().get(target.seat, PASS) != PASS]
    return replace(target, turn=game.turn) if own == [target.turn] else target


def told_of(game: Game, seat: int) -> About:
    """Whom a letter is for: by place among those who were asked, until seats are drawn."""
    number = log.id_of(game)
    return About(number, seat) if log.has_begun(game) else About(number, place=seat)
