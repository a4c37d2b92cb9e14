"""The places at open games: who sits there, who cannot stay, and what the others are told of it."""

from datetime import datetime
from itertools import pairwise

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, or_

from server.accounts import bans, players, relations
from server.clock.spans import DAY
from server.errors import BadRequest, GameOver, NotRunning, NotYours
from server.game.log import log, randomness, visibility
from server.game.log.display_names import called
from server.game.log.log import Seated
from server.store import db
from server.store.letters.letter import Letter
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext

MOST_NEWS = 10
"""Letters of each sort that a player is mailed in a day about what others do at open games."""


def none_open(number: int) -> NotYours:
    """Return the refusal for a game that is not open, as far as a player may know."""
    return NotYours(f"There is no open game {number}. To see those that there are, write: lobby")


def at_open(action: ActionContext, player: Player, number: int) -> tuple[Game, list[Seated]]:
    """Lock an open game. Raises Refused for one that is not open any more, or never was.

    Others' private game is for a player as if there were none, and so is one which they are kept away from.
    """
    game = db.locked(action.session, Game, number)
    if game is None or not _is_known(action.session, game, players.identity(player)):
        raise none_open(number)
    if game.state == "closed":
        raise no_longer_open(number)
    if game.state != "open":
        raise NotRunning(f"Game {number} has already begun. To see the games that are open, write: lobby")
    return game, log.seats(action.session, game, fresh=True)


def _is_known(session: Session, game: Game, player: int) -> bool:
    """Whether a player may know that a game is, or was, open."""
    if game.state in ("open", "closed"):
        return not visibility.is_apart(session, game, player)
    return (
        game.state in ("running", "over")
        and visibility.visible_game(session, log.id_of(game), player) is not None
    )


def at_own(action: ActionContext, player: Player, number: int) -> tuple[Game, Seat]:
    """The same for who sits there, with their place. Raises NotYours for anybody else."""
    game, seated = at_open(action, player, number)
    own = next((seat for seat, other in seated if other.id == player.id), None)
    if own is None:
        raise NotYours(f"You have not joined game {number}.")
    return game, own


def called_there(session: Session, game: Game, player: Player) -> str:
    """What one of those who sit at an open game is called to the others."""
    return next(called(game, *each, None) for each in log.seats(session, game) if each.player.id == player.id)


def no_longer_open(number: int) -> GameOver:
    """What is said of a game that was closed."""
    return GameOver(f"Game {number} is no longer open. To see the games that are, write: lobby")


def check_can_play(action: ActionContext, player: Player, what: str) -> None:
    """Raise BadRequest, with `what` they cannot do, for somebody who gets no mail, or may not begin games."""
    if not is_reachable(player):
        raise BadRequest(
            f"We have no way to mail you, so you cannot {what}. If you wrote “stop”, write resume first."
        )
    bans.check(action.session, player, action.now)


def is_reachable(player: Player) -> bool:
    """Whether a player wants mail and gets it: others would wait in vain for one who does not."""
    return not player.mail_stopped and player.suspended_at is None


def can_play(action: ActionContext, player: Player) -> bool:
    """Whether a player can begin a game now."""
    return is_reachable(player) and bans.bar_of(action.session, player, action.now) is None


def cannot_play(now: datetime) -> ColumnElement[bool]:
    """The opposite, as a condition."""
    return or_(col(Player.mail_stopped), col(Player.suspended_at).is_not(None), bans.is_barred(now))


def dismiss(action: ActionContext, game: Game) -> None:
    """Free the places of those who cannot play any more.

    Raises GameOver when it is the one who opened the game: nobody can join it.
    """
    for seat, other in reversed(log.seats(action.session, game)):
        if not can_play(action, other):
            if seat.number == 0:
                raise no_longer_open(log.id_of(game))
            disagree(action.session, game)
            stand_up(action.session, game, seat.number)


def keep_apart(session: Session, game: Game) -> bool:
    """Whether some who sit at an open game never play together; if nobody may know who they are, all do."""
    people = [player for _, player in log.seats(session, game)]
    return not game.anonymous and bool(relations.blocked_pairs(session, people))


def sit_down(action: ActionContext, game: Game, player: Player, client_seed: str = "") -> None:
    """Give a player the next place of an open game."""
    number = players.identity(player)
    seat = Seat(game_id=log.id_of(game), number=len(game.asked), player_id=number, accepted=True)
    seat.joined_at, seat.client_seed = action.now, client_seed
    game.asked = [*game.asked, number]
    action.session.add(seat)
    action.session.flush()


def stand_up(session: Session, game: Game, place: int) -> None:
    """Free a place of an open game; whoever came later moves up."""
    seats = [seat for seat, _ in log.seats(session, game)]
    for seat, following in pairwise(seats[place:]):
        for column in randomness.THEIRS:
            setattr(seat, column, getattr(following, column))
    session.delete(seats[-1])
    game.asked = [*game.asked[:place], *game.asked[place + 1 :]]
    session.flush()


def disagree(session: Session, game: Game) -> bool:
    """Forget what was agreed, as others will sit there; whether anything was."""
    agreed = [seat for seat, _ in log.seats(session, game) if seat.agreed]
    for seat in agreed:
        seat.agreed = False
    return bool(agreed)


def tell_others(action: ActionContext, game: Game, actor: Player, letter: Letter) -> None:
    """Mail those who sit at an open game, but for whoever acts, unless they have heard enough today."""
    for player in to_be_told(action, game, actor, type(letter)):
        action.put_to_player(player, letter)


def to_be_told(action: ActionContext, game: Game, actor: Player, letter: type[Letter]) -> list[Player]:
    """Those who sit at an open game, but for whoever acts and who has had enough such letters today."""
    others = [player for _, player in log.seats(action.session, game) if player.id != actor.id]
    return [player for player in others if action.recent(player.email, letter, DAY) < MOST_NEWS]
