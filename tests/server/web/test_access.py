"""Acts that give lasting access: each requires what the table lists, is reported, and can be undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flask import Flask
from sqlmodel import Session, SQLModel, select

from server.accounts import access, account_changes, players
from server.accounts.access import ACTS, BY_NAME, Act
from server.admin.audit import AdminAction, done
from server.admin.roles import Role, give, role_of
from server.processes.services import Services
from server.settings import Settings
from server.store.db import reading, writing
from server.store.models import Address, ApiToken, Passkey, Player, Staff
from server.store.models import Browser as Allowed
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, Written, letters, receive
from tests.support.server.services import Clock, settings_for
from tests.support.web.administrators import entered_with_codes, shown
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.passkeys import add_passkey
from tests.support.web.push_service import Device

_ANN, _NEW, _SECOND = "ann@example.org", "new@thief.example", "second@example.org"


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Settings for pages on which browsers support passkeys."""
    return settings_for(database_url, base_url="http://localhost:8000")


@dataclass
class Scene:
    """Ann, who has a second address and is an administrator, and a browser in which she has logged in."""

    app: Flask
    services: Services
    clock: Clock
    ann: Player
    ben: Player
    browser: Browser
    codes: list[str]
    """Recovery codes of her second factor; each works once."""

    def log_in(self) -> Browser:
        """Log her in again in another browser, and enter a code."""
        browser = logged_in(self.app, self.services, self.ann)
        browser.send("/admin/enter", code=self.codes.pop())
        return browser

    def reports(self) -> list[Written]:
        return [letter for letter in letters(self.services) if letter.letter == "account_changed"]

    def confirm(self) -> None:
        """Confirm every waiting change with the emailed links."""
        for letter in letters(self.services):
            for link in re.findall(r"(/confirm/\S+)", letter.text):
                Browser(self.app).send(link, answer="yes")


@pytest.fixture
def scene(app: Flask, services: Services, clock: Clock, ann: Player, ben: Player) -> Scene:
    browser, codes = entered_with_codes(app, services, ann)
    with writing(services.engine) as session:
        players.add_address(session, clock(), session.get_one(Player, ann.id), _SECOND)
    clock.advance(minutes=1)
    return Scene(app, services, clock, ann, ben, browser, codes)


@dataclass(frozen=True)
class Way:
    """A way to do an act on the web, and a check that it is done."""

    do: Callable[[Scene, Browser], object]
    is_done: Callable[[Session, Player, Player], bool]


def _address(do: str, email: str) -> Callable[[Scene, Browser], object]:
    def send(scene: Scene, browser: Browser) -> None:
        browser.send("/settings/addresses", do=do, email=email)
        scene.confirm()

    return send


def _sender(scene: Scene, _: Browser) -> None:
    """Let Ann answer “yes always” to the question about an email from another address."""
    with writing(scene.services.engine) as session:
        action, ann = (
            ActionContext(session, scene.services.sealer, scene.clock()),
            session.get_one(Player, scene.ann.id),
        )
        access.report(action, ann, access.SENDER, _NEW)
        players.add_address(session, scene.clock(), ann, _NEW, logs_in=False)


def _set_up(scene: Scene, browser: Browser, code: str = "") -> object:
    """Set up another second factor."""
    browser.send("/admin/factor", code=code or scene.codes.pop())
    keys = re.findall(r"<code>([A-Z2-7]{32})</code>", browser.get("/admin/enter").text)
    scene.clock.advance(minutes=1)
    return browser.send("/admin/factor/confirm", code=shown(scene.services, keys[0]) if keys else "")


def _has_other_factor(session: Session, ann: Player, _: Player) -> bool:
    staff = session.get(Staff, ann.id)
    return staff is not None and staff.confirmed_at is not None and staff.confirmed_at > staff.since


def _owner(session: Session, email: str) -> int | None:
    found = players.by_email(session, email)
    return None if found is None else found.id


