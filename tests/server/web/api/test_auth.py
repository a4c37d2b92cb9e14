"""Authentication by token and not by cookie, and the rate limit."""

from __future__ import annotations

import pytest
from flask import Flask

from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.models import Player
from server.web import create_app
from tests.support.server.services import Clock, settings_for
from tests.support.web.api_client import ApiClient, api_client, problem
from tests.support.web.client import logged_in
from tests.support.web.games import Match


def test_only_public_data_without_a_token(app: Flask, open_game: Match) -> None:
    nobody = ApiClient(app)
    assert nobody.get("/openapi.json").status_code == 200
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")]
    assert len(rules) > 5
    for rule in rules:
        if rule.endpoint == "api.openapi":
            continue
        path = rule.rule.removeprefix("/api/v1").replace("<int:number>", str(open_game.number))
        answer = nobody.post(path) if "POST" in (rule.methods or ()) else nobody.get(path)
        status, _, sentence = problem(answer)
        assert (status, answer.headers["WWW-Authenticate"]) == (401, "Bearer realm=Nabu"), path
        assert "Authorization: Bearer TOKEN" in sentence


def test_cookies_are_ignored_and_not_set(
    app: Flask, services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    browser, hers = logged_in(app, services, ben), api_client(app, services, ann)
    clock.advance(hours=1)
    assert browser.client.get("/api/v1/me").status_code == 401
    assert browser.client.post("/api/v1/seek", json={"game_type": "nibble"}).status_code == 401
    answer = browser.client.get("/api/v1/me", headers={"Authorization": f"Bearer {hers.token}"})
    assert answer.get_json()["name"] == "Ann"
    assert "Set-Cookie" not in answer.headers
    assert "Set-Cookie" in browser.get("/games").headers


def test_token_identifies_the_player(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    hers, his = api_client(app, services, ann, "One"), api_client(app, services, ben, "Two")
    assert hers.read("/me") == {"name": "Ann", "zone": "UTC", "token": "One", "waiting": 0, "suspended": ""}
    assert his.read("/me")["name"] == "Ben"


def test_authorization_scheme_is_read_in_any_case(app: Flask, services: Services, ann: Player) -> None:
    token = api_client(app, services, ann).token
    for written, status in ((f"bearer {token}", 200), (f"Basic {token}", 401), (token, 401), ("Bearer", 401)):
        answer = app.test_client().get("/api/v1/me", headers={"Authorization": written})
        assert answer.status_code == status, written


@pytest.fixture
def slow(database_url: str, clock: Clock) -> Services:
    """Services that allow six requests per minute and token."""
    return open_services(settings_for(database_url, api_rate=6), clock)


def test_requests_per_minute_are_limited(slow: Services, ann: Player, ben: Player, clock: Clock) -> None:
    app = create_app(slow)
    hers, other, his = api_client(app, slow, ann), api_client(app, slow, ann), api_client(app, slow, ben)
    assert [hers.get("/me").status_code for _ in range(7)] == [200] * 6 + [429]
    answer = hers.get("/me")
    assert problem(answer)[2] == "A token can send 6 requests per minute. Try again in 10 s."
    assert answer.headers["Retry-After"] == "10"
    assert (other.get("/me").status_code, his.get("/me").status_code) == (200, 200)
    clock.advance(seconds=10)
    assert [hers.get("/me").status_code for _ in range(2)] == [200, 429]
    slow.close()


def test_limit_of_requests_is_a_setting() -> None:
    assert Settings.model_fields["api_rate"].default == 120
