"""Private URLs: a feed and a calendar for other programs, which their player can change."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from icalendar import Calendar
from lxml import etree  # type: ignore[import-untyped]

from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player, Seat
from tests.support.counting import statements
from tests.support.server.games import begin, say, submit
from tests.support.web.client import Browser, logged_in
from tests.support.web.games import Match

_ADDRESS = re.compile(r"<code>http://127\.0\.0\.1:8000(/feeds/[\w-]{32}/[a-z.]+)</code>")
_ATOM = {"a": "http://www.w3.org/2005/Atom"}


def addresses(browser: Browser) -> list[str]:
    """Return the URLs on the settings page of the player who is logged in."""
    return _ADDRESS.findall(browser.get("/settings").text)


@pytest.fixture
def program(app: Flask) -> Browser:
    """A browser without a login that reads feeds."""
    return Browser(app)


def made(browser: Browser) -> tuple[str, str]:
    """Create new private URLs; return those of the feed and of the calendar."""
    assert browser.send("/settings/feeds", feeds="new").status_code == 303
    feed, calendar = addresses(browser)
    return feed, calendar


def entries(program: Browser, feed: str) -> list[dict[str, str]]:
    """Return the entries of a feed, each by the names of its parts."""
    answer = program.get(feed)
    assert answer.content_type == "application/atom+xml; charset=utf-8"
    root = etree.fromstring(answer.data)
    assert root.findtext("a:updated", namespaces=_ATOM)
    found = [
        {etree.QName(part).localname: part.text or part.get("href", "") for part in entry}
        for entry in root.findall("a:entry", _ATOM)
    ]
    assert all({"id", "title", "updated", "link", "content"} <= entry.keys() for entry in found)
    assert len({entry["id"] for entry in found}) == len(found)
    return found


def test_feeds_exist_only_for_players_who_want_them(open_game: Match) -> None:
    browser = open_game.browsers[0]
    assert addresses(browser) == []
    assert "Create private addresses" in browser.text("/settings")


def test_feed_addresses_can_be_changed_and_removed(open_game: Match, program: Browser) -> None:
    browser = open_game.browsers[0]
    first, second = made(browser), made(browser)
    assert first != second
    for address in first:
        assert program.get(address).status_code == 404
    for address in second:
        assert program.get(address).status_code == 200
    browser.send("/settings/feeds", feeds="off")
    assert addresses(browser) == []
    for address in (*second, "/feeds/None/games.atom", "/feeds/x/deadlines.ics"):
        assert program.get(address).status_code == 404


def test_feed_contains_waiting_and_finished_games(
    services: Services, ann: Player, ben: Player, open_game: Match, program: Browser
) -> None:
    feeds = [made(browser)[0] for browser in open_game.browsers]
    first, second = ([entry["title"] for entry in entries(program, feed)] for feed in feeds)
    names = {ann.name, ben.name}
    (opponent,) = (
        name for name in names if first == [f"Your turn: Nebuchadnezzar {open_game.number} with {name}"]
    )
    (me,) = names - {opponent}
    assert second == []
    submit(services, open_game.number, 0, "c3")
    say(services, open_game.number, 0, "My plan is secret.")
    (entry,) = entries(program, feeds[1])
    assert entry["title"] == f"Your turn: Nebuchadnezzar {open_game.number} with {me}"
    assert re.fullmatch(r"Turn 2 waits for you, until Wed 4 March 2026, \d\d:\d\d UTC\.", entry["content"])
    open_game.browsers[1].send("/settings", zone="Asia/Tokyo")
    (entry,) = entries(program, feeds[1])
    assert entry["content"].endswith(":00 Asia/Tokyo (UTC+9).")
    assert entry["link"] == f"http://127.0.0.1:8000/games/{open_game.number}"
    for feed in feeds:
        assert not re.search(r"\bc3\b|secret", program.get(feed).text)
    open_game.browsers[1].send(f"{open_game.address}/resign", turn=2)
    for feed in feeds:
        (entry,) = entries(program, feed)
        assert entry["title"].startswith("Result: Nebuchadnezzar")
        assert "resign" in entry["content"]


def test_feed_contains_invitations(
    app: Flask, services: Services, ann: Player, ben: Player, program: Browser
) -> None:
    feed, _ = made(logged_in(app, services, ben))
    number = str(logged_in(app, services, ann).send("/games/new/nibble", opponents="Ben").location)[7:]
    (entry,) = entries(program, feed)
    assert entry["title"] == f"Invitation: Nibble {number} with Ann"


def test_each_turn_is_an_entry_of_its_own(services: Services, open_game: Match, program: Browser) -> None:
    feed, _ = made(open_game.browsers[0])
    (first,) = entries(program, feed)
    submit(services, open_game.number, 0, "c3")
    assert entries(program, feed) == []
    submit(services, open_game.number, 1, "a1")
    (second,) = entries(program, feed)
    assert first["id"] != second["id"]


def test_calendar_has_the_deadlines_of_own_moves(
    services: Services, ann: Player, ben: Player, open_game: Match, program: Browser
) -> None:
    begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, time="none")
    mine, theirs = (made(browser)[1] for browser in open_game.browsers)
    answer = program.get(mine)
    assert answer.content_type == "text/calendar; charset=utf-8"
    (event,) = Calendar.from_ical(answer.data).walk("VEVENT")
    with reading(services.engine) as session:
        seat = session.get_one(Seat, (open_game.number, 0))
        turn = session.get_one(Game, open_game.number).turn
    assert seat.deadline_at is not None
    assert event.decoded("dtstart") == seat.deadline_at.replace(microsecond=0)
    assert str(event["uid"]) == f"game-{open_game.number}-turn-{turn}@127.0.0.1"
    assert str(event["summary"]).startswith(f"Your move is due: Nebuchadnezzar {open_game.number} with ")
    assert b"DTSTART:20" in answer.data
    assert answer.data.count(b"Z\r\n") == 2, "all moments are in UTC"
    assert list(Calendar.from_ical(program.get(theirs).data).walk("VEVENT")) == []


def test_calendar_queries_only_moves(
    app: Flask, services: Services, ann: Player, ben: Player, program: Browser
) -> None:
    _, calendar = made(logged_in(app, services, ben))
    with statements(services) as before:
        program.get(calendar)
    logged_in(app, services, ann).send("/games/new/nibble", opponents="Ben")
    with statements(services) as after:
        program.get(calendar)
    assert after == before


def test_unchanged_feed_is_answered_with_304(open_game: Match, program: Browser) -> None:
    for address in made(open_game.browsers[0]):
        mark = program.get(address).headers["ETag"]
        again = program.client.get(address, headers={"If-None-Match": mark})
        assert (again.status_code, again.data) == (304, b"")


@pytest.mark.both
def test_feed_address_with_a_nul_character_is_a_bad_request(program: Browser) -> None:
    for name in ("games.atom", "deadlines.ics"):
        assert program.get(f"/feeds/a%00b/{name}").status_code == 400


def test_two_players_of_one_program_have_their_own_feeds(
    app: Flask, services: Services, program: Browser, ann: Player, ben: Player
) -> None:
    begin(services, "nibble", ann, ben)
    texts = [program.get(made(logged_in(app, services, player))[0]).text for player in (ann, ben)]
    ids = [set(re.findall("<id>(.*?)</id>", text)) for text in texts]
    assert all(ids)
    assert not ids[0] & ids[1]
