"""Passkeys: added after a fresh login, used to log in, and refused if anything about them is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts.login.passkeys import site_of
from server.admin import bans
from server.admin.audit import AdminAction
from server.game.leaving.account_deletion import delete_account
from server.limits import LONGEST_CREDENTIAL, MOST_PASSKEYS
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading, writing
from server.store.models import Login, Passkey, Player
from server.store.outbox import ActionContext
from server.web import create_app
from tests.support.server.emails import PLAY, letters, receive
from tests.support.server.players import add_player
from tests.support.server.services import Clock, settings_for
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.passkeys import Device, add_passkey, asked

_REFUSED = "That passkey is unknown here, or it took too long."
_NOT_ADDED = "Your device did not send a valid passkey."


def enters(browser: Browser, device: Device) -> bool:
    """Return whether a device can log in. All refusals have the same text."""
    return admitted(browser, device.sign(asked(browser)))


def admitted(browser: Browser, credential: str) -> bool:
    """Return whether this response of a device logs in."""
    answer = browser.send("/login/passkey", credential=credential)
    if answer.status_code == 303:
        assert browser.get("/games").status_code == 200
        return True
    assert (answer.status_code, _REFUSED in readable(answer)) == (422, True)
    assert browser.get("/games").location == "/"
    return False


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Settings for pages on which browsers support passkeys."""
    return settings_for(database_url, base_url="http://localhost:8000")


@pytest.fixture
def hers(app: Flask, services: Services, ann: Player) -> Browser:
    """A browser in which Ann has just logged in."""
    return logged_in(app, services, ann)


@pytest.fixture
def other(app: Flask) -> Browser:
    """A browser without a login."""
    return Browser(app)


def test_passkey_leads_back_to_the_page_of_its_player(hers: Browser, other: Browser) -> None:
    asked(hers, "/settings/passkeys/ask")
    device = add_passkey(hers)
    credential = device.sign(asked(other))
    answer = other.send("/login/passkey", credential=credential, **{"return": "/lobby"})
    assert (answer.status_code, answer.location) == (303, "/lobby")


@pytest.mark.both
def test_passkey_logs_its_player_in(hers: Browser, other: Browser, services: Services, clock: Clock) -> None:
    options = asked(hers, "/settings/passkeys/ask")
    assert options["rp"] == {"name": "Nabu", "id": "localhost"}
    assert options["authenticatorSelection"]["residentKey"] == "required"
    device = add_passkey(hers)
    wanted = asked(other)
    assert (wanted["rpId"], wanted["userVerification"]) == ("localhost", "preferred")
    assert not wanted["allowCredentials"], "the options do not reveal any passkey"
    clock.advance(hours=5)
    assert enters(other, replace(device, count=7))
    with reading(services.engine) as session:
        (passkey,) = session.exec(select(Passkey))
        assert (passkey.name, passkey.sign_count, passkey.used_at) == ("Phone", 7, clock.time)
        assert len(session.exec(select(Login)).all()) == 2
    page = other.text("/settings/logins")
    assert "Phone Added 5 h ago" in page
    assert "not used yet" not in page


def test_removed_passkey_is_invalid(hers: Browser, other: Browser) -> None:
    device = add_passkey(hers)
    hers.send("/settings/passkeys/remove", passkey="1")
    assert "The passkey “Phone” is removed." in hers.text("/settings/logins")
    assert not enters(other, device)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "wrong",
    [
        lambda device: replace(device, origin="https://localhost:8001"),
        lambda device: replace(device, origin="https://localhost:8000"),
        lambda device: replace(device, host="example.com"),
        lambda device: replace(device, flags=0),
        lambda device: replace(device, key=Device().key),
        lambda device: replace(device, credential=b"another"),
        lambda device: replace(device, handle=b"2"),
        lambda device: replace(device, handle=b""),
    ],
    ids=["site", "scheme", "host", "nobody-there", "key", "credential", "account", "no-account"],
)
def test_signature_of_another_site_or_key_is_refused(
    hers: Browser, other: Browser, wrong: Callable[[Device], Device]
) -> None:
    device = add_passkey(hers)
    assert not enters(other, wrong(device))
    assert enters(other, device)


def test_passkey_does_not_log_in_another_player(
    app: Flask, services: Services, hers: Browser, ben: Player
) -> None:
    ann_s, ben_s = add_passkey(hers), add_passkey(logged_in(app, services, ben))
    stolen = replace(ben_s, credential=ann_s.credential, handle=ann_s.handle)
    assert not enters(Browser(app), stolen)
    assert not enters(Browser(app), replace(ben_s, handle=ann_s.handle))


def test_challenge_is_for_one_browser_one_login_and_five_minutes(
    app: Flask, hers: Browser, other: Browser, clock: Clock
) -> None:
    device = add_passkey(hers)
    clock.advance(minutes=1)
    first = device.sign(asked(Browser(app)))
    asked(other)
    assert not admitted(other, first), "it answers the challenge of another browser"
    assert not admitted(other, device.sign({"challenge": ""})), "there is none any more"
    late = device.sign(asked(other))
    clock.advance(minutes=6)
    assert not admitted(other, late)
    assert not admitted(other, device.sign({"challenge": "AAAA"}))


