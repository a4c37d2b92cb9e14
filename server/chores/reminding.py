"""Reminders: one mail for all that a player owes, at most one every twelve hours."""

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col, select

from server import db
from server.clock.reminders import REST
from server.game import log, timing
from server.holding import is_muted
from server.models import Game, Player, Seat
from server.outbox import Post
from server.vault import Vault


def remind_next(engine: Engine, vault: Vault, now: datetime) -> bool:
    """Remind one player of all that he owes; False when nobody is to be reminded."""
    due = select(Player).where(Seat.player_id == Player.id, col(Seat.remind_at) <= now)
    return db.act_on_first(
        engine,
        due.order_by(col(Seat.remind_at)),
        lambda session, player: _remind(Post(session, vault, now), player),
    )


def _remind(post: Post, player: Player) -> None:
    owed = timing.settle_all(post.session, player, post.now)
    due = [(game, seat) for game, seat in owed if seat.remind_at is not None and seat.remind_at <= post.now]
    if not due:
        return
    if player.reminded_at is not None and post.now - min(player.reminded_at, post.now) < REST:
        _put_off(due, player.reminded_at + REST)
        return
    due = [(game, seat) for game, seat in due if not is_muted(seat, post.now)]
    listed = [
        {"game": log.identity(game), "seat": seat.number, "due": seat.deadline_at.isoformat()}
        for game, seat in sorted(owed, key=lambda found: found[1].deadline_at or post.now)
        if seat.deadline_at is not None and not is_muted(seat, post.now)
    ]
    for game, seat in owed:
        seat.reminded_at = post.now
        timing.settle(post.session, game, seat, player, post.now)
    if due:
        player.reminded_at = post.now
        post.put_to_player(player, "reminder", player=player.id, owed=listed)


def _put_off(due: list[tuple[Game, Seat]], moment: datetime) -> None:
    """Remind later, where that is still before the deadline."""
    for _, seat in due:
        in_time = seat.deadline_at is not None and moment < seat.deadline_at
        seat.remind_at = moment if in_time else None