WAYS = {
    "address": Way(_address("add", _NEW), lambda session, ann, _: _owner(session, _NEW) == ann.id),
    "sender": Way(_sender, lambda session, ann, _: _owner(session, _NEW) == ann.id),
    "main": Way(_address("main", _NEW), lambda session, ann, _: session.get_one(Player, ann.id).email == _NEW),
    "removal": Way(_address("remove", _SECOND), lambda session, ann, _: _owner(session, _SECOND) is None),
    "passkey": Way(
        lambda _, browser: add_passkey(browser),
        lambda session, ann, _: session.exec(select(Passkey)).first() is not None,
    ),
    "token": Way(
        lambda _, browser: browser.send("/settings/tokens", name="Robot"),
        lambda session, ann, _: session.exec(select(ApiToken)).first() is not None,
    ),
    "feeds": Way(
        lambda _, browser: browser.send("/settings/feeds", feeds="new"),
        lambda session, ann, _: session.get_one(Player, ann.id).feed_key is not None,
    ),
    "push": Way(
        lambda scene, browser: browser.send(
            "/settings/browsers",
            **Device("https://push.example.com/x").fields(scene.services.push_keys.public),
        ),
        lambda session, ann, _: session.exec(select(Allowed)).first() is not None,
    ),
    "second-factor": Way(_set_up, _has_other_factor),
    "role": Way(
        lambda scene, browser: browser.send(
            "/admin/roles", name="Ben", role="moderator", code=scene.codes.pop()
        ),
        lambda session, _, ben: role_of(session, ben.id or 0) is not None,
    ),
}
"""The ways by the name of the act."""

_all = pytest.mark.parametrize("act", ACTS, ids=[act.name for act in ACTS])


def is_done(scene: Scene, act: Act) -> bool:
    with reading(scene.services.engine) as session:
        return WAYS[act.name].is_done(session, scene.ann, scene.ben)


def test_every_way_to_change_access_is_tested() -> None:
    assert WAYS.keys() == BY_NAME.keys()


GRANTS_NOTHING = {
    "login": "a session, which the player ends by logging out everywhere",
    "change": "a change that waits is granted once it is confirmed, as an address",
    "apianswer": "what a program was answered: it needs the token",
    "player.login_serial": "a link is mailed to an address that can log in, and works for an hour",
    "player.channel_id": "says only that it is the player's turn",
}
"""Columns that seem to give access, and why they do not count as an act."""
_ABOUT_GAMES_AND_PEOPLE = {
    "auditentry", "ban", "conduct", "entrant", "failure", "follow", "habit", "inbox", "inquiry", "outbox",
    "pause", "rating", "ratingchange", "relation", "seat", "spectatormessage", "tally", "variation", "watch",
}  # fmt: skip
"""Tables with a player's number that give no access."""
_ABOUT_THEM = {
    "id", "name", "name_key", "name_shape", "zone", "bio", "languages", "computer", "strength", "mail_stopped",
    "complained_at", "suspended_at", "bounce_score", "bounced_at", "reminders", "reminded_at", "digest",
    "digest_at", "auto_vacation", "forced_moves", "choices", "created_at", "confirmed_at",
}  # fmt: skip
"""Columns of `player` with a player's details and preferences."""


def test_table_lists_everything_that_grants_access() -> None:
    """A new table or column must be listed here or be stored by an act."""
    listed = {stored for act in ACTS for stored in act.stored} | GRANTS_NOTHING.keys()
    found = set()
    for table in SQLModel.metadata.sorted_tables:
        names = {column.name for column in table.columns}
        if table.name == "player":
            found |= {f"player.{name}" for name in names - _ABOUT_THEM}
        elif names & {"player_id", "asked_id"}:
            found.add(table.name)
    assert found - _ABOUT_GAMES_AND_PEOPLE == listed


@pytest.mark.sample(2)
@_all
def test_old_session_is_not_enough(scene: Scene, act: Act) -> None:
    before = len(scene.reports())
    scene.clock.advance(days=3)
    if act.needs_code:
        scene.browser.send("/admin/enter", code=scene.codes.pop())
    if act.name == "passkey":
        refused = scene.browser.send("/settings/passkeys/ask")
        assert "Log in again to add a passkey." in refused.text
    else:
        WAYS[act.name].do(scene, scene.browser)
    assert is_done(scene, act) is not act.needs_fresh_login
    if act.needs_fresh_login:
        assert len(scene.reports()) == before


