"""Signing up, logging in and settings."""

from __future__ import annotations

import email
import re
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import default
from html import unescape

import pytest
from flask import Flask
from sqlmodel import col, select
from werkzeug.test import TestResponse

from server.accounts import bounces, computer_players, players
from server.accounts.login import sessions
from server.accounts.login.links import MOST_LINKS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext
from tests.support.server.services import Clock
from tests.support.web.client import Browser, logged_in, readable

_LINK = re.compile(r"http://127\.0\.0\.1:8000(/enter/\S+)")


def links_in(answer: TestResponse) -> dict[str, str]:
    """Return the URLs of the links of a page by their labels."""
    return {label: unescape(url) for url, label in re.findall(r'<a href="([^"]*)">([^<]*)</a>', answer.text)}


def queued(services: Services) -> Sequence[Outbox]:
    with reading(services.engine) as session:
        found = session.exec(select(Outbox).where(Outbox.state == "queued").order_by(col(Outbox.id)))
        rows = list(found)
        session.expunge_all()
        return rows


def last_link(services: Services) -> str:
    """Return the URL in the last email."""
    writer = services.delivery().writer
    with reading(services.engine) as session:
        mail = email.message_from_bytes(writer.write(session, queued(services)[-1]), policy=default)
    assert isinstance(mail, EmailMessage)
    body = mail.get_body(preferencelist=("plain",))
    assert body is not None
    found = _LINK.search(body.get_content())
    assert found is not None
    return found[1]


