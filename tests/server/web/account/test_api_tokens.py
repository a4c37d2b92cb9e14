"""API tokens: created and revoked on a page or by email, shown once, and useless after they are revoked."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from sqlmodel import select

from server.admin import bans
from server.admin.audit import AdminAction
from server.game.leaving import data_export
from server.game.leaving.account_deletion import delete_account
from server.limits import MOST_TOKENS
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import ApiToken, Player
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, letters, receive
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.web.api_client import ApiClient, api_client
from tests.support.web.client import Browser, logged_in, readable

_TOKEN = re.compile(r"nabu_[\w-]{43}")


@pytest.fixture
def hers(app: Flask, services: Services, ann: Player) -> Browser:
    """A browser in which Ann has just logged in."""
    return logged_in(app, services, ann)


def made(browser: Browser, name: str = "Robot") -> str:
    """Create a token for the player who is logged in, and return it."""
    answer = browser.send("/settings/tokens", name=name)
    assert answer.status_code == 200, readable(answer)
    (token,) = _TOKEN.findall(answer.text)
    return str(token)


def is_good(app: Flask, token: str) -> bool:
    """Return whether a token gives access. Refused tokens all get the same response."""
    answer = ApiClient(app, token).get("/me")
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def stored(services: Services) -> list[str]:
    """Return the names of the stored tokens."""
    with reading(services.engine) as session:
        return [token.name for token in session.exec(select(ApiToken))]


@pytest.mark.both
def test_token_is_created_shown_once_and_withdrawn(
    app: Flask, services: Services, hers: Browser, clock: Clock
) -> None:
    token = made(hers, "My  robot")
    assert re.search("My robot Created just now .*; not used yet", hers.text("/settings/tokens"))
    assert token not in hers.get("/settings/tokens").text
    assert is_good(app, token)
    clock.advance(hours=2)
    assert re.search("My robot Created 2 h ago .*; last used 2 h ago", hers.text("/settings/tokens"))
    hers.send("/settings/tokens/remove", token="1")
    assert "The token “My robot” is removed. Programs can no longer use it." in hers.text("/settings/tokens")
    assert not is_good(app, token)
    hers.send("/settings/tokens/remove", token="1")
    assert "You have no token with the number 1." in hers.text("/settings/tokens")


def test_token_is_stored_only_as_a_fingerprint(services: Services, hers: Browser) -> None:
    token = made(hers)
    with reading(services.engine) as session:
        (row,) = session.exec(select(ApiToken))
        assert token.removeprefix("nabu_") not in repr(row)
        assert re.fullmatch("[0-9a-f]{64}", row.fingerprint)


@pytest.mark.sample(2)
@pytest.mark.parametrize("wrong", ["", "nabu_", "nabu_" + "x" * 43, "é", "x" * 2000])
def test_invalid_token_is_refused(app: Flask, hers: Browser, wrong: str) -> None:
    made(hers)
    assert not is_good(app, wrong)


def test_token_needs_a_fresh_login(services: Services, hers: Browser, clock: Clock) -> None:
    clock.advance(minutes=16)
    refused = hers.send("/settings/tokens", name="Robot")
    assert (refused.status_code, "Log in again to create an API token." in readable(refused)) == (422, True)
    assert stored(services) == []


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "\x1b\u200b"])
def test_token_without_a_valid_name_is_refused(services: Services, hers: Browser, name: str) -> None:
    refused = hers.send("/settings/tokens", name=name)
    assert "Give the token a name with 1 to 40 characters." in readable(refused)
    assert stored(services) == []


@pytest.mark.both
def test_number_of_tokens_is_limited_even_simultaneously(
    app: Flask, services: Services, hers: Browser, ann: Player
) -> None:
    for number in range(MOST_TOKENS - 1):
        made(hers, f"Robot {number}")
    others = [logged_in(app, services, ann) for _ in range(3)]
    with ThreadPoolExecutor() as threads:
        sent = list(threads.map(lambda other: other.send("/settings/tokens", name="One more"), others))
    assert sorted(answer.status_code for answer in sent) == [200, 422, 422]
    assert f"You have {MOST_TOKENS} tokens" in hers.text("/settings/tokens")


def test_owner_is_notified_at_the_main_address(services: Services, hers: Browser) -> None:
    before = len(letters(services))
    token = made(hers)
    (told,) = letters(services)[before:]
    assert (told.to, told.mail["Subject"]) == ("ann@example.org", "Your account was changed")
    assert "An API token was created: “Robot”." in told.words
    assert token not in told.words


def test_tokens_are_managed_by_email(app: Flask, services: Services, ann: Player) -> None:
    (none,) = receive(services, ann.email, PLAY, "tokens")
    assert "You have no API tokens." in none.words
    told, answer = receive(services, ann.email, PLAY, "token add My bot")
    assert (told.letter, told.to, answer.to) == ("account_changed", ann.email, ann.email)
    assert f"by an email from {ann.email}" in told.words
    (token,) = set(_TOKEN.findall(answer.words))
    assert is_good(app, token)
    (listed,) = receive(services, ann.email, PLAY, "token")
    assert "1: My bot" in listed.words
    assert token not in listed.words
    (removed,) = receive(services, ann.email, PLAY, "token remove 1")
    assert "The token “My bot” is removed" in removed.words
    assert not is_good(app, token)
    for text in ("token add", "token remove", "token of my bot"):
        (how,) = receive(services, ann.email, PLAY, text)
        assert "For a list of your tokens, write: token" in how.words


def test_stranger_gets_no_token(services: Services) -> None:
    (answer,) = receive(services, "eve@example.com", PLAY, "token add Robot")
    assert "eve@example.com is not the address of a player." in answer.words
    assert stored(services) == []


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", ["page", "mail", "delete", "close"])
def test_logging_out_everywhere_withdraws_tokens(
    app: Flask, services: Services, hers: Browser, ann: Player, way: str
) -> None:
    token, his = made(hers), api_client(app, services, add_player(services, "cleo@example.org", "Cleo"))
    if way == "page":
        hers.send("/logout/everywhere")
    elif way == "mail":
        receive(services, ann.email, PLAY, "logout all")
    else:
        _end(services, ann, delete_account if way == "delete" else None)
    assert not is_good(app, token)
    assert is_good(app, his.token)


def _end(services: Services, player: Player, delete: Callable[[ActionContext, Player], None] | None) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        found = session.get_one(Player, player.id)
        if delete is None:
            bans.close(AdminAction(action, found.id or 0), found, "Insults.")
        else:
            delete(action, found)


def test_logging_out_other_browsers_keeps_tokens(app: Flask, hers: Browser) -> None:
    token = made(hers)
    hers.send("/settings/logins", login="others")
    assert is_good(app, token)


def test_export_contains_tokens(services: Services, hers: Browser, ann: Player) -> None:
    token = made(hers)
    with reading(services.engine) as session:
        text = data_export.own_data(session, services.sealer, session.get_one(Player, ann.id))
    assert '"name": "Robot"' in text
    assert token not in text
