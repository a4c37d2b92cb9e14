"""Endings of games without a move: by time, by inactivity, by an administrator or by a tournament.

Each function expects a locked game, and runs within one transaction.
"""

import logging
from collections.abc import Sequence
from functools import partial

from rules.reasons import Reason
from rules.result import Result
from server.clock.terms import Consequence
from server.errors import BadRequest
from server.game.clock import deadlines, stored_pauses
from server.game.log import log
from server.game.play.loaded_game import (
    LoadedGame,
    correct,
    finish,
    leave,
    load_game,
    note_credits,
    notify_of_clock,
    open_if_all_in,
    report,
)
from server.game.terms.terms import is_guided
from server.monitoring import logs
from server.monitoring.metrics import DEADLINES, count
from server.pairing import adjudication
from server.store import db
from server.store.letters import game as game_letters
from server.store.letters.letter import About
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext

logger = logging.getLogger(__name__)


def handle_timeouts(action: ActionContext, game: Game) -> None:
    """Apply the time limit to all seats of a locked game whose deadline and grace period are over.

    All deadlines are first recomputed from the facts, so that a player does not lose because of an outdated
    deadline.
    """
    if game.state != "running":
        return
    table = load_game(action, game)
    due = [
        (seat, player) for seat, player in table.seats if seat.grace_until and seat.grace_until <= action.now
    ]
    late = [seat.number for seat, player in due if _is_up(table, seat, player)]
    for seat, _ in due:
        if seat.number not in late and seat.stood_turn != game.turn:
            seat.stood_turn = game.turn
            notify_of_clock(table, seat)
    follows = {seat: _consequence_of_timeout(table, seat) for seat in late}
    for number, consequence in follows.items():
        db.afterwards(action.session, partial(_record_deadline, game.id, number, consequence))
    time_out(table, [seat for seat in late if follows[seat] is Consequence.LOSE])
    if game.state != "running":
        return
    for number in [seat for seat in late if follows[seat] is Consequence.CLAIM]:
        seat = table.seats[number].seat
        deadlines.stop(seat)
        seat.overdue = True
        for each, player in table.seats:
            action.put_to_player(player, game_letters.Overdue(number), About(each.game_id, each.number))
    absent = [table.seats[seat].seat for seat in late if follows[seat] is Consequence.MISS]
    for seat in absent:
        deadlines.stop(seat)
        seat.owes, seat.absent_turn = False, game.turn
    if absent:
        action.session.flush()
        open_if_all_in(table, None, "")


def _record_deadline(game: int | None, seat: int, consequence: Consequence) -> None:
    count(DEADLINES)
    logs.event(logger, "deadline", game=game, seat=seat, follows=consequence.name.lower())


def abort_idle(action: ActionContext, game: Game) -> None:
    """End a locked game in which nothing has happened for too long."""
    if game.state != "running" or game.stale_at is None:
        return
    alive = deadlines.alive_until(action.session, game)
    if alive > action.now:
        game.stale_at = alive
        for seat, player in log.seats(action.session, game):
            if seat.owes:
                deadlines.recompute_deadline(action.session, game, seat, player, action.now)
        return
    table = load_game(action, game)
    finish(table, Result((), Reason.ABORTED))
    if not is_guided(game.terms):  # the only player of such a game does not need a report
        report(table, first=game.turn)


def adjudicate_result(action: ActionContext, game: Game, winners: Sequence[int], why: str) -> None:
    """Set the result of a running or finished game as an administrator decides; `game` must be locked.

    The seats in `winners` win; several of them share a draw, and with none there is no winner. All players are
    notified, with the reason `why`, which is public. Raises BadRequest if the game has not started, or if it
    already has this result.
    """
    result, table = Result(tuple(winners), Reason.RULED, why=why), load_game(action, game)
    if game.state not in ("running", "over"):
        raise BadRequest(f"Game {game.id} has not started, so its result cannot be decided.")
    if game.result == result.to_json():
        raise BadRequest(f"Game {game.id} already has this result.")
    if game.state == "running":
        finish(table, result)
    else:
        correct(table, result)
    report(table, first=game.turn)


def adjudicate_by_time(action: ActionContext, game: Game) -> None:
    """End a locked game that has exceeded its tournament's time limit, by comparing thinking times."""
    if game.state != "running":
        return
    table = load_game(action, game)
    stop_clocks(table)
    thought = [seat.thought for seat, _ in table.seats]
    finish(table, Result(adjudication.winners(thought), Reason.ADJUDICATED))
    report(table, first=game.turn)


def stop_clocks(table: LoadedGame) -> None:
    """Store the thinking time of all seats of a game that ends now, the unfinished turn included."""
    action, game = table.action, table.game
    thought = deadlines.thinking_times(action.session, game, table.seats, action.now)
    for (seat, _), seconds in zip(table.seats, thought, strict=True):
        seat.thought = seconds


def time_out(table: LoadedGame, late: Sequence[int]) -> None:
    """Remove seats whose time is up from the game; if no seat is left, the game ends without a winner."""
    if not late:
        return
    if set(late) >= table.still_in():
        first = table.game.turn
        finish(table, Result((), Reason.ABORTED))
        report(table, first)
        return
    for seat in late:
        if table.game.state == "running":
            leave(table, seat, Reason.TIMEOUT)


def _is_up(table: LoadedGame, seat: Seat, player: Player) -> bool:
    """Return whether a seat's time and grace period are over, after crediting the time that it gets back."""
    action, game = table.action, table.game
    stored_pauses.credit_mail(action.session, game, seat, player, action.now)
    if game.shows_ready:
        note_credits(table)
    deadlines.recompute_deadline(action.session, game, seat, player, action.now)
    if seat.grace_until is None or seat.grace_until > action.now:
        return False
    if not stored_pauses.spend_vacation(action.session, seat, player, deadlines.terms_of(game), action.now):
        return True
    deadlines.recompute_deadline(action.session, game, seat, player, action.now)
    return seat.grace_until <= action.now


def _consequence_of_timeout(table: LoadedGame, number: int) -> Consequence:
    """Return the consequence for a seat whose time is up."""
    seat, terms = table.seats[number].seat, deadlines.terms_of(table.game)
    if not table.rules.may_abstain(table.position):
        return Consequence(terms.timeout)
    if seat.heard_turn == table.game.turn:
        return Consequence.MISS
    return terms.overdue(seat.misses)