def test_page_tells_players_whose_emails_bounce(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    with writing(services.engine) as session:
        bounces.bounced(session, services.now(), session.get_one(Player, ann.id), hard=True)
    assert "Emails to you bounced, so we have stopped sending them." in browser.text("/games")
    assert "To get email again, write to play@games.example.org from that address." in browser.text("/settings")


def test_stranger_signs_up_with_two_forms(app: Flask, services: Services) -> None:
    browser = Browser(app)
    asked = browser.send("/register", name="Ann", email="Ann@Example.org")
    assert (asked.status_code, asked.location) == (303, "/sent")
    (mail,) = queued(services)
    assert (mail.letter, mail.recipient) == ("register_link", "ann@example.org")
    link = last_link(services)
    assert 'value="Ann"' in browser.get(link).text
    assert browser.send(link, name="Ann").location == "/games"
    assert "Your games" in browser.text("/games")
    with reading(services.engine) as session:
        player = players.by_email(session, "ann@example.org")
        assert player is not None
        assert player.confirmed_at is not None


def test_taken_name_can_be_replaced(app: Flask, services: Services, ann: Player) -> None:
    browser = Browser(app)
    browser.send("/register", name="Ann", email="other@example.org")
    link = last_link(services)
    refused = browser.send(link, name="ann")
    assert refused.status_code == 409
    assert "The name ann is taken." in readable(refused)
    assert 'value="ann"' in refused.text
    assert browser.send(link, name="Anna").status_code == 303
    assert "Anna" in browser.text("/games")


def test_new_player_chooses_a_time_zone(app: Flask, services: Services) -> None:
    browser = Browser(app)
    browser.send("/register", name="Ann", email="ann@example.org")
    link = last_link(services)
    assert 'name="zone" type="text" value=""' in browser.get(link).text
    refused = browser.send(link, name="Anna", zone="berln")
    assert refused.status_code == 422
    assert "Did you mean Europe/Berlin or" in readable(refused)
    assert 'value="Anna"' in refused.text
    assert browser.send(link, name="Anna", zone="berlin").status_code == 303
    with reading(services.engine) as session:
        player = players.by_email(session, "ann@example.org")
        assert player is not None
        assert (player.name, player.zone) == ("Anna", "Europe/Berlin")


def test_browser_zone_is_stored_at_the_first_login(app: Flask, services: Services, ann: Player) -> None:
    def log_in(seen: str) -> str:
        browser = Browser(app)
        browser.send("/login", email=ann.email)
        browser.send(last_link(services), **{"zone-seen": seen})
        with reading(services.engine) as session:
            return f"{session.get_one(Player, ann.id).zone}: {browser.text('/games')}"

    assert log_in("Mars/Olympus").startswith(": ")
    assert log_in("").startswith(": ")
    first = log_in("Europe/Berlin")
    assert first.startswith("Europe/Berlin: ")
    assert "Your time zone is Europe/Berlin (UTC+1); it is now Sun 1 March 2026, 13:00." in first
    later = log_in("Asia/Tokyo")
    assert later.startswith("Europe/Berlin: ")
    assert "Your time zone" not in later


def test_sign_up_link_creates_one_player(app: Flask, services: Services) -> None:
    Browser(app).send("/register", name="Ann", email="ann@example.org")
    link = last_link(services)
    assert Browser(app).send(link, name="Ann").status_code == 303
    again = Browser(app).send(link, name="Anna")
    assert again.status_code == 409
    assert "already registered, as Ann" in readable(again)


def test_invited_player_signs_up_under_their_name(app: Flask, services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        players.invite(
            ActionContext(session, services.sealer, services.now()), "ben@example.org", "games.example.org"
        )
    browser = Browser(app)
    browser.send("/register", name="Benjamin", email="ben@example.org")
    assert browser.send(last_link(services), name="Benjamin").status_code == 303
    assert "Benjamin" in browser.text("/settings")


def test_player_logs_in_with_a_link(app: Flask, services: Services, ann: Player) -> None:
    browser = Browser(app)
    assert browser.send("/login", email=" ANN@example.org").location == "/sent"
    link = last_link(services)
    assert "Ann" in browser.text(link)
    assert browser.get("/games").location == "/"
    assert browser.send(link).location == "/games"
    assert browser.get("/games").status_code == 200


def test_login_link_works_once(app: Flask, services: Services, ann: Player) -> None:
    browser = Browser(app)
    browser.send("/login", email="ann@example.org")
    link = last_link(services)
    for _ in range(3):
        assert browser.get(link).status_code == 200, "looking at the page does not use the link up"
    assert browser.send(link).status_code == 303
    thief = Browser(app)
    assert thief.get(link).status_code == 410
    assert thief.send(link).status_code == 410
    assert thief.get("/games").location == "/"


def test_newer_login_invalidates_older_links(app: Flask, services: Services, ann: Player) -> None:
    browser = Browser(app)
    browser.send("/login", email="ann@example.org")
    older = last_link(services)
    logged_in(app, services, ann)
    assert browser.send(older).status_code == 410


@pytest.mark.parametrize("address", ["/enter/nonsense", "/enter/WzEsMF0.x.y"])
def test_wrong_link_is_refused(app: Flask, address: str) -> None:
    browser = Browser(app)
    assert browser.get(address).status_code == 410
    assert browser.send(address).status_code == 410


def test_known_and_unknown_addresses_get_the_same_response(app: Flask, services: Services, ann: Player) -> None:
    answers = []
    for address in ("ann@example.org", "nobody@example.org"):
        browser = Browser(app)
        response = browser.send("/login", email=address)
        answers.append((response.status_code, response.location, response.data, browser.text("/sent")))
    assert answers[0] == answers[1]
    assert [mail.recipient for mail in queued(services) if mail.letter == "login_link"] == ["ann@example.org"]


@pytest.mark.both
def test_known_and_unknown_addresses_write_the_same_rows(app: Flask, services: Services, ann: Player) -> None:
    for address in ("ann@example.org", "nobody@example.org"):
        Browser(app).send("/login", email=address)
    with reading(services.engine) as session:
        links = session.exec(select(Outbox.recipient, Outbox.state).where(Outbox.letter == "login_link")).all()
    assert sorted(links) == [("ann@example.org", "queued"), ("nobody@example.org", "sent")]


def test_player_who_signs_up_again_gets_a_login_link(app: Flask, services: Services, ann: Player) -> None:
    answer = Browser(app).send("/register", name="Other", email="ann@example.org")
    assert answer.location == "/sent"
    assert queued(services)[-1].letter == "login_link"


@pytest.mark.parametrize("page", ["/login", "/register"])
@pytest.mark.parametrize("address", ["ann@example.org", "nobody@example.org"])
def test_emails_to_one_address_are_limited(
    app: Flask, services: Services, clock: Clock, ann: Player, page: str, address: str
) -> None:
    browser = Browser(app)
    before = len(queued(services))
    locations = {browser.send(page, name="Zoe", email=address).location for _ in range(MOST_LINKS + 2)}
    assert locations == {"/sent"}
    assert len(queued(services)) - before in (0, MOST_LINKS)
    is_player = address == ann.email
    clock.advance(minutes=61)
    browser.send(page, name="Zoe", email=address)
    assert len(queued(services)) - before in (0, MOST_LINKS + is_player)
    clock.advance(hours=23)
    browser.send(page, name="Zoe", email=address)
    assert len(queued(services)) - before in (0, MOST_LINKS + 1 + is_player)


def test_invited_person_gets_few_links(app: Flask, services: Services, clock: Clock) -> None:
    with writing(services.engine) as session:
        players.invite(
            ActionContext(session, services.sealer, services.now()), "ben@example.org", "play@games.example.org"
        )
    for _ in range(24):
        Browser(app).send("/login", email="ben@example.org")
        clock.advance(minutes=50)
    assert len(queued(services)) == MOST_LINKS


@pytest.mark.parametrize(
    ("page", "fields", "sentence"),
    [
        ("/login", {"email": "ann"}, "is not an email address"),
        ("/login", {}, "is not an email address"),
        ("/login", {"email": "play@games.example.org"}, "an address of this server"),
        ("/register", {"email": "ann@example.org", "name": "<b>"}, "cannot be a name"),
        ("/register", {"email": "<i>", "name": "Ann"}, "is not an email address"),
        ("/register", {"email": "play+x@games.example.org", "name": "Ann"}, "an address of this server"),
    ],
)
def test_error_is_shown_at_the_field_and_the_input_kept(
    app: Flask, services: Services, page: str, fields: dict[str, str], sentence: str
) -> None:
    answer = Browser(app).send(page, **fields)
    assert answer.status_code == 422
    assert sentence in readable(answer)
    for written in fields.values():
        assert f'value="{written.replace("<", "&lt;").replace(">", "&gt;")}"' in answer.text
    assert not queued(services)


def test_pages_for_players_redirect_visitors_to_the_home_page(app: Flask) -> None:
    for page in ("/games", "/settings", "/games/new", "/games/new/nibble"):
        browser = Browser(app)
        answer = browser.get(page)
        assert (answer.status_code, answer.location) == (303, "/" if page == "/games" else f"/?return={page}")
        assert "Please log in first." in browser.text("/")


@pytest.mark.parametrize("page", ["/lobby", "/archive?page=2", "/player/Ann", "/settings", "/games/new/nibble"])
def test_visitors_return_to_their_page_after_logging_in(
    app: Flask, services: Services, ann: Player, page: str
) -> None:
    browser = Browser(app)
    answer = browser.get(page)
    door = answer.location or links_in(answer)["Log in"]
    (shown,) = {unescape(each) for each in re.findall(r'name="return" value="(.*?)"', browser.get(door).text)}
    browser.send("/login", email=ann.email, **{"return": shown})
    assert browser.send(last_link(services)).location == page


def test_new_players_return_to_their_page(app: Flask, services: Services) -> None:
    browser = Browser(app)
    assert links_in(browser.get("/lobby"))["Sign up"] == "/?return=/lobby#become"
    browser.send("/register", name="Ann", email="ann@example.org", **{"return": "/lobby"})
    assert browser.send(last_link(services), name="Ann").location == "/lobby"


def test_refused_form_keeps_the_page_to_return_to(app: Flask) -> None:
    answer = Browser(app).send("/login", email="nonsense", **{"return": "/lobby"})
    assert answer.status_code == 422
    assert 'name="return" value="/lobby"' in answer.text
    assert links_in(answer)["Log in"] == "/?return=/lobby#login"


@pytest.mark.parametrize("form", ["/settings", "/settings/mail"])
def test_form_of_an_ended_login_leads_back_to_its_page(app: Flask, form: str) -> None:
    assert Browser(app).send(form, mail="stop").location == "/?return=/settings"


@pytest.mark.parametrize(
    "page",
    [
        *("https://evil.example/lobby", "//evil.example/lobby", "/\\evil.example", "/\t/evil.example"),
        *("//evil.example", "/nowhere", "/logout", "javascript:alert(1)", "//[", "/", "/enter/x", ""),
    ],
)
def test_visitors_never_return_to_other_sites(app: Flask, services: Services, ann: Player, page: str) -> None:
    browser = Browser(app)
    browser.send("/login", email=ann.email, **{"return": page})
    assert browser.send(last_link(services)).location == "/games"


@pytest.mark.parametrize(("address", "form"), [("/login", "login"), ("/register", "become")])
def test_form_addresses_lead_to_the_forms(app: Flask, address: str, form: str) -> None:
    browser = Browser(app)
    page, _, anchor = browser.get(address).location.partition("#")
    found = browser.get(page).text
    assert re.search(rf'<h2 id="{anchor}">.+?<form method="post" action="{address}">', found, re.DOTALL), form
    assert anchor == form


def test_player_changes_the_name(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    browser = logged_in(app, services, ann)
    refused = browser.send("/settings", name="Ben")
    assert refused.status_code == 422
    assert "The name Ben is taken." in readable(refused)
    assert 'value="Ben"' in refused.text
    assert browser.send("/settings", name="Anna Lee").status_code == 303
    assert "Your name is now Anna Lee." in browser.text("/settings")
    assert 'value="Anna Lee"' in browser.get("/settings").text


def test_player_stops_and_resumes_email(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    for button, stopped in (("stop", True), ("resume", False)):
        browser.send("/settings/mail", mail=button)
        with reading(services.engine) as session:
            assert session.get_one(Player, ann.id).mail_stopped is stopped
        assert ("We do not send you email" in browser.text("/settings")) is stopped


def test_player_logs_out(app: Flask, services: Services, ann: Player) -> None:
    here, there = logged_in(app, services, ann), logged_in(app, services, ann)
    here.send("/logout")
    assert here.get("/games").location == "/"
    assert there.get("/games").status_code == 200


def test_player_logs_out_everywhere(app: Flask, services: Services, ann: Player) -> None:
    here, there = logged_in(app, services, ann), logged_in(app, services, ann)
    here.send("/logout/everywhere")
    assert here.get("/games").location == "/"
    assert there.get("/games").location == "/"
    assert logged_in(app, services, ann).get("/games").status_code == 200


def test_deleted_player_is_logged_out(app: Flask, services: Services, clock: Clock) -> None:
    with writing(services.engine) as session:
        computer = computer_players.computer(ActionContext(session, services.sealer, services.now()))
    browser = logged_in(app, services, computer)
    with writing(services.engine) as session:
        sessions.end_all(session, session.get_one(Player, computer.id))
        session.delete(session.get_one(Player, computer.id))
    assert browser.get("/games").location == "/"