@pytest.mark.parametrize("act", [act for act in ACTS if act.needs_code], ids=lambda act: act.name)
@pytest.mark.parametrize("code", ["", "000000"])
def test_code_of_eleven_hours_ago_is_not_enough(scene: Scene, act: Act, code: str) -> None:
    scene.clock.advance(hours=11)
    fresh = logged_in(scene.app, scene.services, scene.ann)
    with fresh.client.session_transaction() as session, scene.browser.client.session_transaction() as old:
        session["second factor"] = old["second factor"]
    assert fresh.get("/admin").status_code == 200
    if act is access.ROLE:
        answer = fresh.send("/admin/roles", name="Ben", role="moderator", code=code)
    else:
        answer = fresh.send("/admin/factor", code=code)
    assert "This code is wrong" in readable(answer)
    assert not is_done(scene, act)


@pytest.mark.sample(2)
@_all
def test_change_is_reported_even_without_email_and_can_be_undone(scene: Scene, act: Act) -> None:
    scene.browser.send("/settings/mail", mail="stop")
    before = len(scene.reports())
    with reading(scene.services.engine) as session:
        link = scene.services.logins.write(session.get_one(Player, scene.ann.id))
    fresh = scene.log_in()
    WAYS[act.name].do(scene, fresh)
    assert is_done(scene, act)
    reports = scene.reports()[before:]
    assert [report.to for report in reports] == [_ANN] * act.is_reported
    if not act.is_reported:
        return
    (page,) = re.findall(r"(/undo/\S+)", reports[0].text)
    assert "This was not me" in Browser(scene.app).text(page)
    assert is_done(scene, act), "looking undoes nothing"
    answer = fresh.send(page)
    assert "The change has been undone" in readable(answer)
    assert "Log in" in readable(answer), "the page is that of a visitor"
    assert not is_done(scene, act)
    assert fresh.get("/games").location == "/"
    assert scene.browser.get("/games").location == "/"
    assert Browser(scene.app).get(f"/enter/{link}").status_code == 410
    with reading(scene.services.engine) as session:
        assert session.get_one(Player, scene.ann.id).email == _ANN
        assert players.by_email(session, _SECOND) is not None


@pytest.mark.sample(2)
@_all
def test_logging_out_everywhere_ends_what_the_table_says(scene: Scene, act: Act) -> None:
    fresh = scene.log_in()
    WAYS[act.name].do(scene, fresh)
    assert is_done(scene, act)
    fresh.send("/logout/everywhere")
    assert is_done(scene, act) is not act.ends_with_logout


def test_change_is_undone_by_email(scene: Scene) -> None:
    fresh = scene.log_in()
    fresh.send("/settings/tokens", name="Robot")
    (report,) = scene.reports()[-1:]
    fields = f"In-Reply-To: {report.mail['Message-ID']}\r\n"
    (nothing,) = receive(scene.services, "ben@example.org", PLAY, "cancel", fields)
    assert "There is no change" in nothing.words
    assert is_done(scene, access.TOKEN)
    (answer,) = receive(scene.services, _ANN, PLAY, "cancel", fields)
    assert access.UNDONE in answer.words
    assert not is_done(scene, access.TOKEN)
    assert fresh.get("/games").location == "/"


def test_undoing_the_first_change_undoes_later_ones(scene: Scene) -> None:
    """Undoing the first change must undo later ones: a thief's new main address gets their reports."""
    fresh = scene.log_in()
    WAYS["main"].do(scene, fresh)
    scene.clock.advance(minutes=1)
    add_passkey(fresh)
    fresh.send("/settings/feeds", feeds="new")
    fresh.send("/settings/addresses", do="remove", email=_SECOND)
    own = [report for report in scene.reports() if report.to == _ANN]
    (page,) = re.findall(r"(/undo/\S+)", own[-1].text)
    Browser(scene.app).send(page)
    for name in ("main", "passkey", "feeds"):
        assert not is_done(scene, BY_NAME[name])
    with reading(scene.services.engine) as session:
        assert players.by_email(session, _NEW) is None


def test_undo_link_is_valid_for_two_weeks_while_the_account_exists(scene: Scene) -> None:
    fresh = scene.log_in()
    fresh.send("/settings/tokens", name="Robot")
    (page,) = re.findall(r"(/undo/\S+)", scene.reports()[-1].text)
    assert Browser(scene.app).get(f"{page}x").status_code == 404
    scene.clock.advance(days=access.UNDO_WITHIN.days, minutes=1)
    assert Browser(scene.app).send(page).status_code == 410
    assert is_done(scene, access.TOKEN)
    scene.clock.advance(days=-1)
    with writing(scene.services.engine) as session:
        players.forget(session.get_one(Player, scene.ann.id))
    assert Browser(scene.app).send(page).status_code == 410


