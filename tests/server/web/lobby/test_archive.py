"""The search for finished games: it finds all public games, and no others."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from rules.reasons import Reason
from rules.result import Result
from server.accounts import players
from server.game.log import log
from server.game.play import loaded_game
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext
from server.web.lobby.archive import _PAGE
from tests.support.counting import statements
from tests.support.server.games import begin
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in

_CARD = re.compile(r'class="card" href="/games/(\d+)"')


@pytest.fixture
def stranger(app: Flask) -> Browser:
    """A visitor without a login."""
    return Browser(app)


def end(services: Services, number: int, winners: list[Player]) -> int:
    """End a game: these players have won, or share a draw."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        game = session.get_one(Game, number)
        won = {player.id for player in winners}
        seats = tuple(seat.number for seat, player in log.seats(session, game) if player.id in won)
        reason = Reason.AGREED_DRAW if seats[1:] else Reason.RESIGNED if seats else Reason.ABORTED
        loaded_game.finish(loaded_game.load_game(action, game), Result(seats, reason))
    return number


def found(browser: Browser, query: str = "") -> list[int]:
    """Return the numbers of the games that a search finds, in order."""
    page = browser.get(f"/archive?{query}")
    assert page.status_code == 200
    return [int(number) for number in _CARD.findall(page.text)]


@pytest.fixture
def five(services: Services, clock: Clock, ann: Player, ben: Player, cleo: Player) -> list[int]:
    """Five games that end on consecutive days from 2 March: Ann wins, Ben wins, a draw, Cleo wins, no win."""
    games = []
    for game_type, seated, winners in (
        ("nibble", (ann, ben), [ann]),
        ("nexus", (ann, ben), [ben]),
        ("nibble", (ben, cleo), [ben, cleo]),
        ("nibble", (ann, cleo), [cleo]),
        ("nelaxtam", (ann, cleo), []),
    ):
        clock.advance(days=1)
        games.append(end(services, begin(services, game_type, *seated), winners))
    return games


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("query", "ends"),
    [
        ("", [5, 4, 3, 2, 1]),
        ("player=Ann", [5, 4, 2, 1]),
        ("player=+aNN+", [5, 4, 2, 1]),
        ("player=Ann&result=won", [1]),
        ("player=Ann&result=lost", [4, 2]),
        ("player=Cleo&result=drawn", [3]),
        ("player=Cleo&result=abandoned", [5]),
        ("result=won", [4, 2, 1]),
        ("result=lost", [4, 2, 1]),
        ("result=drawn", [3]),
        ("game_type=nibble", [4, 3, 1]),
        ("game_type=nibble&player=Ben&result=won", []),
        ("since=2026-03-04", [5, 4, 3]),
        ("until=2026-03-04", [3, 2, 1]),
        ("since=2026-03-03&until=2026-03-03", [2]),
        ("since=0001-01-01&until=9999-12-31", [5, 4, 3, 2, 1]),
        ("player=Nobody", []),
        ("page=2", []),
        ("page=-1", [5, 4, 3, 2, 1]),
    ],
)
def test_archive_is_searched(stranger: Browser, five: list[int], query: str, ends: list[int]) -> None:
    assert found(stranger, query) == [five[number - 1] for number in ends]


