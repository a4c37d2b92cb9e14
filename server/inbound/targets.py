"""Which seat a reply comes from, and which a letter goes to."""

from sqlmodel import Session

from server.game import log
from server.game.target import Target
from server.store.letters.letter import About
from server.store.models import Game
from server.store.tokens import ReplyToken


def target_of(session: Session, game: Game, token: ReplyToken) -> Target:
    """What a reply is about; after an invitation was mailed, the player may have drawn another seat."""
    seat = token.seat if token.turn else log.seat_of_asked(session, game, token.seat)
    return Target(token.game, seat, token.turn)


def told_of(game: Game, seat: int) -> About:
    """Whom a letter is for: by place among those who were asked, until seats are drawn."""
    number = log.identity(game)
    return About(number, seat) if log.has_begun(game) else About(number, place=seat)
