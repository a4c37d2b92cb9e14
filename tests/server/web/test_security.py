"""Protection of players from other sites and from curious people, on every page of every route."""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask, abort
from sqlmodel import SQLModel, col, select
from werkzeug.http import parse_date

from rules.drawing import STYLE
from server.accounts import account_changes, players
from server.accounts.login import sessions
from server.accounts.login.links import Watching
from server.game.lobby import challenges
from server.game.log import log
from server.game.messages import messages
from server.jobs import downtime
from server.limits import LARGEST_FORM
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading, writing
from server.store.letters.account import AccountChanged
from server.store.models import Game, Inbox, Player, Seat
from server.store.outbox import ActionContext
from server.store.tokens import ConfirmationToken
from server.tournaments import signup
from server.web import create_app
from tests.support.server.emails import receive, reply_address
from tests.support.server.games import begin, open_game, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock, settings_for, sqlite_database
from tests.support.web.administrators import entered
from tests.support.web.client import Browser, readable
from tests.support.web.page_addresses import ADMIN_PAGES, FORMS, secret_link
from tests.support.web.page_addresses import PAGES as PLAYERS_PAGES

PAGES = PLAYERS_PAGES | ADMIN_PAGES
_FOR_PROGRAMS = ("feeds.atom", "feeds.calendar")
"""Documents with absolute URLs, for programs that do not start from a page."""
_PICTURES = ("exports.svg", "exports.png", "exports.film", "exports.card")
_LOOKED_AT_AGAIN = "notified.service_worker"
"""Responses that browsers cache, but revalidate."""
_KEPT = ("static", "notified.draw_icon", "public.board", "games.board", "lobby.board", *_PICTURES)
"""Responses that browsers cache."""
_ONE_CLICK = {"unsubscribe.stop": "/stop/{stop}", "unwatching.end": "/unwatch/{unwatch}"}
"""Requests that mail programs may send without a CSRF token."""
_API = "api."
"""The API, where cookies are ignored; tested in `tests/server/web/api`."""
_PROVIDERS = "webhooks.take"
"""Webhooks of providers; tested in test_mail_webhooks."""


@dataclass(frozen=True)
class Site:
    """Pages with a game, and a player who has a seat in it and is an administrator."""

    app: Flask
    services: Services
    browser: Browser
    game: int
    secret: str
    stop: str
    unwatch: str
    question: str
    feed: str
    link: str
    quarantined: int
    change: str
    undo: str
    opened: int
    """An open game."""
    invited: int
    """A game to which another player invites them."""

    def address(self, pattern: str) -> str:
        return pattern.format(**vars(self))

    def tables(self) -> list[list[str]]:
        """Return all rows of the database as text."""
        with reading(self.services.engine) as session:
            models = sorted(SQLModel.__subclasses__(), key=lambda model: model.__name__)
            return [sorted(map(repr, session.exec(select(model)))) for model in models]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that is shared by all tests that change nothing."""
    with opened_site(tmp_path_factory.mktemp("site")) as opened:
        yield opened


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A site for one test that changes it."""
    with opened_site(tmp_path) as opened:
        yield opened


@contextmanager
def opened_site(folder: Path) -> Iterator[Site]:
    with closing(open_services(settings_for(sqlite_database(folder)), Clock())) as services:
        yield site_over(services)


def site_over(services: Services) -> Site:
    app = create_app(services)
    ann, ben = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben"))
    game = begin(services, "nebuchadnezzar", ann, ben, size=5)
    with writing(services.engine) as session:
        first = session.get_one(Player, session.get_one(Seat, (game, 0)).player_id)
        first.feed_key = feed = "f" * 32
        messages.say(
            ActionContext(session, services.sealer, services.now()),
            session.get_one(Game, game),
            1,
            "Good luck!",
        )
        signup.make(ActionContext(session, services.sealer, services.now()), first, "Cup", "nibble", {})
        other = session.get_one(Player, session.get_one(Seat, (game, 1)).player_id)
        challenge = challenges.challenge(
            ActionContext(session, services.sealer, services.now()), other, [first], "nibble", {}
        )
        invited = log.id_of(challenge)
    downtime.beat(services.engine, services.now())
    browser = entered(app, services, first)
    with reading(services.engine) as session:
        secret = services.logins.write(session.get_one(Player, first.id))
    number = players.identity(first)
    stop = services.logins.write_stop(number)
    changed = AccountChanged(number, "passkey", "Phone", "", services.now(), first.email)
    undo = services.logins.write_undo(changed)
    unwatch = services.logins.write_unwatch(Watching(number, 7, None))
    kept, opened = secret_link(services, game, first), open_game(services, first)
    question, waits, mail = asked(services, game), change(services, first), quarantined(services)
    return Site(
        app,
        services,
        browser,
        game,
        secret,
        stop,
        unwatch,
        question,
        feed,
        kept,
        mail,
        waits,
        undo,
        opened,
        invited,
    )


