"""Games against computer players, which answer quickly in tests."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlmodel import select

from rules.analysis import hints, subprocess_worker
from rules.analysis.subprocess_worker import Question
from rules.game import Json
from rules.strengths import STRENGTHS
from server.accounts import computer_players
from server.game.lobby import challenges
from server.game.log import log
from server.jobs import computer_moves, inquiries
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext


def begin_solo(
    services: Services, player: Player, game_type: str, *, computers: int = 1, **options: object
) -> int:
    """Start a game of a player against the computer, unrated by default; return its number."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        others = [computer_players.member(action, level) for level in range(1, 1 + computers)]
        first = session.get_one(Player, player.id)
        return log.id_of(challenges.challenge(action, first, others, game_type, {"rated": "off", **options}))


def seat_of(services: Services, number: int, player: Player) -> int:
    """Return the seat that a player got by lot."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        return next(seat.number for seat, other in log.seats(session, game) if other.id == player.id)


def turn_of(services: Services, number: int) -> int:
    """Return the current turn."""
    with reading(services.engine) as session:
        return session.get_one(Game, number).turn


def think(question: Question) -> str:
    """Return a move of the weakest computer player."""
    return subprocess_worker.answer(replace(question, level=1), random.Random(1).randrange)


def shorten_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process search for a hint only as long as its form needs."""
    monkeypatch.setattr(hints, "STRENGTHS", (replace(STRENGTHS[-1], nodes=3, proves=10),))


def move_next(services: Services, ask: computer_moves.Ask = think) -> bool:
    """Let a computer player claim a turn and make its move; return False if no turn waits."""
    taken = computer_moves.claim(services.engine, services.now())
    if taken is not None:
        computer_moves.move(services.engine, services.sealer, services.now, taken, ask)
    return taken is not None


def challenge(
    services: Services, player: Player, *levels: int, game_type: str = "nelaxtam", **options: object
) -> int:
    """Start a game against these computer players, by default a simultaneous one; return its number."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        others = [computer_players.member(action, level) for level in levels]
        return log.id_of(
            challenges.challenge(action, session.get_one(Player, player.id), others, game_type, options)
        )


def arrive(services: Services, number: int, player: Player) -> None:
    """Record that a player uses a game's page."""
    with writing(services.engine) as session:
        seat = session.exec(select(Seat).where(Seat.game_id == number, Seat.player_id == player.id)).one()
        seat.page_at = services.now()


def owing(services: Services) -> list[int]:
    """Return the games in which a computer player has to move."""
    with reading(services.engine) as session:
        query = select(Seat.game_id).where(Seat.player_id == Player.id, Player.computer, Seat.owes)
        return sorted(session.exec(query))


class Thinker:
    """A quick replacement for the computer, which records its questions."""

    def __init__(self) -> None:
        self.asked: list[Json] = []

    def __call__(self, request: Json) -> Json:
        self.asked.append(json.loads(json.dumps(request)))
        return {
            "best": {"move": self.move, "looks": 812, "share": 0.618, "reply": "b2"},
            "second": {"move": "e5", "looks": 300, "share": 0.55, "reply": ""},
            "looks": 2000,
        }

    move = "c3"


SLIP = {"turn": 2, "seat": 1, "played": "a1", "share": 0.31, "better": "b2", "better_share": 0.52}


def assess(request: Json) -> Json:
    """Assess a game quickly in place of the computer."""
    numbers = [0, *(number for number, _ in request["turns"])]
    return {"numbers": numbers, "shares": [[0.5, 0.5], [0.62, 0.38], [0.69, 0.31], [0.7, 0.3]], "slips": [SLIP]}


def answer_all(services: Services, thinker: Callable[[Json], Json] = assess) -> None:
    """Answer all questions of players to the computer."""
    while inquiries.answer_next(services.engine, services.sealer, services.now(), thinker):
        pass