def test_replayed_login_with_an_old_cookie_is_refused(hers: Browser, other: Browser, clock: Clock) -> None:
    device = add_passkey(hers)
    clock.advance(minutes=1)
    credential = device.sign(asked(other))
    with other.client.session_transaction() as session:
        kept = dict(session)
    clock.advance(minutes=1)
    assert admitted(other, credential)
    other.send("/logout")
    with other.client.session_transaction() as session:
        session.update(challenge=kept["challenge"])
    assert not admitted(other, credential)


def test_counter_of_a_device_that_does_not_increase_is_refused(
    hers: Browser, other: Browser, clock: Clock
) -> None:
    device = add_passkey(hers, Device(count=5))
    clock.advance(minutes=1)
    assert not enters(other, replace(device, count=5))
    assert enters(other, replace(device, count=6))


def test_passkey_needs_a_fresh_login(hers: Browser, clock: Clock) -> None:
    options = asked(hers, "/settings/passkeys/ask")
    device = Device().owned_by(options)
    clock.advance(minutes=16)
    refused = hers.send("/settings/passkeys/ask")
    assert (refused.status_code, "Log in again" in refused.text) == (422, True)
    late = hers.send("/settings/passkeys", credential=device.make(options), name="Phone")
    assert (late.status_code, "Log in again" in readable(late)) == (422, True)
    assert "To add a passkey, log in again" in hers.text("/settings/logins")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda device: replace(device, origin="https://localhost:8001"),
        lambda device: replace(device, host="example.com"),
        lambda device: replace(device, flags=0),
        lambda device: replace(device, credential=bytes(3000)),
    ],
    ids=["site", "host", "nobody-there", "long"],
)
def test_passkey_of_another_site_is_not_added(
    hers: Browser, services: Services, wrong: Callable[[Device], Device]
) -> None:
    options = asked(hers, "/settings/passkeys/ask")
    refused = hers.send("/settings/passkeys", credential=wrong(Device()).make(options), name="Phone")
    assert (refused.status_code, _NOT_ADDED in readable(refused)) == (422, True)
    assert stored(services) == []


def test_passkey_is_added_once_and_for_one_player(
    app: Flask, services: Services, hers: Browser, ben: Player
) -> None:
    device, his = add_passkey(hers), logged_in(app, services, ben)
    for browser in (hers, his):
        options = asked(browser, "/settings/passkeys/ask")
        refused = browser.send("/settings/passkeys", credential=device.make(options), name="Mine")
        assert _NOT_ADDED in readable(refused)
    his.send("/settings/passkeys/remove", passkey="1")
    assert stored(services) == ["Phone"]


@pytest.mark.sample(4)
@pytest.mark.parametrize("text", ["", "x", "null", "[]", "{}", "[" * 15_000, '{"id": 7}', "\ud800"])
def test_nonsense_is_refused(hers: Browser, other: Browser, text: str) -> None:
    sent = text.encode("utf-8", "surrogatepass")
    asked(hers, "/settings/passkeys/ask")
    assert hers.send("/settings/passkeys", credential=sent, name="Phone").status_code == 422
    asked(other)
    assert other.send("/login/passkey", credential=sent).status_code == 422


def test_damaged_answers_are_refused(hers: Browser, other: Browser) -> None:
    device = add_passkey(hers)
    for part in ("clientDataJSON", "authenticatorData", "signature", "userHandle"):
        sound = json.loads(device.sign(asked(other)))
        for damaged in ("", "AA", "é", "9" * 14_000, 7, None, sound["response"][part][:-8]):
            answer = {**sound, "response": {**sound["response"], part: damaged}}
            assert not admitted(other, json.dumps(answer))
            sound = json.loads(device.sign(asked(other)))
    assert not admitted(other, json.dumps(sound) + " " * LONGEST_CREDENTIAL)
    for part in ("clientDataJSON", "attestationObject"):
        options = asked(hers, "/settings/passkeys/ask")
        made = json.loads(Device().make(options))
        for damaged in ("", "gQ" * 7_000, made["response"][part][:-8]):
            answer = {**made, "response": {**made["response"], part: damaged}}
            refused = hers.send("/settings/passkeys", credential=json.dumps(answer), name="Phone")
            assert refused.status_code == 422


def test_number_of_passkeys_is_limited_and_each_has_a_name(hers: Browser, services: Services) -> None:
    for name in ("", "x" * 41, "\x07\u200b"):
        options = asked(hers, "/settings/passkeys/ask")
        refused = hers.send("/settings/passkeys", credential=Device().make(options), name=name)
        assert "Give the passkey a name with 1 to 40 characters." in readable(refused)
    for number in range(MOST_PASSKEYS):
        add_passkey(hers, name=f"Key {number}")
    refused = hers.send("/settings/passkeys/ask")
    assert (refused.status_code, refused.text) == (
        422,
        f"You have {MOST_PASSKEYS} passkeys: remove one of them first.",
    )
    assert len(stored(services)) == MOST_PASSKEYS


