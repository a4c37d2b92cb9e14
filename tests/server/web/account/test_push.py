"""Notifications in browsers: on the settings page, at logins, and their delivery."""

from __future__ import annotations

import io
import json
import logging
import re

import pytest
from flask import Flask
from PIL import Image
from sqlmodel import select

from server.accounts import players
from server.limits import LONGEST_ENDPOINT, MOST_BROWSERS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Channel, Notice, Player
from server.web.shared.browser_names import name_of
from tests.support.database.contents import everything_stored
from tests.support.server.emails import receive
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.push_service import FIREFOX, Device, allow, allowed

PLACE = "https://push.example.com/send/quince-4711"


@pytest.fixture
def device() -> Device:
    return Device(PLACE)


def test_browser_is_shown_tested_and_removed(
    app: Flask, services: Services, ann: Player, device: Device
) -> None:
    browser = logged_in(app, services, ann)
    assert "Firefox on Android" not in browser.text("/settings")
    assert allow(browser, services, device).location == "/settings#browsers"
    page = browser.text("/settings")
    assert "Firefox on Android will notify you when it is your turn." in page
    assert "Firefox on Android (this browser) Added just now" in page
    (number,) = allowed(services)
    browser.send("/settings/browsers/try", browser=number)
    assert "A test notification is on its way to Firefox on Android." in browser.text("/settings")
    browser.send("/settings/browsers/try", browser=number)
    assert "try again in a minute" in browser.text("/settings")
    with reading(services.engine) as session:
        assert session.exec(select(Notice)).one().game_id is None
    browser.send("/settings/browsers/remove", browser=number)
    assert "Firefox on Android will no longer notify you." in browser.text("/settings")
    assert allowed(services) == {}
    for way in ("try", "remove"):
        browser.send(f"/settings/browsers/{way}", browser=number)
        assert "That browser no longer gets notifications." in browser.text("/settings")


