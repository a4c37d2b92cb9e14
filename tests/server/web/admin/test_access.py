"""Access to the administration pages: everyone else gets 404 on every page of every route."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask

from server.accounts import players
from server.admin.audit import AdminAction, done
from server.admin.roles import Role, give
from server.admin.second_factor import MOST_WRONG
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.administrators import appoint, entered, entered_with_codes, shown
from tests.support.web.client import Browser, logged_in, readable

_FOR_ADMINISTRATORS = ("/close", "/delete", "/resend", "/resume")
"""The ends of addresses in these sections that moderators cannot use."""
_FOR_MODERATORS = ("announcements", "blocks", "complaints", "door", "overview", "people")
"""The sections that moderators can see."""


def routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Yield the section, method and URL of each page."""
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/admin"):
            (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            yield rule.endpoint.split(".")[1], method, re.sub(r"<[^>]+>", "1", rule.rule)


def statuses(app: Flask, browser: Browser) -> dict[tuple[str, str, str], int]:
    return {
        route: (browser.get(route[2]) if route[1] == "GET" else browser.send(route[2])).status_code
        for route in routes(app)
    }


def test_others_cannot_open_administration_pages(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    entered(app, services, ann)
    for browser in (Browser(app), logged_in(app, services, ben)):
        found = statuses(app, browser)
        assert len(found) > 6
        assert set(found.values()) == {404}


def test_moderator_sees_their_own_sections(app: Flask, services: Services, ann: Player) -> None:
    found = statuses(app, entered(app, services, ann, Role.MODERATOR))
    for (section, _, address), status in found.items():
        theirs = section in _FOR_MODERATORS and not address.endswith(_FOR_ADMINISTRATORS)
        assert (status != 404) == theirs, address


@pytest.mark.both
def test_administrator_sees_all_sections(app: Flask, services: Services, ann: Player) -> None:
    found = statuses(app, entered(app, services, ann))
    assert {address for (_, _, address), status in found.items() if status == 404} == set()


def test_moderator_without_a_code_sees_only_the_code_form(app: Flask, services: Services, ann: Player) -> None:
    appoint(services, ann, Role.MODERATOR)
    browser = logged_in(app, services, ann)
    for section, method, address in routes(app):
        answer = browser.get(address) if method == "GET" else browser.send(address)
        if section not in _FOR_MODERATORS:
            assert answer.status_code == 404, address
        elif section != "door":
            assert (answer.status_code, answer.location) == (303, "/admin/enter"), address


def test_accesses_are_in_the_audit_log(app: Flask, services: Services, ann: Player, clock: Clock) -> None:
    key, codes = appoint(services, ann)
    browser = logged_in(app, services, ann)
    browser.send("/admin/enter", code="12")
    browser.send("/admin/enter", code=shown(services, key))
    first = clock()
    clock.advance(hours=13)
    browser.send("/admin/enter", code=codes[0])
    with reading(services.engine) as session:
        found = [(each.at, each.by, each.what) for each in done(session, 4)]
    assert [each for each in found if each[2] == "entered the administration"] == [
        (clock(), "Ann", "entered the administration"),
        (first, "Ann", "entered the administration"),
    ]


def test_every_page_asks_for_a_fresh_code(app: Flask, services: Services, ann: Player, clock: Clock) -> None:
    browser = entered(app, services, ann)
    assert browser.get("/admin").status_code == 200
    clock.advance(hours=12, minutes=1)
    for section, method, address in routes(app):
        if section != "door":
            answer = browser.get(address) if method == "GET" else browser.send(address)
            assert (answer.status_code, answer.location) == (303, "/admin/enter"), address


def test_another_login_needs_its_own_code(app: Flask, services: Services, ann: Player) -> None:
    browser = entered(app, services, ann)
    other = logged_in(app, services, ann)
    assert other.get("/admin").location == "/admin/enter"
    browser.send("/logout")
    assert browser.get("/admin").status_code == 404


def test_removed_role_ends_immediately(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    administrator, codes = entered_with_codes(app, services, ann)
    other = entered(app, services, ben)
    assert other.get("/admin").status_code == 200
    assert administrator.send("/admin/roles", name="Ben", role="", code=codes[0]).status_code == 303
    assert other.get("/admin").status_code == 404


def test_second_factor_is_set_up_on_the_page(app: Flask, services: Services, ann: Player) -> None:
    with writing(services.engine) as session:
        admin_action = AdminAction(ActionContext(session, services.sealer, services.now()))
        give(admin_action, session.get_one(Player, ann.id), Role.ADMINISTRATOR)
    browser = logged_in(app, services, ann)
    assert browser.get("/admin").location == "/admin/enter"
    assert browser.send("/admin/factor").status_code == 303
    page = browser.get("/admin/enter")
    assert "data:image/svg+xml" in page.text
    key = re.findall(r"<code>([A-Z2-7]{32})</code>", page.text)[0]
    wrong = browser.send("/admin/factor/confirm", code="000000x")
    assert wrong.status_code == 422
    assert "This code is wrong" in readable(wrong)
    done = browser.send("/admin/factor/confirm", code=shown(services, key))
    codes = re.findall(r"<code>([0-9a-f]{5}-[0-9a-f]{5})</code>", done.text)
    assert len(codes) == 10
    assert browser.get("/admin").status_code == 200
    again = logged_in(app, services, ann)
    assert key not in again.get("/admin/enter").text
    assert again.send("/admin/factor").status_code == 422, "a change requires a code"
    assert again.send("/admin/enter", code=codes[0]).status_code == 303


def test_right_code_is_refused_after_too_many_wrong_codes(app: Flask, services: Services, ann: Player) -> None:
    key, _ = appoint(services, ann)
    browser = logged_in(app, services, ann)
    for _ in range(MOST_WRONG):
        assert browser.send("/admin/enter", code="12").status_code == 422
    answer = browser.send("/admin/enter", code=shown(services, key))
    assert answer.status_code == 422
    assert "There were 5 wrong codes" in readable(answer)


def test_roles_are_given_and_second_factors_reset(app: Flask, services: Services, ann: Player) -> None:
    cleo = add_player(services, "cleo@example.org", "Cleo")
    browser, codes = entered_with_codes(app, services, ann)
    wrong = browser.send("/admin/roles", name="Nobody", role="moderator", code=codes[0])
    assert wrong.status_code == 422
    assert "There is no player called “Nobody”" in readable(wrong)
    browser.send("/admin/roles", name="cleo", role="administrator", code=codes[0])
    shown_roles = browser.text("/admin/roles")
    assert "Cleo administrator" in shown_roles
    assert "not set up" in shown_roles
    browser.send("/admin/roles", name="cleo", role="", code=codes[1])
    other = entered(app, services, cleo)
    reset = f"/admin/roles/{players.identity(cleo)}/reset"
    assert "This code is wrong" in readable(browser.send(reset, code=codes[1]))
    browser.send(reset, code=codes[2])
    assert other.get("/admin").location == "/admin/enter"
    log = browser.text("/admin/log")
    assert log.index("reset the second factor Cleo") < log.index("gave the role of administrator Cleo")
    assert "gave the role" not in browser.text(f"/admin/log?about={ann.id}&page=2")


def test_settings_link_to_administration_only_for_staff(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    assert "/admin" not in browser.get("/settings").text
    appoint(services, ann, Role.MODERATOR)
    assert 'href="/admin"' in browser.get("/settings").text
