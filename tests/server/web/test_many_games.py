"""The list of a player with hundreds of games, and its small pictures."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import insert
from sqlmodel import select

from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from tests.support.counting import statements
from tests.support.server.games import begin, submit
from tests.support.web.client import Browser, logged_in
from tests.support.web.games import Match, match

LARGEST_PAGE = 60_000


def copy(services: Services, number: int, count: int) -> None:
    """Store copies of a game with different deadlines."""
    with writing(services.engine) as session:
        game = session.get_one(Game, number).model_dump(exclude={"id"})
        seats = [seat.model_dump() for seat in session.exec(select(Seat).where(Seat.game_id == number))]
        for each in range(count):
            copied = Game(**game)
            session.add(copied)
            session.flush()
            later = timedelta(hours=each)
            rows = [
                {
                    **seat,
                    "game_id": copied.id,
                    "deadline_at": seat["deadline_at"] and seat["deadline_at"] + later,
                }
                for seat in seats
            ]
            session.execute(insert(Seat), rows)


@pytest.fixture
def anns(app: Flask, services: Services, ann: Player, ben: Player) -> Browser:
    """The browser of Ann, who has games of all kinds."""
    for game_type in ("nelaxtam", "nexus"):
        begin(services, game_type, ann, ben)
    logged_in(app, services, ben).send("/games/new/nibble", opponents="Ann")
    browser = logged_in(app, services, ann)
    browser.send("/games/new/nibble", opponents="Ben")
    browser.get("/games")  # announcements are cached for a minute
    return browser


def test_page_of_500_games_runs_no_more_queries_and_is_no_larger(services: Services, anns: Browser) -> None:
    with statements(services) as few:
        anns.get("/games")
    with reading(services.engine) as session:
        numbers = [number or 0 for number in session.exec(select(Game.id))]
    for number in numbers:
        copy(services, number, 500 // len(numbers))
    with statements(services) as many:
        page = anns.get("/games")
    assert len(many) == len(few) <= 12
    assert len(page.data) < LARGEST_PAGE
    with statements(services) as listed:
        anns.get("/games?list=turns&page=3")
    assert len(listed) < len(few)


def pictures(page: str) -> list[str]:
    """Return the URLs of the pictures on a page."""
    return re.findall(r'<img src="([^"]+)"', page)


def test_pictures_show_the_board_after_the_last_turn(app: Flask, open_game: Match) -> None:
    listed = [open_game.browsers[seat].get("/games").text for seat in (0, 1)]
    assert [pictures(page) for page in listed] == [[f"{open_game.address}/boards/0.svg"]] * 2
    submit(open_game.services, open_game.number, 0, "c3")
    assert pictures(open_game.browsers[0].get("/games").text) == [f"{open_game.address}/boards/1.svg"]
    before, after = (Browser(app).get(f"{open_game.address}/boards/{turn}.svg") for turn in (0, 1))
    assert before.text.count("<circle") == 0 < after.text.count("<circle")
    assert after.content_type.startswith("image/svg+xml")
    assert after.headers["Cache-Control"] == "private, max-age=86400"
    assert "c3" not in after.text, "labels would be too small to be read"


@pytest.mark.both
def test_hidden_game_has_no_picture(app: Flask, services: Services, anns: Browser) -> None:
    with reading(services.engine) as session:
        asked = session.exec(select(Game.id).where(Game.state == "invited")).all()
    invitations = [address for address in pictures(anns.get("/games").text) if "nibble" in address]
    assert invitations == ["/game-types/nibble.svg"] * len(asked)
    for browser in (anns, Browser(app)):
        for number in (*asked, 99):
            assert browser.get(f"/games/{number}/boards/0.svg").status_code == 404
        for turn in ("1", "-1", "x", "9" * 16):
            assert browser.get(f"/games/1/boards/{turn}.svg").status_code == 404


def test_picture_is_the_same_for_all_and_shows_no_orders(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    game = match(app, services, "nelaxtam", ann, ben, size=10, troops=1, sea=0)
    for seat, orders in enumerate(("1 d4", "A c4")):
        submit(services, game.number, seat, orders)
    address = f"{game.address}/boards/1.svg"
    before = Browser(app).get(address).text
    submit(services, game.number, 0, "1 ne")
    assert {browser.get(address).text for browser in (*game.browsers, Browser(app))} == {before}
    assert pictures(game.browsers[0].get("/games").text) == [address], "it does not show who has given orders"
