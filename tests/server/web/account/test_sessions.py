"""The sessions of a player: listed, and ended one by one."""

from __future__ import annotations

import re

from flask import Flask
from sqlmodel import select

from server.accounts.login import sessions
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Login, Player
from tests.support.counting import statements
from tests.support.server.emails import PLAY, receive
from tests.support.server.services import Clock
from tests.support.web.client import Browser
from tests.support.web.client import logged_in as enter
from tests.support.web.games import Match
from tests.support.web.open_pages import Open
from tests.support.web.push_service import Device, allow, allowed

_PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def phone(app: Flask, services: Services, player: Player) -> Browser:
    """A browser on a phone in which the player is logged in."""
    browser = Browser(app)
    browser.client.environ_base["HTTP_USER_AGENT"] = _PHONE
    with reading(services.engine) as session:
        secret = services.logins.write(session.get_one(Player, player.id))
    assert browser.send(f"/enter/{secret}").status_code == 303
    return browser


def number_of(browser: Browser) -> str:
    """Return the number of the first other login on the page."""
    return str(re.findall(r'name="login" value="(\d+)"', browser.get("/settings/logins").text)[0])


def test_each_login_is_listed_with_browser_and_times(
    app: Flask, services: Services, ann: Player, clock: Clock
) -> None:
    phone(app, services, ann)
    clock.advance(hours=50)
    here = enter(app, services, ann)
    page = here.text("/settings/logins")
    assert page.index("A browser (this browser)") < page.index("Firefox on Android Logged in 2 d 2 h ago")


def test_one_session_is_logged_out_and_the_others_are_not(app: Flask, services: Services, ann: Player) -> None:
    lost, here = phone(app, services, ann), enter(app, services, ann)
    ended = here.send("/settings/logins", login=number_of(here))
    assert ended.location == "/settings/logins"
    assert "You are logged out in Firefox on Android" in here.text("/settings/logins")
    assert lost.get("/games").location == "/"
    assert here.get("/games").status_code == 200


def test_all_other_sessions_end_immediately(app: Flask, services: Services, ann: Player) -> None:
    others, here = [enter(app, services, ann) for _ in range(3)], enter(app, services, ann)
    here.send("/settings/logins", login="others")
    assert "Logged out in other browsers: 3." in here.text("/settings/logins")
    assert {other.get("/games").location for other in others} == {"/"}
    assert here.get("/games").status_code == 200


def test_a_player_cannot_end_the_sessions_of_others(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    hers, his = enter(app, services, ann), enter(app, services, ben)
    his.send("/settings/logins", login="1")
    his.send("/settings/logins", login="others")
    assert hers.get("/games").status_code == 200


def test_open_page_of_an_ended_session_is_notified(app: Flask, services: Services, open_game: Match) -> None:
    lists, game = (Open(open_game.browsers[0], address) for address in ("/games", open_game.address))
    assert not lists.has_news()
    with writing(services.engine) as session:
        for login in list(session.exec(select(Login))):
            sessions.end(session, login.player_id, [login.number])
    assert open_game.browsers[0].get(lists.now).status_code == 303
    assert open_game.browsers[0].get(game.now).headers["ETag"] == Browser(app).get(game.now).headers["ETag"]


def test_notifications_end_with_the_login(app: Flask, services: Services, ann: Player) -> None:
    lost = phone(app, services, ann)
    allow(lost, services, Device("https://push.example/one"))
    here = enter(app, services, ann)
    here.send("/settings/logins", login=number_of(here))
    assert allowed(services) == {}


def test_last_use_is_stored_once_an_hour(app: Flask, services: Services, ann: Player, clock: Clock) -> None:
    browser = enter(app, services, ann)
    for minutes, writes in ((30, 0), (40, 1), (10, 0)):
        clock.advance(hours=minutes / 60)
        with statements(services) as asked:
            browser.get("/games")
        assert len([each for each in asked if each.startswith("UPDATE login")]) == writes


def test_unused_login_expires(services: Services, ann: Player, clock: Clock) -> None:
    with writing(services.engine) as session:
        for number in (1, 2):
            session.get_one(Player, ann.id).login_serial = number
            sessions.begin(session, services.now(), session.get_one(Player, ann.id), "A browser")
    clock.advance(hours=59 * 24)
    with writing(services.engine) as session:
        sessions.note_use(session, services.now(), ann.id or 0, 2)
    clock.advance(hours=48)
    with writing(services.engine) as session:
        sessions.forget(session, services.now())
        assert [login.number for login in session.exec(select(Login))] == [2]


def test_least_recently_used_of_many_logins_ends(services: Services, ann: Player, clock: Clock) -> None:
    with writing(services.engine) as session:
        player = session.get_one(Player, ann.id)
        for number in range(1, sessions.MOST_LOGINS + 3):
            player.login_serial = number
            sessions.begin(session, services.now(), player, "A browser")
            clock.advance(hours=1)
        numbers = [login.number for login in sessions.list_logins(session, player)]
    assert numbers == list(range(sessions.MOST_LOGINS + 2, 2, -1))


def test_new_login_in_a_browser_ends_the_old_one(app: Flask, services: Services, ann: Player) -> None:
    browser = enter(app, services, ann)
    with reading(services.engine) as session:
        secret = services.logins.write(session.get_one(Player, ann.id))
    browser.send(f"/enter/{secret}")
    with reading(services.engine) as session:
        assert [login.number for login in session.exec(select(Login))] == [2]


def test_sessions_are_managed_by_email(app: Flask, services: Services, ann: Player) -> None:
    browser, other = phone(app, services, ann), enter(app, services, ann)
    (listed,) = receive(services, "ann@example.org", PLAY, "logins")
    assert "1: Firefox on Android" in listed.words
    assert "2: A browser" in listed.words
    (told,) = receive(services, "ann@example.org", PLAY, "logout 1")
    assert "You are logged out in Firefox on Android, number 1." in told.words
    assert (browser.get("/games").status_code, other.get("/games").status_code) == (303, 200)
    (wrong,) = receive(services, "ann@example.org", PLAY, "logout 1")
    assert "You are not logged in with the number 1. Write “logins” for a list" in wrong.words
    receive(services, "ann@example.org", PLAY, "log out all")
    assert other.get("/games").status_code == 303
    (none,) = receive(services, "ann@example.org", PLAY, "logins")
    assert "You are not logged in on any device." in none.words
