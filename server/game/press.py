"""What players say to one another in a game that has begun, and what they note for themselves."""

from sqlmodel import col, func, select

from server.accounts import relations
from server.clock.spans import DAY
from server.errors import NotRunning
from server.game import log
from server.limits import LONGEST_PRESS
from server.store.deferral import MOST_AT_WILL
from server.store.letters import game as letters
from server.store.letters.letter import About
from server.store.models import Game, Press, Seat
from server.store.outbox import Action

SAID_MUCH = (
    f"You have said more than {MOST_AT_WILL} things in this game within a day. What you say is saved and "
    "shown on the game's page, but the others may not get it by email until the next turn."
)


def say(action: Action, game: Game, seat: int, text: str) -> None:
    """Keep what `seat` says and mail it to those of the others who do not ignore it; "" says nothing.

    Raises as `keep` does.
    """
    keep(action, game, seat, text)
    if not text:
        return
    seats = log.seats(action.session, game)
    for other, player in seats:
        if other.number != seat and not relations.mutes(action.session, player, seats[seat].player):
            letter = letters.Press(speaker=seat, said=text[:LONGEST_PRESS])
            action.put_to_player(player, letter, About(other.game_id, other.number))


def has_said_much(action: Action, game: Game, seat: int) -> bool:
    """Whether a seat has said more today than is mailed to the others at once.

    This tells nothing of the others: they may have it mailed later anyway, or not at all.
    """
    query = select(func.count()).where(
        Press.game_id == game.id,
        Press.seat == seat,
        col(Press.private).is_(False),
        col(Press.said_at) > action.now - DAY,
    )
    return action.session.exec(query).one() > MOST_AT_WILL


def keep(action: Action, game: Game, seat: int, text: str, *, private: bool = False) -> None:
    """Store what `seat` says, for the players of the game or for itself; an empty text says nothing.

    Someone who says something is there: the turn is not counted as missed. Raises NotRunning before the game
    begins: nobody who has not accepted yet is told anything by people whom they may not know.
    """
    if not text:
        return
    if not log.has_begun(game):
        raise NotRunning(
            f"Game {game.id} has not begun yet: nothing can be said or noted until everyone has accepted."
        )
    press = Press(
        game_id=log.identity(game),
        turn=game.turn,
        seat=seat,
        private=private,
        sealed=action.sealer.seal(text[:LONGEST_PRESS].encode()),
        said_at=action.now,
    )
    action.session.add(press)
    action.session.get_one(Seat, (press.game_id, seat)).heard_turn = game.turn
