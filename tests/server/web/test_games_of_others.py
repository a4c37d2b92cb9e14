"""Other people's games do not slow down pages: no page reads all games from the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import cycle

import pytest
from flask import Flask
from sqlalchemy import insert, text
from sqlmodel import select

from server.accounts.players import identity
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from tests.support.counting import postgres_rows, sqlite_steps
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in

_A_PAGE_FULL = 80
"""The additional cost allowed for pages with longer lists, or with counts of games by an index."""
_STATES = ("running", "over", "open", "invited")
_PAGES = (
    "/games",
    "/games?list=finished",
    "/games/now",
    "/games/1",
    "/games/new/nibble",
    "/lobby",
    "/archive",
    "/archive?player=Ann&result=won",
    "/player/Ann",
    "/watching",
    "/settings",
    "/tournaments",
)


def copy(services: Services, number: int, state: str, numbers: range, company: Sequence[int] = ()) -> None:
    """Store copies of a game with these numbers in a state, one minute apart.

    Their players are taken in turn from a group, or are the same as in the game.
    """
    with reading(services.engine) as session:
        game = session.get_one(Game, number).model_dump() | {"state": state}
        seats = [seat.model_dump() for seat in session.exec(select(Seat).where(Seat.game_id == number))]
    games, seated, players = [], [], cycle(company)
    for each in numbers:
        at = game["changed_at"] + timedelta(minutes=each)
        ended = {"outcome": "lost", "owes": False, "over_at": at} if state == "over" else {}
        games.append({**game, "id": each, "changed_at": at})
        for seat in seats:
            player = next(players, seat["player_id"])
            seated.append({**seat, **ended, "game_id": each, "player_id": player})
    with writing(services.engine) as session:
        session.execute(insert(Game), games)
        session.execute(insert(Seat), seated)


def costs(services: Services, browser: Browser) -> dict[str, int]:
    """Return the database cost of each page: hundreds of SQLite instructions, or rows in PostgreSQL."""
    is_sqlite = services.engine.dialect.name == "sqlite"
    if not is_sqlite:
        with writing(services.engine) as session:
            session.execute(text("ANALYZE"))
    found = {}
    for page in _PAGES:
        with (sqlite_steps if is_sqlite else postgres_rows)(services) as taken:
            assert browser.get(page).status_code == 200
        found[page] = taken[0]
    return found


@pytest.mark.long
def test_no_page_reads_all_games(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    copy(services, begin(services, "nibble", ann, ben), "running", range(100, 140))
    others = [add_player(services, f"other{number}@example.org", f"Other {number}") for number in range(200)]
    theirs, company = begin(services, "nibble", *others[:2]), list(map(identity, others))
    browser = logged_in(app, services, ann)
    for number, state in enumerate(_STATES, 1):
        copy(services, theirs, state, range(number * 10_000, number * 10_000 + 100), company)
    few = costs(services, browser)
    for number, state in enumerate(_STATES, 1):
        copy(services, theirs, state, range(number * 10_000 + 100, number * 10_000 + 5_000), company)
    many = costs(services, browser)
    assert {page: taken for page, taken in many.items() if taken > few[page] + _A_PAGE_FULL} == {}


def test_finished_games_are_at_most_counted(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nibble", ann, ben)
    browser = logged_in(app, services, ann)
    # More than the number of latest games in which pages look for suggested opponents.
    copy(services, number, "over", range(100, 320))
    few = costs(services, browser)
    copy(services, number, "over", range(1000, 2000))
    many = costs(services, browser)
    assert {page: many[page] - few[page] for page in many if many[page] > few[page] + _A_PAGE_FULL} == {}