def test_subscription_secrets_are_neither_shown_nor_logged_nor_stored_in_plain_text(
    app: Flask, services: Services, ann: Player, ben: Player, device: Device, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        mine, other = (logged_in(app, services, player) for player in (ann, ben))
        allow(mine, services, device)
        secrets = device.fields("")
        del secrets["key"]
        seen = [browser.get("/settings").text for browser in (mine, other)]
    stored = everything_stored(services).decode(errors="replace")
    for text in (*seen, stored, caplog.text):
        assert not any(secret in text for secret in ("quince", *secrets.values()))
    assert "Firefox on Android" not in seen[1]


@pytest.mark.both
def test_others_cannot_remove_or_test_a_browser(
    app: Flask, services: Services, ann: Player, ben: Player, device: Device
) -> None:
    allow(logged_in(app, services, ann), services, device)
    (number,) = allowed(services)
    other = logged_in(app, services, ben)
    for way in ("try", "remove"):
        other.send(f"/settings/browsers/{way}", browser=number)
    assert list(allowed(services)) == [number]
    allow(other, services, Device("https://push.example.com/other"), instead=number)
    assert set(allowed(services).values()) == {ann.id, ben.id}
    with reading(services.engine) as session:
        assert session.exec(select(Notice)).all() == []


@pytest.mark.both
def test_browser_belongs_to_the_player_who_allowed_it_last(
    app: Flask, services: Services, ann: Player, ben: Player, device: Device
) -> None:
    mine = logged_in(app, services, ann)
    for _ in range(2):
        allow(mine, services, device)
    (number,) = allowed(services)
    mine.send("/settings/browsers/try", browser=number)
    allow(logged_in(app, services, ben), services, device)
    assert list(allowed(services).values()) == [ben.id]
    with reading(services.engine) as session:
        assert session.exec(select(Notice)).all() == [], "Ben does not get Ann's notification"


def test_new_subscription_of_a_browser_replaces_the_old_one(
    app: Flask, services: Services, ann: Player, device: Device
) -> None:
    browser = logged_in(app, services, ann)
    allow(browser, services, device)
    (number,) = allowed(services)
    allow(browser, services, Device("https://push.example.com/new"), instead=number)
    (other,) = allowed(services)
    with reading(services.engine) as session:
        assert session.get_one(Channel, other).mark != services.sealer.mark(f"browser {PLACE}")


def test_number_of_browsers_is_limited(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    for number in range(MOST_BROWSERS + 1):
        allow(browser, services, Device(f"https://push.example.com/{number}"))
    assert len(allowed(services)) == MOST_BROWSERS
    assert f"{MOST_BROWSERS} browsers: remove" in browser.text("/settings")
    allow(browser, services, Device("https://push.example.com/0"))
    assert "already" not in browser.text("/settings"), "it is one of them"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "place",
    [
        "",
        "nonsense",
        "http://push.example.com/x",
        "https:///x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://user:word@push.example.com/x",
        "https://push.example.com:99999/x",
        "https://push.example.com:8443/x",
        "https://push.example.com/x y",
        "https://push.example.com/\u00e9",
        "https://[push.example.com/x",
        "file:///etc/passwd",
        f"https://push.example.com/{'x' * LONGEST_ENDPOINT}",
    ],
)
def test_invalid_push_endpoints_are_refused(app: Flask, services: Services, ann: Player, place: str) -> None:
    browser = logged_in(app, services, ann)
    allow(browser, services, Device(place))
    assert "no address to which notifications can be sent" in browser.text("/settings")
    assert allowed(services) == {}


@pytest.mark.parametrize(
    "change",
    [
        {"p256dh": ""},
        {"p256dh": "BA" + "A" * 85},
        {"p256dh": "\u00e9"},
        {"auth": ""},
        {"auth": "AAAA"},
        {"auth": "x" * 1000},
    ],
)
def test_invalid_keys_are_refused(
    app: Flask, services: Services, ann: Player, device: Device, change: dict[str, str]
) -> None:
    browser = logged_in(app, services, ann)
    allow(browser, services, device, **change)
    assert "no address to which notifications can be sent" in browser.text("/settings")
    assert allowed(services) == {}


def test_page_with_an_old_server_key_is_refused(
    app: Flask, services: Services, ann: Player, device: Device
) -> None:
    browser = logged_in(app, services, ann)
    assert f'data-key="{services.push_keys.public}"' in browser.get("/settings").text
    allow(browser, services, device, key="x")
    assert "This page is out of date" in browser.text("/settings")
    assert allowed(services) == {}


def test_logging_out_ends_notifications_of_that_browser_only(
    app: Flask, services: Services, ann: Player, device: Device
) -> None:
    here, elsewhere = (logged_in(app, services, ann) for _ in range(2))
    allow(here, services, device)
    allow(elsewhere, services, Device("https://push.example.com/elsewhere"))
    first, second = allowed(services)
    answer = here.send("/logout")
    assert answer.headers["Clear-Site-Data"] == '"storage"'
    assert list(allowed(services)) == [second]
    assert first != second
    assert here.send("/logout").status_code == 303
    assert elsewhere.send("/logout/everywhere").headers["Clear-Site-Data"] == '"storage"'
    assert allowed(services) == {}


def test_new_login_of_the_same_player_keeps_notifications(
    app: Flask, services: Services, ann: Player, ben: Player, device: Device
) -> None:
    browser = logged_in(app, services, ann)
    allow(browser, services, device)
    enter(browser, services, ann)
    assert len(allowed(services)) == 1
    browser.send("/logout")
    assert allowed(services) == {}, "it is known by the new login"


def test_login_of_another_player_ends_notifications(
    app: Flask, services: Services, ann: Player, ben: Player, device: Device
) -> None:
    browser = logged_in(app, services, ann)
    allow(browser, services, device)
    enter(browser, services, ben)
    assert allowed(services) == {}


def test_browser_with_an_expired_login_is_recognized_at_the_next(
    app: Flask, services: Services, ann: Player, device: Device
) -> None:
    allow(logged_in(app, services, ann), services, device)
    later = logged_in(app, services, ann)
    assert " data-current" not in later.get("/settings").text
    allow(later, services, device)
    assert " data-current" in later.get("/settings").text
    assert "will notify you" not in later.text("/settings"), "that is nothing new"
    later.send("/logout")
    assert allowed(services) == {}


def enter(browser: Browser, services: Services, player: Player) -> None:
    """Log in in a browser in which another player may be logged in."""
    with reading(services.engine) as session:
        secret = services.logins.write(session.get_one(Player, player.id))
    assert browser.send(f"/enter/{secret}").status_code == 303


@pytest.mark.parametrize("way", ["mail", "settings", "link"])
def test_stop_ends_notifications_in_browsers(
    app: Flask, services: Services, ann: Player, device: Device, way: str
) -> None:
    browser = logged_in(app, services, ann)
    allow(browser, services, device)
    if way == "mail":
        receive(services, "ann@example.org", "play@games.example.org", "stop")
    elif way == "settings":
        browser.send("/settings/mail", mail="stop")
    else:
        Browser(app).client.post(f"/stop/{services.logins.write_stop(players.identity(ann))}")
    assert allowed(services) == {}
    with reading(services.engine) as session:
        assert session.get_one(Player, ann.id).mail_stopped


def test_service_worker_is_checked_each_time(app: Flask) -> None:
    answer = Browser(app).get("/service-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "cache" not in answer.text


def test_manifest_links_to_existing_pages_and_icons(app: Flask) -> None:
    browser = Browser(app)
    page = browser.get("/").text
    (place,) = re.findall(r'<link rel="manifest" href="([^"]+)">', page)
    (touched,) = re.findall(r'<link rel="apple-touch-icon" href="([^"]+)">', page)
    answer = browser.get(place)
    assert answer.headers["Content-Type"].startswith("application/manifest+json")
    manifest = json.loads(answer.data)
    assert browser.get(manifest["start_url"]).status_code == 303
    icons = {each["src"]: each["sizes"] for each in manifest["icons"]} | {touched: "180x180"}
    for address, size in icons.items():
        picture = Image.open(io.BytesIO(browser.get(address).data))
        assert f"{picture.width}x{picture.height}" == size
        corner, middle = (picture.convert("RGB").getpixel(place) for place in ((0, 0), (picture.width // 2, 5)))
        assert corner == middle == (181, 98, 60), "it has no corners that could be seen"
    assert browser.get("/icons/193.png").status_code == 404


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX, "Firefox on Android"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
            "Safari/537.36 Edg/140.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile "
            "Safari/537.36",
            "Chrome on Android",
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 "
            "Chrome/130.0.0.0 Mobile Safari/537.36",
            "Samsung Internet on Android",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/18.5 Mobile/15E148 Safari/604.1",
            "Safari on an iPhone",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/18.5 Safari/605.1.15",
            "Safari on a Mac",
        ),
        ("<script>", "A browser"),
        ("", "A browser"),
    ],
)
def test_browsers_have_plain_names(user_agent: str, name: str) -> None:
    assert name_of(user_agent) == name


def test_page_without_scripts_explains_the_requirements(app: Flask, services: Services, ann: Player) -> None:
    answer = logged_in(app, services, ann).get("/settings")
    assert "open this page in it with JavaScript enabled; it will ask for your permission" in readable(answer)
    (form,) = re.findall(r'<form id="allow"[^>]*>', answer.text)
    assert form.endswith(" hidden>")


@pytest.mark.both
def test_queued_notifications_are_deleted_with_a_browser(
    app: Flask, services: Services, ann: Player, device: Device
) -> None:
    """Runs on a database that checks foreign keys."""
    browser = logged_in(app, services, ann)
    allow(browser, services, device)
    (number,) = allowed(services)
    with writing(services.engine) as session:
        session.add(Notice(channel_id=number, game_id=None, turn=0, seats=[], due_at=services.now()))
    browser.send("/logout")
    assert allowed(services) == {}
    with reading(services.engine) as session:
        assert session.exec(select(Notice)).all() == []
