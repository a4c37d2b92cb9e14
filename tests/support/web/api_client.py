"""Programs that use the API with a player's token."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from server.accounts.login import api_tokens
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.server.games import begin
from tests.support.server.players import add_player

ROOT = "/api/v1"


class ApiClient:
    """A program with a player's token, or without any token."""

    def __init__(self, app: Flask, token: str = "") -> None:
        self.client = app.test_client()
        self.token = token

    def get(self, path: str, **query: Any) -> TestResponse:
        """Send a GET request."""
        return self.client.get(ROOT + path, query_string=query or None, headers=self._headers())

    def post(self, path: str, key: str = "", /, **body: Any) -> TestResponse:
        """Send a POST request; `key` is its idempotency key."""
        return self.client.post(ROOT + path, json=body, headers=self._headers() | ({_KEY: key} if key else {}))

    def read(self, path: str, **query: Any) -> Any:
        """Return the content of a URL; fail if there is none."""
        answer = self.get(path, **query)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def do(self, path: str, key: str = "", /, **body: Any) -> Any:
        """Carry out an action, which must succeed, and return the content of the response."""
        answer = self.post(path, key, **body)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


_KEY = "Idempotency-Key"


def api_client(app: Flask, services: Services, player: Player, name: str = "Robot") -> ApiClient:
    """Return a program with a new token of a player."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        _, token = api_tokens.add(action, session.get_one(Player, player.id), name, "in a test")
    return ApiClient(app, token)


def problem(answer: TestResponse) -> tuple[int, str, str]:
    """Return the status, the end of the type and the sentence of a problem."""
    assert answer.content_type == "application/problem+json", answer.text
    said = answer.get_json()
    assert said["status"] == answer.status_code
    assert said["detail"].endswith((".", "?", "!")), said["detail"]
    return answer.status_code, said["type"].rpartition(":")[2], said["detail"]


class ApiGame:
    """A game and the programs of its players, by seat, with a program of a spectator."""

    def __init__(
        self, app: Flask, services: Services, game_type: str, *people: Player, **options: object
    ) -> None:
        self.number = begin(services, game_type, *people, **options)
        with reading(services.engine) as session:
            seated = [player for _, player in log.seats(session, session.get_one(Game, self.number))]
            session.expunge_all()
        self.robots = [api_client(app, services, player) for player in seated]
        self.stranger = api_client(app, services, add_player(services, "cleo@example.org", "Cleo"))
        self.path = f"/games/{self.number}"


@pytest.fixture
def table(app: Flask, services: Services, ann: Player, ben: Player) -> ApiGame:
    """A small game without secrets."""
    return ApiGame(app, services, "nebuchadnezzar", ann, ben, size=5)
