"""Games against computer players, and moves of one that always thinks the same."""

from __future__ import annotations

import random
from dataclasses import replace

from rules.asked import child
from rules.asked.child import Question
from server.accounts import court
from server.game import lobby, log
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import Action
from server.store.tokens import ReplyToken


def begin_solo(services: Services, player: Player, kind: str, *, computers: int = 1, **options: object) -> int:
    """The number of a new game of a player against the computer, unrated if nothing else is said."""
    with writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        others = [court.member(action, level) for level in range(1, 1 + computers)]
        first = session.get_one(Player, player.id)
        return log.identity(lobby.challenge(action, first, others, kind, {"rated": "off", **options}))


def seat_of(services: Services, number: int, player: Player) -> int:
    """The seat that the lot gave a player."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        return next(seat.number for seat, other in log.seats(session, game) if other.id == player.id)


def turn_of(services: Services, number: int) -> int:
    """The turn to be played."""
    with reading(services.engine) as session:
        return session.get_one(Game, number).turn


def reply_address(services: Services, number: int, seat: int) -> str:
    """Where the player of a seat writes about the turn to be played."""
    token = services.tokens.write(ReplyToken(number, seat, turn_of(services, number)))
    return f"play+{token}@games.example.org"


def think(question: Question) -> str:
    """A move of the weakest player."""
    return child.answer(replace(question, level=1), random.Random(1).randrange)
