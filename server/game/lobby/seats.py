"""The seats of open games: who has joined, who must leave, and letters to the other players."""

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
"""The most letters of each sort that a player gets in a day about open games."""


def none_open(number: int) -> NotYours:
    """Return the error for a number that belongs to no open game, or to one that the player may not see."""
    return NotYours(f"There is no open game {number}. To see the open games, write: lobby")


def at_open(action: ActionContext, player: Player, number: int) -> tuple[Game, list[Seated]]:
    """Return an open game, locked, with its seats. Raises Refused if it is not open.

    A private game of others, and a game from which the player is blocked, are treated like games that do not
    exist.
    """
    game = db.locked(action.session, Game, number)
    if game is None or not _is_known(action.session, game, players.identity(player)):
        raise none_open(number)
    if game.state == "closed":
        raise no_longer_open(number)
    if game.state != "open":
        raise NotRunning(f"Game {number} has already started. To see the open games, write: lobby")
    return game, log.seats(action.session, game, fresh=True)


def _is_known(session: Session, game: Game, player: int) -> bool:
    """Return whether a player may know that a game is or was open."""
    if game.state in ("open", "closed"):
        return not visibility.is_apart(session, game, player)
    return (
        game.state in ("running", "over")
        and visibility.visible_game(session, log.id_of(game), player) is not None
    )


def at_own(action: ActionContext, player: Player, number: int) -> tuple[Game, Seat]:
    """Return an open game that a player has joined, locked, with their seat. Raises Refused if it is not open.

    Raises NotYours if the player has not joined it.
    """
    game, seated = at_open(action, player, number)
    own = next((seat for seat, other in seated if other.id == player.id), None)
    if own is None:
        raise NotYours(f"You have not joined game {number}.")
    return game, own


def called_there(session: Session, game: Game, player: Player) -> str:
    """Return the name under which the other players of an open game see a player."""
    return next(called(game, *each, None) for each in log.seats(session, game) if each.player.id == player.id)


def no_longer_open(number: int) -> GameOver:
    """Return the error for an open game that was closed."""
    return GameOver(f"Game {number} is no longer open. To see the open games, write: lobby")


def check_can_play(action: ActionContext, player: Player, what: str) -> None:
    """Raise BadRequest if a player may not start games, or gets no email.

    `what` completes the sentence "you cannot …": "join a game".
    """
    if not is_reachable(player):
        raise BadRequest(
            f"Nabu cannot send you email, so you cannot {what}. If you wrote “stop”, write resume first."
        )
    bans.check(action.session, player, action.now)


def is_reachable(player: Player) -> bool:
    """Return whether a player gets email: not if they wrote “stop”, or their emails were returned too often."""
    return not player.mail_stopped and player.suspended_at is None


def can_play(action: ActionContext, player: Player) -> bool:
    """Return whether a player can start a game now."""
    return is_reachable(player) and bans.bar_of(action.session, player, action.now) is None


def cannot_play(now: datetime) -> ColumnElement[bool]:
    """Return the SQL condition that a player cannot start a game now."""
    return or_(col(Player.mail_stopped), col(Player.suspended_at).is_not(None), bans.is_barred(now))


def dismiss(action: ActionContext, game: Game) -> None:
    """Remove players from an open game who can no longer play.

    Raises GameOver if its opener is one of them: the game cannot be joined any more.
    """
    for seat, other in reversed(log.seats(action.session, game)):
        if not can_play(action, other):
            if seat.number == 0:
                raise no_longer_open(log.id_of(game))
            disagree(action.session, game)
            stand_up(action.session, game, seat.number)


def keep_apart(session: Session, game: Game) -> bool:
    """Return whether a player of an open game has blocked another player of it; False in anonymous games."""
    people = [player for _, player in log.seats(session, game)]
    return not game.anonymous and bool(relations.blocked_pairs(session, people))


def sit_down(action: ActionContext, game: Game, player: Player, client_seed: str = "") -> None:
    """Give a player the next free seat of an open game; `client_seed` are their words for luck."""
    number = players.identity(player)
    seat = Seat(game_id=log.id_of(game), number=len(game.asked), player_id=number, accepted=True)
    seat.joined_at, seat.client_seed = action.now, client_seed
    game.asked = [*game.asked, number]
    action.session.add(seat)
    action.session.flush()


def stand_up(session: Session, game: Game, place: int) -> None:
    """Remove the player at `place` from an open game; later players move up by one place."""
    seats = [seat for seat, _ in log.seats(session, game)]
    for seat, following in pairwise(seats[place:]):
        for column in randomness.THEIRS:
            setattr(seat, column, getattr(following, column))
    session.delete(seats[-1])
    game.asked = [*game.asked[:place], *game.asked[place + 1 :]]
    session.flush()


def disagree(session: Session, game: Game) -> bool:
    """Cancel all agreements to start an open game early; return whether there were any."""
    agreed = [seat for seat, _ in log.seats(session, game) if seat.agreed]
    for seat in agreed:
        seat.agreed = False
    return bool(agreed)


def notify_others(action: ActionContext, game: Game, actor: Player, letter: Letter) -> None:
    """Send a letter to the other players of an open game, except those who got the most of its class today."""
    for player in others_to_notify(action, game, actor, type(letter)):
        action.put_to_player(player, letter)


def others_to_notify(action: ActionContext, game: Game, actor: Player, letter: type[Letter]) -> list[Player]:
    """Return the other players of an open game, except those who got the most letters of this class today."""
    others = [player for _, player in log.seats(action.session, game) if player.id != actor.id]
    return [player for player in others if action.recent(player.email, letter, DAY) < MOST_NEWS]
