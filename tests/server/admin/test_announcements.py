"""Announcements: the pages that show them, their end, and the recipients of their emails."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from server.admin import announcements
from server.admin.audit import AdminAction
from server.admin.roles import Role
from server.errors import BadRequest
from server.jobs import announcements as announcement_job
from server.processes.services import Services, open_services
from server.store.db import reading, writing
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from server.web import create_app
from tests.support.server.emails import letters
from tests.support.server.jobs import work_of
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.administrators import entered
from tests.support.web.client import Browser, readable


def announce(services: Services, text: str, *, days: float = 2, mail: bool = False) -> None:
    with writing(services.engine) as session:
        admin_action = AdminAction(ActionContext(session, services.sealer, services.now()))
        announcements.announce(admin_action, text, services.now() + timedelta(days=days), mail=mail)


def tell(services: Services) -> list[str]:
    """Return the recipients of the announcement's emails."""
    before = len(letters(services))
    while announcement_job.mail_some(work_of(services)):
        pass
    return [each.to for each in letters(services, before)]


def test_announcement_is_on_every_page_until_it_ends(app: Flask, services: Services, clock: Clock) -> None:
    announce(services, "We move on Sunday.\n\nEverything stops <for> an hour.")
    for address in ("/", "/archive", "/nowhere", "/rules/nibble"):
        page = Browser(app).get(address)
        assert "<p>We move on Sunday.</p>\n<p>Everything stops &lt;for&gt; an hour.</p>" in page.text
    clock.advance(days=2)
    assert "Sunday" not in Browser(app).get("/").text


def test_reply_addresses_are_removed_from_announcements(app: Flask, services: Services) -> None:
    token = services.tokens.write(ReplyToken(1, 0, 1))
    announce(services, f"Cleo wrote to play+{token}@games.example.org: we are slow.")
    assert "<p>Cleo wrote to [address removed]: we are slow.</p>" in Browser(app).get("/").text


def test_page_does_not_fail_when_announcements_cannot_be_read(services: Services) -> None:
    away = services.settings.model_copy(
        update={"database_url": "postgresql+psycopg://nobody:hush@127.0.0.1:1/x"}
    )
    other = open_services(away, services.now)
    assert Browser(create_app(other)).get("/nowhere").status_code == 404
    other.close()


@pytest.mark.both
def test_announcement_is_emailed_once_to_players_who_want_email(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [add_player(services, f"p{number}@example.org", f"P{number}") for number in range(7)]
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        rows = [session.get_one(Player, player.id) for player in people]
        rows[1].mail_stopped, rows[2].suspended_at = True, action.now
        rows[3].confirmed_at, rows[4].choices = None, {"mail": "never"}
    monkeypatch.setattr(announcement_job, "AT_ONCE", 2)
    announce(services, "Hello!", mail=True)
    assert tell(services) == ["p0@example.org", "p5@example.org", "p6@example.org"]
    assert tell(services) == []
    (mail,) = (each for each in letters(services) if each.to == "p6@example.org" and each.letter == "announced")
    assert "Hello!" in mail.text
    assert "Hello!" in mail.html


def test_announcement_without_email_is_not_emailed(services: Services, ann: Player) -> None:
    announce(services, "Hello!")
    assert tell(services) == []


def test_ended_announcement_is_not_emailed_further(services: Services, ann: Player, clock: Clock) -> None:
    announce(services, "Hello!", mail=True)
    clock.advance(days=3)
    assert tell(services) == []
    assert announcement_job.mail_some(work_of(services)) is False


def test_announcement_that_ends_before_sending_is_dropped(services: Services, ann: Player) -> None:
    announce(services, "Hello!", mail=True)
    tell(services)
    with reading(services.engine) as session:
        mail = session.exec(select(Outbox).where(Outbox.letter == "announced")).one()
        assert services.writer.write_what_is_true(session, mail)
    with writing(services.engine) as session:
        announcements.end(AdminAction(ActionContext(session, services.sealer, services.now())), 1)
    with reading(services.engine) as session:
        assert not services.writer.write_what_is_true(session, mail)


def test_invalid_announcements_are_refused(services: Services, clock: Clock) -> None:
    for text, days, words in (
        (" ", 1, "Write a text of at most"),
        ("x" * 1001, 1, "of at most 1000 characters"),
        ("x", 0, "Choose a day within the next 90 days"),
        ("x", 91, "within the next 90 days"),
    ):
        with pytest.raises(BadRequest, match=words):
            announce(services, text, days=days)
    announce(services, "one", mail=True)
    with pytest.raises(BadRequest, match="Only one announcement a day can be emailed"):
        announce(services, "two", mail=True)
    announce(services, "two")
    announce(services, "three")
    with pytest.raises(BadRequest, match="already 3 announcements"):
        announce(services, "four")
    clock.advance(days=3)
    announce(services, "five", mail=True)


def test_moderators_announce_on_the_page(app: Flask, services: Services, ann: Player, clock: Clock) -> None:
    browser = entered(app, services, ann, Role.MODERATOR)
    wrong = browser.send("/admin/announcements", text="Hello!", until="some day")
    assert wrong.status_code == 422
    assert "Hello!" in readable(wrong)
    assert browser.send("/admin/announcements", text="Hello!", until="2026-02-28").status_code == 422
    assert browser.send("/admin/announcements", text="Hello!", until="2026-03-01", mail="on").status_code == 303
    clock.advance(minutes=1)
    assert "Hello!" in readable(Browser(app).get("/")), "a minute later at most"
    assert "being emailed" in browser.text("/admin/announcements")
    assert browser.send("/admin/announcements/1/end").status_code == 303
    assert browser.send("/admin/announcements/1/end").status_code == 409
    clock.advance(minutes=1)
    assert "Hello!" not in readable(Browser(app).get("/"))
