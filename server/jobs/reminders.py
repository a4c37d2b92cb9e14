"""Reminders: one email for all moves that a player has to make, at most one every twelve hours."""

from datetime import datetime

from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.accounts.players import identity
from server.clock.reminders import REST
from server.game.clock import deadlines
from server.outbound.letters.reminders import OwedMove, Reminder
from server.store import failures
from server.store.deferral import is_muted
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext


def players_to_remind(now: datetime) -> SelectOfScalar[Player]:
    """Return the query for players who should be reminded of a move now."""
    unresolved = failures.is_put_off(deadlines.RECOMPUTING, now, col(Seat.game_id))
    due = select(Player).where(Seat.player_id == Player.id, col(Seat.remind_at) <= now, ~unresolved)
    return due.order_by(col(Seat.remind_at))


def remind(action: ActionContext, player: Player) -> None:
    """Remind a player of all moves that they have to make, in one email."""
    recomputed = deadlines.recompute_deadlines(action.session, player, action.now)
    owed = [(each.game, each.seat) for each in recomputed]
    due = [(game, seat) for game, seat in owed if seat.remind_at is not None and seat.remind_at <= action.now]
    if not due:
        return
    if player.reminded_at is not None and action.now - min(player.reminded_at, action.now) < REST:
        _put_off(due, player.reminded_at + REST)
        return
    due = [(game, seat) for game, seat in due if not is_muted(seat, action.now)]
    shown = [pair for pair in owed if pair[1].deadline_at is not None and not is_muted(pair[1], action.now)]
    shown = sorted(shown, key=lambda found: found[1].deadline_at or action.now)
    shown += [pair for pair in due if pair[1].deadline_at is None]
    listed = [_owed(action, game, seat) for game, seat in shown]
    for game, seat in owed:
        seat.reminded_at = action.now
        deadlines.recompute_deadline(action.session, game, seat, player, action.now)
    if due:
        player.reminded_at = action.now
        action.put_to_player(player, Reminder(identity(player), listed))


def _owed(action: ActionContext, game: Game, seat: Seat) -> OwedMove:
    """Return the letter's entry for one game: the deadline or, without one, the time at which the game ends."""
    due = seat.deadline_at
    ends = deadlines.alive_until(action.session, game) if due is None else None
    return OwedMove(seat.game_id, seat.number, due, ends)


def _put_off(due: list[tuple[Game, Seat]], moment: datetime) -> None:
    """Postpone reminders to `moment`; cancel those that would come after the deadline."""
    for _, seat in due:
        in_time = seat.deadline_at is None or moment < seat.deadline_at
        seat.remind_at = moment if in_time else None
