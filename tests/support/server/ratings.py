"""Rated games, and the data that is counted from them: ratings, tallies, habits."""

from __future__ import annotations

from typing import Any

from sqlmodel import select

from server.game.views.profile import Profile, profile_of
from server.jobs.table import COUNTING
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Conduct, Habit, Player, Rating, RatingChange, Tally
from tests.support.server.games import begin, resign, submit

BOARD = {"size": 5}


OPENING = ("e5", "a1")


def play_one(services: Services, winner: Player, loser: Player, moves: int = 2, **options: object) -> int:
    """Play a game that one of two players resigns after this number of moves; return its number."""
    number = begin(services, "nebuchadnezzar", winner, loser, **BOARD, **options)
    for seat, move in enumerate(OPENING[:moves]):
        submit(services, number, seat, move)
    resign(services, number, loser)
    return number


def count_all(services: Services) -> None:
    while COUNTING.run_next(services.engine, services.sealer, services.now()):
        pass


def counted(services: Services, *tables: type[Any]) -> list[list[dict[str, Any]]]:
    """Return all rows of counted data, or of these tables, in a fixed order."""
    with reading(services.engine) as session:
        return [
            sorted((row.model_dump() for row in session.exec(select(table))), key=_cells)
            for table in tables or (Rating, RatingChange, Tally, Habit, Conduct)
        ]


def _cells(row: dict[str, Any]) -> list[str]:
    return sorted(map(str, row.items()))


def known_of(services: Services, player: Player) -> Profile:
    with reading(services.engine) as session:
        return profile_of(session, session.get_one(Player, player.id))


def set_rating(services: Services, player: Player, mu: float, *, sigma: float = 2.0) -> None:
    """Give a player a rating in fast games of Nibble, provisional with a large `sigma`."""
    with writing(services.engine) as session:
        number = player.id or 0
        rating = Rating(player_id=number, game_type="nibble", pace="fast", mu=mu, sigma=sigma, games=20)
        session.add(rating)