def quarantined(services: Services) -> int:
    """Return the number of a quarantined email."""
    receive(services, "eve@example.com", "postmaster@games.example.org", "Is anybody there?")
    with writing(services.engine) as session:
        mail = session.exec(select(Inbox).order_by(col(Inbox.id).desc()).limit(1)).one()
        mail.state, mail.handled_at = "quarantined", services.now()
        return mail.id or 0


def change(services: Services, player: Player) -> str:
    """Return the secret part of the link with which a player confirms another address."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        account_changes.add(
            action, session.get_one(Player, player.id), "more@example.org", "play@games.example.org"
        )
        (waiting,) = account_changes.waiting_changes(session, player, services.now())
        return services.logins.write_change(waiting.id or 0, waiting.email)


def asked(services: Services, game: int) -> str:
    """Return the secret part of the page that asks a player whether an email from elsewhere is theirs."""
    recipient = reply_address(services, game, 0, 1)
    receive(services, "eve@example.com", recipient, "resign")
    with reading(services.engine) as session:
        return services.tokens.write(ConfirmationToken(session.exec(select(Inbox.id)).one() or 0))


@pytest.fixture
def encrypted(settings: Settings) -> Iterator[Flask]:
    """The same pages with https."""
    services = open_services(settings.model_copy(update={"base_url": "https://games.example.org"}))
    yield create_app(services)
    services.engine.dispose()


def test_every_route_is_in_the_tables_above(app: Flask) -> None:
    found: dict[str, set[str]] = {"GET": set(), "POST": set()}
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith(_API):
            continue
        (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        found[method].add(rule.endpoint)
    assert found == {"GET": set(PAGES), "POST": set(FORMS) | set(_ONE_CLICK) | {_PROVIDERS}}


@pytest.mark.sample(30)
@pytest.mark.slow
@pytest.mark.parametrize("pattern", PAGES.values())
def test_reading_a_page_changes_nothing(site: Site, pattern: str) -> None:
    before = site.tables()
    assert site.browser.get(site.address(pattern)).status_code in (200, 204, 303)
    expected = (404,) if pattern in ADMIN_PAGES.values() else (200, 204, 303)
    assert Browser(site.app).get(site.address(pattern)).status_code in expected
    assert site.tables() == before


@pytest.mark.sample(40)
@pytest.mark.slow
@pytest.mark.parametrize("pattern", FORMS.values())
def test_form_of_another_site_is_refused(site: Site, pattern: str) -> None:
    before = site.tables()
    form = {"turn": "1", "text": "c3", "say": "hello", "name": "Zoe", "email": "zoe@example.org"}
    for stolen in ({}, {"csrf_token": ""}, {"csrf_token": Browser(site.app).token()}):
        answer = site.browser.client.post(site.address(pattern), data=form | stolen)
        assert answer.status_code == 400
    assert site.tables() == before


@pytest.mark.sample(30)
@pytest.mark.slow
@pytest.mark.parametrize("pattern", [*PAGES.values(), "/nowhere", "/games/99", "/logout", "/rules/chess"])
def test_responses_have_security_headers(site: Site, pattern: str) -> None:
    for browser in (site.browser, Browser(site.app)):
        headers = browser.get(site.address(pattern)).headers
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        for part in ("form-action", "script-src", "connect-src", "worker-src", "manifest-src"):
            assert policy[part] == "'self'"
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "camera=()" in headers["Permissions-Policy"]
        assert "Strict-Transport-Security" not in headers


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern", [pattern for name, pattern in PAGES.items() if name not in (*_KEPT, _LOOKED_AT_AGAIN)]
)
def test_pages_are_not_cached_by_browsers(site: Site, pattern: str) -> None:
    assert site.browser.get(site.address(pattern)).headers["Cache-Control"] == "no-store"


def test_style_and_pictures_are_cached(site: Site) -> None:
    for name in _KEPT:
        assert "max-age" in Browser(site.app).get(site.address(PAGES[name])).headers["Cache-Control"]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [pattern for name, pattern in PAGES.items() if name not in _FOR_PROGRAMS])
def test_pages_load_nothing_from_elsewhere_and_run_only_own_modules(site: Site, pattern: str) -> None:
    page = site.browser.get(site.address(pattern)).data.decode(errors="replace")
    modules = re.findall(r'<script type="module" src="/static/[0-9a-f]+/[a-z]+\.js"></script>', page)
    assert page.count("<script") == len(modules)
    for forbidden in (
        "javascript:",
        " style=",
        " onclick",
        'src="http',
        'href="http',
        "@import",
        "url(http",
    ):
        assert forbidden not in page


def test_policy_names_the_style_of_boards(site: Site) -> None:
    answer = site.browser.get(f"/games/{site.game}")
    assert f"<style>{STYLE}</style>" in answer.text
    name = base64.b64encode(sha256(STYLE.encode()).digest()).decode()
    assert f"'sha256-{name}'" in answer.headers["Content-Security-Policy"]


def test_only_pages_prolong_the_session_and_only_once_an_hour(browser: Browser, clock: Clock) -> None:
    """Pictures and updates may arrive after the next page, whose cookie has the token of its forms."""
    browser.get("/games")
    for _ in range(2):
        clock.advance(hours=1)
        for mode in ("no-cors", "cors", "same-origin"):
            answer = browser.client.get("/games", headers={"Sec-Fetch-Mode": mode})
            assert answer.status_code == 200
            assert "Set-Cookie" not in answer.headers
        assert "Set-Cookie" in browser.get("/games").headers
        assert "Set-Cookie" not in browser.get("/games").headers


def test_cookies_have_secure_attributes(app: Flask, browser: Browser, clock: Clock) -> None:
    clock.advance(hours=1)
    players_cookie = browser.get("/games").headers["Set-Cookie"]
    for cookie in (Browser(app).get("/").headers["Set-Cookie"], players_cookie):
        assert cookie.startswith("nabu=")
        assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
        assert "Secure" not in cookie
    expires = parse_date(re.findall("Expires=([^;]+)", players_cookie)[0])
    assert expires is not None
    # Flask adds to the time of the machine, not to that of the test's clock.
    assert abs(expires - datetime.now(UTC) - sessions.LASTS) < timedelta(hours=1)


def test_cookies_and_headers_behind_https(encrypted: Flask) -> None:
    answer = Browser(encrypted).client.get("/", base_url="https://games.example.org")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-nabu=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [lambda c: c[:-2] + "xx", lambda c: c.rsplit(".", 2)[0], lambda c: "nonsense"]
)
def test_forged_cookie_is_ignored(own_site: Site, change: type[str]) -> None:
    cookie = own_site.browser.client.get_cookie("nabu", domain="localhost")
    assert cookie is not None
    own_site.browser.client.set_cookie("nabu", change(cookie.value))
    assert own_site.browser.get("/games").location == "/"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("localhost", 200),
        ("games.example.org", 200),
        ("evil.example", 400),
        ("games.example.org.evil.example", 400),
        ("", 400),
    ],
)
def test_only_own_host_names_are_served(encrypted: Flask, host: str, status: int) -> None:
    for address in ("/", "/nowhere"):
        answer = encrypted.test_client().get(address, headers={"Host": host})
        assert answer.status_code == (status if address == "/" or status == 400 else 404)
        assert "evil" not in answer.text


def test_too_long_request_is_refused(site: Site) -> None:
    answer = site.browser.send(f"/games/{site.game}/say", text="x" * (LARGEST_FORM + 1))
    assert answer.status_code == 413
    assert "text is too long" in readable(answer)


@pytest.mark.slow
@pytest.mark.parametrize("number", ["9" * 16, "9" * 5000, "1\N{ARABIC-INDIC DIGIT TWO}"])
def test_impossible_number_of_a_game_is_not_found(site: Site, number: str) -> None:
    for pattern in PAGES.values():
        if "{game}" in pattern:
            assert site.browser.get(pattern.format(game=number, link="x")).status_code == 404, pattern
    for pattern in FORMS.values():
        if "{game}" in pattern:
            assert site.browser.send(pattern.format(game=number), turn=1).status_code == 404, pattern


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("code", [400, 403, 404, 405, 409, 413, 418, 429, 500, 503])
def test_error_pages_have_the_common_layout(site: Site, code: int) -> None:
    app = create_app(site.services)
    app.add_url_rule("/fail", view_func=lambda: abort(code))
    answer = Browser(app).get("/fail")
    assert answer.status_code == code
    assert answer.content_type == "text/html; charset=utf-8"
    assert '<html lang="en">' in answer.text
    assert "Go to the home page" in readable(answer)


def test_wrong_method_names_the_right_one(site: Site) -> None:
    answer = site.browser.get("/logout")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]


def test_internal_error_shows_and_logs_no_internal_data(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    def fail(secret: str) -> str:
        raise ValueError(f"orders 1 d4, {secret}")

    app = create_app(site.services)
    app.add_url_rule("/fail/<secret>", view_func=fail)
    with caplog.at_level(logging.DEBUG):
        answer = Browser(app).get("/fail/token123")
    assert answer.status_code == 500
    assert "Something went wrong on the server" in readable(answer)
    for text in (answer.text, caplog.text):
        assert "1 d4" not in text
        assert "token123" not in text
        assert "Traceback" not in text
    assert "ValueError at fail, line " in caplog.text


def test_page_of_a_login_link_does_not_repeat_the_secret(site: Site) -> None:
    page = site.browser.get(f"/enter/{site.secret}")
    assert site.secret not in page.text, "not even the form repeats it"
    assert "Log in · Nabu</title>" in page.text


def test_readyz_needs_the_database_and_healthz_does_not(app: Flask, services: Services) -> None:
    downtime.beat(services.engine, services.now())
    assert Browser(app).get("/readyz").text == "ready\n"
    nowhere = {"database_url": "postgresql+psycopg://nobody@127.0.0.1:1/x"}
    with closing(open_services(services.settings.model_copy(update=nowhere))) as broken:
        browser = Browser(create_app(broken))
        unready = browser.get("/readyz")
        assert (unready.status_code, unready.text) == (503, "database: it does not answer\n")
        assert browser.get("/healthz").text == "alive\nyou are 127.0.0.1\n"


def test_readyz_fails_before_a_worker_has_ever_run(app: Flask) -> None:
    page = Browser(app).get("/readyz")
    assert (page.status_code, page.text) == (503, "worker: no worker has ever run with this database\n")


def test_titles_contain_no_secret(own_site: Site) -> None:
    submit(own_site.services, own_site.game, 0, "c3")
    for pattern in PAGES.values():
        page = own_site.browser.get(own_site.address(pattern)).data.decode(errors="replace")
        title = page.partition("<title>")[2].partition("</title>")[0]
        assert "@" not in title
        assert own_site.secret not in title


def test_one_click_stops_email_and_nothing_else(own_site: Site) -> None:
    address = own_site.address(_ONE_CLICK["unsubscribe.stop"])
    answer = Browser(own_site.app).client.post(address, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    with reading(own_site.services.engine) as session:
        stopped = [player.name for player in session.exec(select(Player)) if player.mail_stopped]
        assert len(stopped) == 1
        assert session.get_one(Game, own_site.game).state == "running"


@pytest.mark.parametrize("secret", ["x", "1", "WzFd.abc"])
def test_damaged_stop_link_has_no_effect(site: Site, secret: str) -> None:
    before = site.tables()
    assert Browser(site.app).client.post(f"/stop/{secret}").status_code == 404
    assert site.tables() == before
