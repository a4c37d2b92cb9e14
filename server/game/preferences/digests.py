"""Telling players later: by a digest, once a game is no longer muted, or when they do not answer on its page.

Several workers may do this at once: the players they tell are locked, and what to tell them is kept with their
seats.
"""

from datetime import datetime

from sqlmodel import Session, col, or_, select

from server.accounts import players
from server.clock.digests import next_digest, read_digest
from server.game.log import log, randomness
from server.game.play import conditional_moves
from server.game.play.loaded_game import report_to
from server.store import db, failures
from server.store.deferral import NEVER, is_muted, is_urgent, release, wish_of
from server.store.letters.game import Aside, Digest, Report
from server.store.letters.letter import About, Put
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext

_GAMES_A_MAIL = 5
_JOB = "digest"


def unmute(action: ActionContext, game: Game, seat: Seat, player: Player) -> None:
    """Mail about a game again; what happened meanwhile is told in one report, or in the next digest."""
    action.session.flush()
    action.session.refresh(seat, with_for_update=True)
    seat.muted_until = None
    _tell_deferred(action, game, seat, player)


def plan(player: Player, now: datetime) -> None:
    """Compute when the player's next digest comes: later than now."""
    player.digest_at = next_digest(read_digest(player.digest, players.zone(player)), now)


def catch_up(action: ActionContext, player: Player) -> None:
    """Tell at once what was deferred, if a player's choice has made that urgent, or ended their digests."""
    waiting = [
        seat
        for seat in action.session.exec(
            select(Seat).where(Seat.player_id == player.id, col(Seat.untold_at).is_not(None))
        )
        if not is_muted(seat, action.now)
    ]
    if waiting and (player.digest_at is None or any(is_urgent(player, seat) for seat in waiting)):
        _tell(action, player)


def mail_digest(action: ActionContext, player: Player) -> None:
    """Mail a player their digest, if there is anything in it, and plan the next."""
    plan(player, action.now)
    _tell(action, player)


def unmute_due(action: ActionContext, game: Game) -> None:
    """End the pauses in the mail about a game that are over, and report what happened."""
    for seat, player in log.seats(action.session, game, fresh=True):
        if seat.muted_until is not None and seat.muted_until <= action.now:
            unmute(action, game, seat, player)


def report_deferred(action: ActionContext, game: Game) -> None:
    """Report what players have not answered on the page of a game in time."""
    for seat, player in log.seats(action.session, game, fresh=True):
        if seat.deferred_until is not None and seat.deferred_until <= action.now:
            seat.deferred_until = seat.page_at = None
            _tell_deferred(action, game, seat, player)


def _tell_deferred(action: ActionContext, game: Game, seat: Seat, player: Player) -> None:
    """Mail what was deferred of a game, or leave it for the next digest."""
    if seat.untold_at is not None:
        action.put_to_player(player, _stands(action, game, seat), About(seat.game_id, seat.number))


def _tell(action: ActionContext, player: Player) -> None:
    """Mail a digest: everything that was deferred, and every move that the player owes, the most urgent first.

    Many games come in several mails, as mail programs cut off what is too long.
    """
    if player.mail_stopped or player.suspended_at is not None or wish_of(player) == NEVER:
        return
    rows = [
        (game, seat)
        for game, seat in _rows(action.session, player)
        if game.state == "over" or not is_muted(seat, action.now)
    ]
    never = datetime.max.replace(tzinfo=action.now.tzinfo)
    rows.sort(key=lambda row: (not row[1].owes, row[1].deadline_at or never, row[0].id))
    told: list[Put] = []
    for game, seat in rows:
        with failures.isolated(action.session, action.now, _JOB, Game, log.id_of(game)):
            randomness.rebuild_if_damaged(action.sealer, game, log.seats(action.session, game))
            log.position_of(game)  # one that cannot be read would keep back the mail about all others
            report = release(action.session, action.sealer, seat, _stands(action, game, seat))
            told.append(Put(report, About(seat.game_id, seat.number)))
    for first in range(0, len(told), _GAMES_A_MAIL):
        games = tuple(told[first : first + _GAMES_A_MAIL])
        action.put_to_player(player, Digest(players.identity(player), games))


def _rows(session: Session, player: Player) -> list[tuple[Game, Seat]]:
    """The games, locked, of which a player has to be told, or in which they owe something."""
    query = (
        select(Game, Seat)
        .where(Seat.game_id == Game.id, Seat.player_id == player.id)
        .where(or_(col(Seat.untold_at).is_not(None), col(Seat.owes).is_(True)))
        .order_by(col(Game.id))
        .with_for_update(**db.LOCK)
        .execution_options(populate_existing=True)
    )
    return list(session.exec(query))


def _stands(action: ActionContext, game: Game, seat: Seat) -> Report:
    """A report in which nothing happened."""
    kept = conditional_moves.write(conditional_moves.load_moves(action.sealer, seat))
    return report_to(seat.number, game, log.seats(action.session, game), game.turn, Aside(kept=kept))
