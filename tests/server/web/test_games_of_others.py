"""How many games others play costs nobody anything: no page makes the database look at all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import insert
from sqlmodel import select

from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from tests.counting import sqlite_steps
from tests.server.browsers import Browser, add_player, begin, logged_in
from tests.services import sqlite_database

_A_PAGE_FULL = 60
"""What a list takes that was shorter than a page, and now is full."""
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
_OF_ALL_OWN_GAMES = {"/games", "/games?list=finished", "/games/now", "/games/new/nibble", *_PAGES[7:8]}
"""Pages that say how many games of one's own are over, or sort them: a thousand cost a few milliseconds."""


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    """SQLite, which counts what it does, and is sooner than PostgreSQL led into looking at everything."""
    return sqlite_database(tmp_path)


def copy(services: Services, number: int, state: str, numbers: range) -> None:
    """Store games like this one, with these numbers, in a state."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number).model_dump() | {"state": state}
        ended = {"outcome": "lost", "owes": False} if state == "over" else {}
        rows = session.exec(select(Seat).where(Seat.game_id == number))
        seats = [seat.model_dump() | ended for seat in rows]
    with writing(services.engine) as session:
        session.execute(insert(Game), [{**game, "id": each} for each in numbers])
        session.execute(insert(Seat), [{**seat, "game_id": each} for each in numbers for seat in seats])


def steps(services: Services, browser: Browser) -> dict[str, int]:
    """What each page has the database do."""
    found = {}
    for page in _PAGES:
        with sqlite_steps(services) as taken:
            assert browser.get(page).status_code == 200
        found[page] = taken[0]
    return found


@pytest.mark.parametrize("state", ["running", "over", "open", "invited"])
def test_no_page_looks_at_all_games(
    app: Flask, services: Services, ann: Player, ben: Player, state: str
) -> None:
    copy(services, begin(services, "nibble", ann, ben), "running", range(100, 140))
    cleo, dan = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Cleo", "Dan"))
    theirs = begin(services, "nibble", cleo, dan)
    browser = logged_in(app, services, ann)
    few = steps(services, browser)
    copy(services, theirs, state, range(1000, 4000))
    many = steps(services, browser)
    assert {page: taken for page, taken in many.items() if taken > few[page] + _A_PAGE_FULL} == {}


def test_games_of_ones_own_that_are_over_cost_other_pages_nothing(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    number = begin(services, "nibble", ann, ben)
    browser = logged_in(app, services, ann)
    few = steps(services, browser)
    copy(services, number, "over", range(1000, 2000))
    many = steps(services, browser)
    grown = {page for page, taken in many.items() if taken > few[page] + _A_PAGE_FULL}
    assert grown <= _OF_ALL_OWN_GAMES
