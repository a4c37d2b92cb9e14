"""The computer opponent: moves through the same door as everybody else."""

import contextlib
import random
from datetime import datetime
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from rules import bots
from server import play
from server.db import reading, writing
from server.errors import Refused
from server.game import log
from server.models import Game, Player, Seat
from server.outbox import Post
from server.play import Place
from server.vault import Vault


def move_next(engine: Engine, vault: Vault, now: datetime) -> bool:
    """Make one move of the computer; False when no game waits for it."""
    with reading(engine) as session:
        found = _waiting(session)
        if found is None:
            return False
        game, seat, player = found
        rules, position = log.rules_of(game), log.position_of(game)
        place = Place(log.identity(game), seat.number, game.turn)
        session.expunge(player)
    # It thinks without holding anything; when the game has gone on meanwhile, its move is refused as stale.
    move: Any = bots.choose(rules, position, place.seat, random.SystemRandom().randrange)
    with contextlib.suppress(Refused), writing(engine) as session:
        play.submit(Post(session, vault, now), player, place, rules.format(move))
    return True


def _waiting(session: Session) -> tuple[Game, Seat, Player] | None:
    query = (
        select(Game, Seat, Player)
        .where(Seat.game_id == Game.id, Seat.player_id == Player.id)
        .where(Game.state == "running", col(Seat.owes).is_(True), col(Player.computer).is_(True))
        .order_by(col(Game.changed_at))
        .limit(1)
    )
    return session.exec(query).first()
