"""Reminders: one mail for all that a player owes, at most one every twelve hours."""

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col, select

from rules.game import Json
from server.clock.reminders import REST
from server.game import log, timing
from server.store import failures
from server.store.deferral import is_muted
from server.store.models import Game, Player, Seat
from server.store.outbox import Post
from server.store.sealing import Vault


def remind_next(engine: Engine, vault: Vault, now: datetime) -> bool:
    """Remind one player of all that he owes; False when nobody is to be reminded."""
    unsettled = failures.is_put_off(timing.SETTLING, now, col(Seat.game_id))
    due = select(Player).where(Seat.player_id == Player.id, col(Seat.remind_at) <= now, ~unsettled)
    return failures.act_on_first(engine, vault, now, "reminding", due.order_by(col(Seat.remind_at)), _remind)


def _remind(post: Post, player: Player) -> None:
    settled = timing.settle_all(post.session, player, post.now)
    owed = [(each.game, each.seat) for each in settled]
    due = [(game, seat) for game, seat in owed if seat.remind_at is not None and seat.remind_at <= post.now]
    if not due:
        return
    if player.reminded_at is not None and post.now - min(player.reminded_at, post.now) < REST:
        _put_off(due, player.reminded_at + REST)
        return
    due = [(game, seat) for game, seat in due if not is_muted(seat, post.now)]
    told = [pair for pair in owed if pair[1].deadline_at is not None and not is_muted(pair[1], post.now)]
    told = sorted(told, key=lambda found: found[1].deadline_at or post.now)
    told += [pair for pair in due if pair[1].deadline_at is None]
    listed = [_row(post, game, seat) for game, seat in told]
    for game, seat in owed:
        seat.reminded_at = post.now
        timing.settle(post.session, game, seat, player, post.now)
    if due:
        player.reminded_at = post.now
        post.put_to_player(player, "reminder", player=player.id, owed=listed)


def _row(post: Post, game: Game, seat: Seat) -> Json:
    """What the letter says of one game: when the move is due, or without a deadline, when the game ends."""
    due = seat.deadline_at
    ends = timing.alive_until(post.session, game) if due is None else None
    moments = {"due": due, "ends": ends}
    written = {name: moment and moment.isoformat() for name, moment in moments.items()}
    return {"game": log.identity(game), "seat": seat.number, **written}


def _put_off(due: list[tuple[Game, Seat]], moment: datetime) -> None:
    """Remind later, where that is still before the deadline."""
    for _, seat in due:
        in_time = seat.deadline_at is None or moment < seat.deadline_at
        seat.remind_at = moment if in_time else None
