"""Quarantined emails and undelivered emails: administrators see, retry and discard them."""

from __future__ import annotations

import pytest
from flask import Flask

from server.accounts import players
from server.admin.audit import done
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Outbox, Player
from tests.support.mail.queues import ORDER, deeds, hold, outgoing, put, state
from tests.support.server.games import begin
from tests.support.web.administrators import entered
from tests.support.web.client import Browser, logged_in, readable


def test_reading_a_quarantined_email_is_in_the_audit_log(app: Flask, services: Services, ann: Player) -> None:
    number, browser = hold(services), entered(app, services, ann)
    assert "KeyError at f, line 1" in browser.text("/admin/quarantine")
    page = browser.text(f"/admin/quarantine/{number}")
    assert "From eve@example.com" in page
    assert "Subject Re" in page
    assert "Help me!" not in page
    assert "secretofareply" not in page
    assert "Help me![2J" in readable(browser.send(f"/admin/quarantine/{number}/read"))
    assert deeds(services)[0] == (f"read email {number}", "")


def test_email_for_a_game_cannot_be_read_by_administrators(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    game = begin(services, "nebuchadnezzar", ann, ben, size=5)
    number, browser = hold(services, game=game, text=ORDER), entered(app, services, ann)
    page = browser.text(f"/admin/quarantine/{number}")
    assert "may contain a move" in page
    assert "Subject" not in page
    refused = browser.send(f"/admin/quarantine/{number}/read")
    assert refused.status_code == 409
    assert ORDER not in page + readable(refused)
    assert not deeds(services)[0][0].startswith("read")


def test_quarantined_email_is_delivered_again_or_dropped(app: Flask, services: Services, ann: Player) -> None:
    number, browser = hold(services), entered(app, services, ann)
    without = browser.send(f"/admin/quarantine/{number}/drop", why=" ")
    assert without.status_code == 422
    assert "Give a reason" in readable(without)
    assert state(services, number) == ("quarantined", 3)
    assert f'action="/admin/quarantine/{number}/again"' in browser.get("/admin/quarantine").text
    browser.send(f"/admin/quarantine/{number}/again")
    assert state(services, number) == ("new", 0)
    assert browser.send(f"/admin/quarantine/{number}/again").status_code == 409
    other = hold(services)
    browser.send(f"/admin/quarantine/{other}/drop", why="spam")
    assert state(services, other)[0] == "refused"
    assert deeds(services)[:2] == [
        (f"discarded email {other}", "spam"),
        (f"processed email {number} again", ""),
    ]
    assert f"Email {other} " not in browser.text("/admin/quarantine").partition("has been discarded.")[2]


def test_waiting_emails_are_retried_or_given_up(app: Flask, services: Services, ann: Player) -> None:
    later = services.now().replace(hour=20)
    waiting, fresh = put(services, due_at=later), put(services, attempts=0, error="")
    browser = entered(app, services, ann)
    page = browser.text("/admin/outbox")
    assert page.count("zoe@example.org") == 1
    assert "451 come back later" in page
    assert "welcome" not in page.lower()
    assert browser.send(f"/admin/outbox/{fresh}/give-up").status_code == 409
    browser.send(f"/admin/outbox/{waiting}/now")
    with reading(services.engine) as session:
        assert session.get_one(Outbox, waiting).due_at == services.now()
    browser.send(f"/admin/outbox/{waiting}/give-up")
    assert outgoing(services, waiting) == "failed"
    browser.send(f"/admin/outbox/{waiting}/again")
    assert outgoing(services, waiting) == "queued"
    assert browser.send(f"/admin/outbox/{waiting}/again").status_code == 409
    assert deeds(services)[0] == ("resent 1 email", "")


def test_stopped_emails_to_a_player_are_resumed(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    with writing(services.engine) as session:
        row = session.get_one(Player, ben.id)
        row.suspended_at = row.bounced_at = services.now()
        row.bounce_score = 5
    browser = entered(app, services, ann)
    assert "Ben ben@example.org" in browser.text("/admin/bounces")
    number = players.identity(ben)
    assert browser.send(f"/admin/players/{number}/resume").status_code == 303
    assert browser.send(f"/admin/players/{number}/resume").status_code == 409
    assert browser.send("/admin/players/999/resume").status_code == 404
    assert "No player's emails are stopped" in browser.text("/admin/bounces")
    with reading(services.engine) as session:
        assert session.get_one(Player, ben.id).bounce_score == 0
        last = done(session)[0]
        assert (last.what, last.player) == ("resumed emails", "Ben")


@pytest.mark.both
def test_overview_counts_emails(app: Flask, services: Services, ann: Player) -> None:
    hold(services)
    put(services)
    put(services, state="failed")
    assert "Quarantined emails 1 Failed or bounced emails 1 Delayed emails 1" in entered(
        app, services, ann
    ).text("/admin")


def test_players_cannot_see_these_pages(app: Flask, services: Services, ann: Player) -> None:
    number = hold(services)
    for browser in (logged_in(app, services, ann), Browser(app)):
        assert browser.get(f"/admin/quarantine/{number}").status_code == 404
        assert browser.send(f"/admin/quarantine/{number}/again").status_code == 404
    assert state(services, number) == ("quarantined", 3)