def test_undo_does_not_take_a_removed_address_from_its_new_owner(scene: Scene) -> None:
    fresh = scene.log_in()
    fresh.send("/settings/addresses", do="remove", email=_SECOND)
    (page,) = re.findall(r"(/undo/\S+)", scene.reports()[-1].text)
    with writing(scene.services.engine) as session:
        players.register(ActionContext(session, scene.services.sealer, scene.clock()), _SECOND, "Cleo")
    Browser(scene.app).send(page)
    with reading(scene.services.engine) as session:
        found = players.by_email(session, _SECOND)
        assert found is not None
        assert found.name == "Cleo"


def test_private_addresses_are_shown_only_after_a_fresh_login(scene: Scene) -> None:
    scene.log_in().send("/settings/feeds", feeds="new")
    with reading(scene.services.engine) as session:
        key = session.get_one(Player, scene.ann.id).feed_key or "?"
    assert key in scene.log_in().get("/settings").text
    scene.clock.advance(days=1)
    page = scene.browser.get("/settings")
    assert key not in page.text
    assert "To see or change your private addresses, log in again" in readable(page)


def test_waiting_change_ends_with_logging_out_everywhere(scene: Scene) -> None:
    fresh = scene.log_in()
    fresh.send("/settings/addresses", do="add", email=_NEW)
    fresh.send("/logout/everywhere")
    scene.confirm()
    assert not is_done(scene, access.ADDRESS)


def test_link_to_an_address_is_invalid_after_its_removal(scene: Scene) -> None:
    Browser(scene.app).send("/login", email=_SECOND)
    (link,) = re.findall(r"(/enter/\S+)", letters(scene.services)[-1].text)
    assert Browser(scene.app).get(link).status_code == 200
    fresh = scene.log_in()
    Browser(scene.app).send("/login", email=_SECOND)
    (link,) = re.findall(r"(/enter/\S+)", letters(scene.services)[-1].text)
    fresh.send("/settings/addresses", do="remove", email=_SECOND)
    assert Browser(scene.app).get(link).status_code == 410


def test_unfinished_second_factor_is_hidden_from_old_sessions(
    app: Flask, services: Services, ann: Player, clock: Clock
) -> None:
    with writing(services.engine) as session:
        admin_action = AdminAction(ActionContext(session, services.sealer, services.now()))
        give(admin_action, session.get_one(Player, ann.id), Role.ADMINISTRATOR)
    browser = logged_in(app, services, ann)
    assert browser.send("/admin/factor").status_code == 303
    (key,) = re.findall(r"<code>([A-Z2-7]{32})</code>", browser.get("/admin/enter").text)
    clock.advance(minutes=16)
    assert key not in browser.get("/admin/enter").text
    refused = browser.send("/admin/factor/confirm", code=shown(services, key))
    assert "Log in again to set up a second factor." in readable(refused)
    with reading(services.engine) as session:
        assert session.get_one(Staff, ann.id).confirmed_at is None


def test_undoing_a_second_factor_removes_the_role_and_is_logged(scene: Scene) -> None:
    _set_up(scene, scene.log_in())
    (page,) = re.findall(r"(/undo/\S+)", scene.reports()[-1].text)
    Browser(scene.app).send(page)
    with reading(scene.services.engine) as session:
        assert role_of(session, scene.ann.id or 0) is None
        assert "answering “this was not me”" in done(session, 1)[0].what


def test_address_for_moves_can_neither_log_in_nor_change_the_account(scene: Scene) -> None:
    _sender(scene, scene.browser)
    before = len(letters(scene.services))
    Browser(scene.app).send("/login", email=_NEW)
    assert letters(scene.services)[before:] == []
    for text in ("login", "token add Robot", "name Eve", "address main eve@thief.example", "delete"):
        (refused,) = receive(scene.services, _NEW, PLAY, text)
        assert f"From {_NEW} you can only send moves." in refused.words, text
    (listed,) = receive(scene.services, _ANN, PLAY, "address")
    assert f"You can only send moves from: {_NEW}." in listed.words
    with writing(scene.services.engine) as session:
        action = ActionContext(session, scene.services.sealer, scene.clock())
        account_changes.add(action, session.get_one(Player, scene.ann.id), _NEW, PLAY)
    scene.confirm()
    with reading(scene.services.engine) as session:
        assert session.get_one(Address, _NEW).logs_in
