"""Responses of the API match its OpenAPI document; schemathesis generates the requests."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from schemathesis.specs.openapi.schemas import OpenApiSchema

from rules.registry import RULES
from server.processes.services import Services, open_services
from server.store.models import Player
from server.web import create_app
from server.web.api.blueprint import pages
from server.web.api.events import EXTENSION
from server.web.shared.streams import Streams
from tests.support.server.games import begin, open_game, submit
from tests.support.server.players import add_player
from tests.support.server.services import Clock, assert_no_failures, settings_for, sqlite_database
from tests.support.web.api_client import ApiClient, api_client

_EXAMPLES = settings(
    max_examples=8, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
_OPERATIONS = sorted(
    (method, path) for path, item in pages.paths.items() for method in ("get", "post") if getattr(item, method)
)


@dataclass(frozen=True)
class _World:
    """A server with a program of Ann and games of all kinds, which can be put back to how it began."""

    services: Services
    app: Flask
    hers: ApiClient
    numbers: list[int]
    schema: OpenApiSchema
    database: Path
    content: bytes

    def put_back(self) -> None:
        """Undo everything that requests have changed."""
        # Streams report existing events and end.
        self.app.extensions[EXTENSION] = Streams(lasts=0, look=0.01)
        log = Path(f"{self.database}-wal")
        self.services.engine.dispose()
        if log.exists():
            # The generator of a response that was not read to its end has a connection until it is collected.
            gc.collect()
            self.services.engine.dispose()
        assert not log.exists(), "nothing else has it open"
        self.database.write_bytes(self.content)

    def cases(self, method: str, path: str, mode: GenerationMode) -> Any:
        """Return a strategy for requests of an operation."""
        return self.schema[path][method].as_strategy(generation_mode=mode)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_World]:
    """One server for all tests of this module: an application, and above all its document, are expensive."""
    folder = tmp_path_factory.mktemp("api")
    # There is no practical rate limit for programs.
    services = open_services(settings_for(sqlite_database(folder), api_rate=1_000_000), Clock())
    app = create_app(services)
    ann, ben = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben"))
    hers, numbers = api_client(app, services, ann), _games(services, ann, ben)
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    # It would search the source code of the application for values.
    schema.config.analysis.constants.enabled = False
    services.engine.dispose()
    database = folder / "nabu.db"
    yield _World(services, app, hers, numbers, schema, database, database.read_bytes())
    services.engine.dispose()


def _games(services: Services, ann: Player, ben: Player) -> list[int]:
    """Return the numbers of games of all kinds: running, over, with secret orders, and open; 99 is none."""
    games = [begin(services, "nebuchadnezzar", ann, ben, size=4) for _ in range(2)]
    submit(services, games[0], 0, "a1")
    games.append(begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0))
    return [*games, open_game(services, ann), open_game(services, ben), 99]


@pytest.fixture
def world(made: _World) -> Iterator[_World]:
    """The server as it began; failures of its jobs fail the test."""
    made.put_back()
    yield made
    assert_no_failures(made.services)


@pytest.mark.sample(6)
@pytest.mark.parametrize(("method", "path"), _OPERATIONS)
def test_valid_requests_are_answered_as_documented(world: _World, method: str, path: str) -> None:
    """No server errors, responses in the documented form, and refusals only by the rules of games."""

    @_EXAMPLES
    @given(world.cases(method, path, GenerationMode.POSITIVE), st.sampled_from(world.numbers), st.booleans())
    def answered(case: Case[Any], number: int, sensible: bool) -> None:
        if sensible:
            _make_sense_of(case, number)
        answer = case.call_and_validate(
            headers=_headers(world.hers), excluded_checks=[positive_data_acceptance]
        )
        if answer.status_code == 422:
            assert answer.json()["type"] != "about:blank", answer.text

    answered()


@pytest.mark.sample(6)
@pytest.mark.parametrize(("method", "path"), _OPERATIONS)
def test_invalid_requests_are_refused_as_documented(world: _World, method: str, path: str) -> None:
    @_EXAMPLES
    @given(world.cases(method, path, GenerationMode.NEGATIVE))
    def refused(case: Case[Any]) -> None:
        # The generator may drop an invalid URL or header before it sends the request.
        if case.method == "GET":
            case.call_and_validate(headers=_headers(world.hers), excluded_checks=[negative_data_rejection])
        else:
            case.call_and_validate(headers=_headers(world.hers))

    refused()


def test_openapi_document_describes_all_operations(made: _World) -> None:
    document = made.app.test_client().get("/api/v1/openapi.json").get_json()
    assert document["openapi"].startswith("3.1")
    assert document["components"]["securitySchemes"]["token"] == {"type": "http", "scheme": "bearer"}
    described = [
        operation
        for item in document["paths"].values()
        for operation in item.values()
        if operation.get("summary") and operation["security"] == [{"token": []}]
    ]
    assert len(described) == len(_OPERATIONS) > 25


def _make_sense_of(case: Case[Any], number: int) -> None:
    """Change a request so that it names an existing game, its current turn and an existing game type."""
    if "number" in case.path_parameters:
        case.path_parameters["number"] = number
    if isinstance(case.body, dict):
        game_type = sorted(RULES)[number % len(RULES)]
        sensible: dict[str, Any] = {"turn": 1, "game_type": game_type, "opponents": ["Ben"], "move": "a1"}
        case.body.update({name: value for name, value in sensible.items() if name in case.body})


def _headers(robot: ApiClient) -> dict[str, str]:
    return {"Authorization": f"Bearer {robot.token}"}
