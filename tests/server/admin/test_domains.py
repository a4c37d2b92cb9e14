"""Paused domains: which can be paused, the audit log, and the lists that show them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from server.admin import outgoing_mail
from server.admin.audit import AdminAction, done
from server.errors import BadRequest
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.support.mail.queues import outgoing, put
from tests.support.server.services import Clock
from tests.support.web.administrators import entered

WHY = "they refuse us"


def act(services: Services, what: Callable[[AdminAction], object]) -> None:
    with writing(services.engine) as session:
        what(AdminAction(ActionContext(session, services.sealer, services.now())))


def hold(services: Services, domain: str) -> None:
    act(services, lambda admin_action: outgoing_mail.pause_domain(admin_action, domain, WHY))


def release(services: Services, domain: str) -> None:
    act(services, lambda admin_action: outgoing_mail.release(admin_action, domain))


def listed(services: Services) -> list[tuple[str, str, int]]:
    with reading(services.engine) as session:
        return [(each.domain, each.why, each.mails) for each in outgoing_mail.list_paused_domains(session)]


def test_paused_domains_are_listed_the_longest_paused_first(services: Services, clock: Clock) -> None:
    put(services)
    put(services, state="sent")
    hold(services, "@Example.ORG ")
    clock.advance(minutes=1)
    hold(services, "bücher.example")
    assert listed(services) == [("example.org", WHY, 1), ("xn--bcher-kva.example", WHY, 0)]
    release(services, "Bücher.example")
    release(services, "example.org")
    assert listed(services) == []


def test_pausing_is_in_the_audit_log(services: Services) -> None:
    hold(services, "example.org")
    release(services, "example.org")
    with reading(services.engine) as session:
        assert [(each.what, each.why) for each in done(session)] == [
            ("released example.org", ""),
            ("paused example.org", WHY),
        ]


@pytest.mark.parametrize("domain", ["", "@", "zoe@example.org", "a b", "example.org\n.org", "nowhere"])
def test_text_that_is_no_domain_is_not_paused(services: Services, domain: str) -> None:
    with pytest.raises(BadRequest, match="is not a domain"):
        hold(services, domain)


def test_domain_is_paused_and_released_once(services: Services) -> None:
    with pytest.raises(BadRequest, match=r"example\.org is not paused"):
        release(services, "example.org")
    hold(services, "example.org")
    with pytest.raises(BadRequest, match=r"example\.org is already paused"):
        hold(services, "example.org")
    release(services, "example.org")
    with pytest.raises(BadRequest, match=r"example\.org is not paused"):
        release(services, "example.org")


def test_administrators_pause_and_release_domains_on_the_page(
    app: Flask, services: Services, ann: Player
) -> None:
    number = put(services)
    browser = entered(app, services, ann)
    refused = browser.send("/admin/outbox/pause", domain="nowhere", why=WHY)
    assert (refused.status_code, "“nowhere” is not a domain" in refused.text) == (422, True)
    assert browser.send("/admin/outbox/pause", domain="Example.org", why=" ").status_code == 422
    assert browser.send("/admin/outbox/pause", domain="Example.org", why=WHY).status_code == 303
    assert outgoing(services, number) == "paused"
    page = browser.text("/admin/outbox").partition("Paused domains")[2]
    assert "example.org" in page
    assert "3 emails" in page
    assert WHY in page
    assert browser.send("/admin/outbox/release", domain="example.org").status_code == 303
    assert outgoing(services, number) == "queued"
    assert browser.send("/admin/outbox/release", domain="example.org").status_code == 409
    assert "Domains to which" not in browser.text("/admin/outbox")
    with reading(services.engine) as session:
        assert [(deed.what, deed.why) for deed in done(session)[:2]] == [
            ("released example.org", ""),
            ("paused example.org", WHY),
        ]