def test_midnight_belongs_to_the_day_that_begins(
    stranger: Browser, services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    clock.advance(hours=12)
    number = end(services, begin(services, "nibble", ann, ben), [ann])
    assert found(stranger, "since=2026-03-02&until=2026-03-02") == [number]
    assert found(stranger, "until=2026-03-01") == found(stranger, "since=2026-03-03") == []


def test_card_shows_public_data(stranger: Browser, five: list[int]) -> None:
    said = stranger.text("/archive?player=Ben&result=won")
    assert re.search(
        rf"NEXUS und Rabauken {five[1]} (Ann, Ben|Ben, Ann) Ben wins: the other side resigned\. .*"
        r"ended Tue 3 March 2026 , Tue 3 March 2026, 12:00 UTC",
        said,
    )
    assert "@" not in said


def test_only_finished_games_are_found(
    app: Flask, services: Services, stranger: Browser, ann: Player, ben: Player
) -> None:
    begin(services, "nibble", ann, ben)
    anns = logged_in(app, services, ann)
    for _ in range(2):
        anns.send("/games/new/nibble", opponents="Ben")
    anns.send("/games/2/decline")
    for browser in (stranger, anns):
        assert found(browser) == []
        assert "There are no finished games yet." in browser.text("/archive")


def test_unknown_name_is_answered_like_any_other(services: Services, stranger: Browser, ann: Player) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        invited = players.invite(action, "zoe@world.test", "play@games.example.org").name
    told = [stranger.text(f"/archive?player={name}") for name in ("Ann", "Nobody", invited)]
    assert ["No finished games match." in text for text in told] == [True] * 3
    assert len(set(told)) == 1


@pytest.mark.both
def test_days_are_in_the_readers_zone(
    app: Flask, services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    with writing(services.engine) as session:
        session.get_one(Player, ann.id).zone = "Asia/Tokyo"
    number = begin(services, "nibble", ann, ben)
    clock.advance(hours=4)
    end(services, number, [ann])
    assert found(logged_in(app, services, ann), "since=2026-03-02") == [number]
    assert found(Browser(app), "since=2026-03-02") == []
    assert found(Browser(app), "until=2026-03-01") == [number]


def test_unreadable_input_is_explained_at_its_field(stranger: Browser, five: list[int]) -> None:
    answer = stranger.get("/archive?since=soon&player=Ann")
    assert answer.status_code == 422
    assert '<p class="problem" id="since-problem">' in answer.text
    assert 'value="Ann"' in answer.text
    assert _CARD.findall(answer.text) == []
    for query in ("game_type=chess", "result=glory"):
        assert stranger.get(f"/archive?{query}").status_code == 404


@pytest.mark.both
def test_pages_of_results_keep_the_search(
    services: Services, stranger: Browser, ann: Player, ben: Player
) -> None:
    numbers = [end(services, begin(services, "nibble", ann, ben), [ann]) for _ in range(3)]
    with writing(services.engine) as session:
        one = session.get_one(Game, numbers[0]).model_dump(exclude={"id", "changed_at"})
        seats = [seat.model_dump() for seat in session.exec(select(Seat).where(Seat.game_id == numbers[0]))]
        for each in range(1, 31):
            game = Game(**one, changed_at=services.now() - timedelta(days=each))
            session.add(game)
            session.flush()
            own = {"game_id": game.id, "over_at": game.changed_at}
            session.add_all(Seat(**{**seat, **own}) for seat in seats)
            numbers.insert(0, game.id or 0)
    pages = [found(stranger, f"player=Ann&page={page}") for page in (1, 2, 3, 4)]
    assert pages[0][:3] == numbers[-1:-4:-1]
    assert [len(page) for page in pages] == [_PAGE, _PAGE, 33 - 2 * _PAGE, 0]
    assert sorted(number for page in pages for number in page) == sorted(numbers)
    first, last = (stranger.get(f"/archive?player=Ann&page={page}") for page in (1, 3))
    assert 'href="/archive?page=2&amp;player=Ann">More<' in first.text
    assert 'href="/archive?page=2&amp;player=Ann">Back<' in last.text
    assert (">Back<" in first.text, ">More<" in last.text) == (False, False)
    assert len(first.data) < 60_000
    with statements(services) as asked:
        stranger.get("/archive?player=Ann&result=won")
    assert len(asked) <= 4


@pytest.mark.parametrize("database", ["sqlite"])
def test_archive_is_searched_by_an_index(services: Services) -> None:
    """With few games, PostgreSQL reads them all."""
    with reading(services.engine) as session:
        query = (
            "SELECT id FROM game WHERE state = 'over' AND changed_at < '2026' ORDER BY changed_at DESC, id DESC"
        )
        plan = session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
    assert [row[-1] for row in plan] == [
        "SEARCH game USING COVERING INDEX ix_game_state_changed_at (state=? AND changed_at<?)"
    ]
