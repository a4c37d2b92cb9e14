"""Upkeep of open games: recurring ones are opened again, old ones closed, and free seats given to computers."""

from datetime import datetime

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.clock.spans import HOUR
from server.errors import BadRequest, GameOver
from server.game.lobby import challenge_checks, computer_joiners, joining, recurring_games, seats
from server.game.lobby.next_in_series import lock_latest
from server.game.lobby.proposed_game import ProposedGame
from server.game.log import log
from server.game.play.start import start_game
from server.game.terms.terms import STALE, GameTerms
from server.store.db import count_rows, locked
from server.store.letters.lobby import OpenGameExpired
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext


def reopen(action: ActionContext, game: Game) -> None:
    """Open another game of the recurring open game to which `game` belongs, unless enough of its games run.

    `game` is locked. If its opener has too many open games now, Nabu tries again an hour later.
    """
    game.offer_due_at = None
    last = lock_latest(action.session, recurring_games.latest(game))
    if last.offer is None or last.state in ("open", "closed"):
        return
    player = action.session.get_one(Player, last.asked[0])
    if not seats.can_play(action, player):
        last.offer = None
        return
    of_offer = recurring_games.is_of(recurring_games.first_of(last))
    if count_rows(action.session, of_offer, Game.state == "running") >= last.offer["always"]:
        return
    try:
        challenge_checks.check_seek(action.session, player)
    except BadRequest:
        game.offer_due_at = action.now + HOUR
        return
    proposed = ProposedGame(log.rules_of(last), last.offer["options"], GameTerms.from_json(last.terms))
    following = joining.put_up(action, player, proposed, last.wanted, last.offer)
    following.offer_of = recurring_games.first_of(last)


def is_own(session: Session, player: Player, number: int) -> bool:
    """Return whether a started game belongs to a recurring open game of this player."""
    game = session.get(Game, number)
    begun = game is not None and game.state in ("running", "over")
    return game is not None and begun and bool(game.offer) and player.id == game.asked[0]


def leave(action: ActionContext, player: Player, number: int) -> Game:
    """Leave an open game; if it has started, end the recurring open game that it came from. Raises Refused."""
    game = locked(action.session, Game, number)
    if game is None or not is_own(action.session, player, number):
        return joining.leave(action, player, number)
    last = lock_latest(action.session, recurring_games.latest(game))
    if not recurring_games.is_active(last):
        return joining.leave(action, player, number)
    if last.state == "open":
        joining.leave(action, player, log.id_of(last))
    last.offer = None
    return game


def forget(action: ActionContext, game: Game) -> None:
    """Close an open game that waited too long, and email its players the command that opens a similar one."""
    letter = OpenGameExpired(log.id_of(game), command_for(game))
    for _, player in log.seats(action.session, game):
        action.put_to_player(player, letter)
    game.state = "closed"
    game.changed_at = action.now


def free(action: ActionContext, game: Game) -> None:
    """Remove players from an open game who can no longer play; if its opener is one of them, it is closed."""
    for _, player in log.seats(action.session, game):
        if game.state == "open" and not seats.can_play(action, player):
            joining.leave(action, player, log.id_of(game))


def command_for(game: Game) -> str:
    """Return the command that opens a game with the same options: "seek nibble size=8 time=2d"."""
    usual = log.rules_of(game).options({})
    options = {name: value for name, value in game.options.items() if value != usual[name]}
    options |= game.wanted | GameTerms.from_json(game.terms).unusual()
    if game.offer:
        options[recurring_games.ALWAYS] = game.offer["always"]
    return " ".join(["seek", game.game_type, *(f"{name}={value}" for name, value in options.items())])


def fill(action: ActionContext, game: Game) -> None:
    """Give all free seats of a locked open game to computer players, and start the game.

    If too few are suitable, or the game cannot start, it waits for people once more.
    """
    computer_joiners.restart_wait(game, action.now)
    try:
        seats.dismiss(action, game)
    except GameOver:
        return
    company = computer_joiners.choose_joiners(action.session, game)
    if not company or seats.keep_apart(action.session, game):
        return
    for player in company:
        seats.sit_down(action, game, player)
    start_game(action, game)


def with_players_who_cannot_play(now: datetime) -> SelectOfScalar[Game]:
    """Return the query for open games with a player who can no longer play."""
    cannot = seats.cannot_play(now)
    there = select(Seat.game_id).where(Seat.player_id == Player.id, cannot, Seat.game_id == Game.id)
    return select(Game).where(Game.state == "open", there.exists()).order_by(col(Game.id))


def forgotten(now: datetime) -> SelectOfScalar[Game]:
    """Return the query for open games that no player has joined or left for a long time."""
    changed = col(Game.changed_at)
    return select(Game).where(Game.state == "open", changed <= now - STALE).order_by(changed, col(Game.id))


def to_fill(now: datetime) -> SelectOfScalar[Game]:
    """Return the query for open games that computer players may join now, because no person did."""
    due = col(Game.computers_join_at)
    return select(Game).where(Game.state == "open", due <= now).order_by(due, col(Game.id))