@pytest.mark.both
def test_two_passkeys_added_simultaneously_are_both_counted(
    app: Flask, services: Services, hers: Browser, ann: Player
) -> None:
    for number in range(MOST_PASSKEYS - 1):
        add_passkey(hers, name=f"Key {number}")
    browsers = [hers, logged_in(app, services, ann)]
    forms = [
        {"credential": Device().make(asked(browser, "/settings/passkeys/ask")), "name": "Last"}
        for browser in browsers
    ]
    with ThreadPoolExecutor() as pool:
        answers = pool.map(
            lambda one: one[0].send("/settings/passkeys", **one[1]), zip(browsers, forms, strict=True)
        )
    assert sorted(answer.status_code for answer in answers) == [303, 422]
    assert len(stored(services)) == MOST_PASSKEYS


def test_owner_is_notified_at_the_main_address(hers: Browser, services: Services) -> None:
    before = len(letters(services))
    add_passkey(hers, name="Ann’s phone")
    (told,) = letters(services)[before:]
    assert (told.to, told.mail["Subject"]) == ("ann@example.org", "Your account was changed")
    assert "A passkey that can log in as you was added: “Ann’s phone”." in told.words
    assert "in A browser. If it was you, you don't need to do anything." in told.words


def test_passkeys_are_managed_by_email(hers: Browser, other: Browser, services: Services) -> None:
    device = add_passkey(hers)
    add_passkey(hers, name="Key")
    (listed,) = receive(services, "ann@example.org", PLAY, "logins")
    assert "1: Phone" in listed.words
    assert "2: Key" in listed.words
    (removed,) = receive(services, "ann@example.org", PLAY, "passkey remove 1")
    assert "The passkey “Phone” is removed. It can no longer be used to log in." in removed.words
    assert not enters(other, device)
    (wrong,) = receive(services, "ann@example.org", PLAY, "passkey remove 1")
    assert "You have no passkey with the number 1." in wrong.words
    for text in ("passkey", "passkeys", "passkey add", "passkey remove"):
        (how,) = receive(services, "ann@example.org", PLAY, text)
        assert "Write “logins” for a list of your passkeys" in how.words
    assert stored(services) == ["Key"]


def test_closed_account_cannot_log_in_and_a_suspended_one_can(
    app: Flask, services: Services, hers: Browser, other: Browser, clock: Clock
) -> None:
    device = add_passkey(hers)
    olga = add_player(services, "olga@example.org", "Olga")

    def do(deed: Callable[[AdminAction, Player], None]) -> None:
        with writing(services.engine) as session:
            admin_action = AdminAction(ActionContext(session, services.sealer, services.now()), olga.id or 0)
            deed(admin_action, session.exec(select(Player).where(Player.name == "Ann")).one())

    do(lambda admin_action, ann: bans.suspend(admin_action, ann, None, "Insults."))
    clock.advance(minutes=1)
    assert enters(other, device)
    do(lambda admin_action, ann: bans.close(admin_action, ann, "Insults."))
    clock.advance(minutes=1)
    assert not enters(other, device)
    do(bans.lift)
    assert enters(other, device)


def test_new_secret_key_does_not_affect_passkeys(hers: Browser, services: Services) -> None:
    device = add_passkey(hers)
    alone = open_services(services.settings.model_copy(update={"secret_key": "n" * 32}), services.now)
    assert enters(Browser(create_app(alone)), device)
    alone.close()


def test_passkeys_are_deleted_with_the_account(
    services: Services, hers: Browser, other: Browser, ann: Player, ben: Player, app: Flask
) -> None:
    device = add_passkey(hers)
    add_passkey(logged_in(app, services, ben), name="His")
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        delete_account(action, session.get_one(Player, ann.id))
    assert stored(services) == ["His"]
    assert not enters(other, device)


def test_export_contains_passkeys(hers: Browser) -> None:
    add_passkey(hers)
    (told,) = json.loads(hers.get("/settings/data.json").text)["passkeys"]
    assert told == {"name": "Phone", "added": told["added"], "last_used": None}


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://games.example.org", "https://games.example.org"),
        ("https://games.example.org:8443", "https://games.example.org:8443"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://games.example.org", None),
        ("https://192.0.2.7", None),
        ("https://[2001:db8::1]", None),
        ("http://127.0.0.1:8000", None),
    ],
)
def test_passkeys_are_offered_if_the_browser_supports_them(address: str, origin: str | None) -> None:
    site = site_of(address)
    assert (site and site.origin) == origin


def stored(services: Services) -> list[str]:
    """Return the names of all stored passkeys."""
    with reading(services.engine) as session:
        return list(session.exec(select(Passkey.name).order_by(Passkey.name)))
