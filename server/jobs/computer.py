"""The computer opponent: moves through the same door as everybody else."""

import contextlib
import random
from datetime import datetime
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from rules.bots import flat
from server.errors import Refused
from server.game import log, play, randomness
from server.game.target import Target
from server.store import failures
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import Action
from server.store.sealing import Sealer

_JOB = "computer"


def move_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Make one move of the computer; False when no game waits for it."""
    with reading(engine) as session:
        number = _waiting(session, now)
    if number is None:
        return False
    with failures.noted(engine, now, _JOB, Game, number):
        _move(engine, sealer, now, number)
    return True


def _move(engine: Engine, sealer: Sealer, now: datetime, number: int) -> None:
    with reading(engine) as session:
        game = session.get_one(Game, number)
        seated = log.seats(session, game)
        randomness.mend(sealer, game, seated)
        owing = [(seat.number, player) for seat, player in seated if seat.owes]
        seat, player = next(((seat, player) for seat, player in owing if player.computer), (None, None))
        if seat is None or player is None:
            return
        rules, position, target = log.rules_of(game), log.position_of(game), Target(number, seat, game.turn)
        session.expunge(player)
    # It thinks without holding anything; when the game has gone on meanwhile, its move is refused as stale.
    move: Any = flat.choose(rules, position, target.seat, random.SystemRandom().randrange)
    with contextlib.suppress(Refused), writing(engine) as session:
        play.submit(Action(session, sealer, now), player, target, rules.format(move))
        failures.forget(session, _JOB, Game, number)


def _waiting(session: Session, now: datetime) -> int | None:
    """The number of a game that waits for the computer, unless it failed there just now."""
    query = (
        select(Game.id)
        .where(Seat.game_id == Game.id, Seat.player_id == Player.id)
        .where(Game.state == "running", col(Seat.owes).is_(True), col(Player.computer).is_(True))
        .where(~failures.is_put_off(_JOB, now, col(Game.id)))
        .order_by(col(Game.changed_at))
        .limit(1)
    )
    return session.exec(query).first()
