"""Which seat a reply is from, and a letter to."""

from sqlmodel import Session

from server.game import log
from server.game.target import Target
from server.store.letters.letter import About
from server.store.models import Game
from server.store.tokens import ReplyToken


def target_of(session: Session, game: Game, token: ReplyToken) -> Target:
    """What a reply is about; one to an invitation may find that the lot has given the player another seat."""
    seat = token.seat if token.turn else log.seat_of_asked(session, game, token.seat)
    return Target(token.game, seat, token.turn)


def told_of(game: Game, seat: int) -> About:
    """For whom a letter is: by the place among those who were asked, until the lot has given the seats."""
    number = log.identity(game)
    return About(number, seat) if log.has_begun(game) else About(number, place=seat)
