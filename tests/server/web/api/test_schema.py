"""Responses of the API match its OpenAPI document; schemathesis generates the requests."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from rules.registry import RULES
from server.processes.services import Services
from server.settings import Settings
from server.store.models import Player
from server.web.api.blueprint import pages
from server.web.api.events import EXTENSION
from server.web.shared.streams import Streams
from tests.support.server.games import begin, open_game, submit
from tests.support.server.services import settings_for
from tests.support.web.api_client import ApiClient, api_client

_EXAMPLES = settings(
    max_examples=8, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
_OPERATIONS = sorted(
    (method, path) for path, item in pages.paths.items() for method in ("get", "post") if getattr(item, method)
)


@pytest.fixture(name="settings")
def fast(database_url: str) -> Settings:
    """Settings without a practical rate limit for programs."""
    return settings_for(database_url, api_rate=1_000_000)


@pytest.fixture
def numbers(services: Services, ann: Player, ben: Player) -> list[int]:
    """Games of all kinds: running, over, with secret orders, and open."""
    games = [begin(services, "nebuchadnezzar", ann, ben, size=4) for _ in range(2)]
    submit(services, games[0], 0, "a1")
    games.append(begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0))
    return [*games, open_game(services, ann), open_game(services, ben), 99]


@pytest.fixture
def hers(app: Flask, services: Services, ann: Player) -> ApiClient:
    """A program of Ann, with streams that report existing events and end."""
    app.extensions[EXTENSION] = Streams(lasts=0, look=0.01)
    return api_client(app, services, ann)


@pytest.mark.sample(6)
@pytest.mark.parametrize(("method", "path"), _OPERATIONS)
def test_valid_requests_are_answered_as_documented(
    app: Flask, hers: ApiClient, numbers: list[int], method: str, path: str
) -> None:
    """No server errors, responses in the documented form, and refusals only by the rules of games."""

    @_EXAMPLES
    @given(_cases(app, method, path, GenerationMode.POSITIVE), st.sampled_from(numbers), st.booleans())
    def answered(case: Case[Any], number: int, sensible: bool) -> None:
        if sensible:
            _make_sense_of(case, number)
        answer = case.call_and_validate(headers=_headers(hers), excluded_checks=[positive_data_acceptance])
        if answer.status_code == 422:
            assert answer.json()["type"] != "about:blank", answer.text

    answered()


@pytest.mark.sample(6)
@pytest.mark.parametrize(("method", "path"), _OPERATIONS)
def test_invalid_requests_are_refused_as_documented(
    app: Flask, hers: ApiClient, method: str, path: str
) -> None:
    @_EXAMPLES
    @given(_cases(app, method, path, GenerationMode.NEGATIVE))
    def refused(case: Case[Any]) -> None:
        # The generator may drop an invalid URL or header before it sends the request.
        if case.method == "GET":
            case.call_and_validate(headers=_headers(hers), excluded_checks=[negative_data_rejection])
        else:
            case.call_and_validate(headers=_headers(hers))

    refused()


def test_openapi_document_describes_all_operations(app: Flask) -> None:
    document = app.test_client().get("/api/v1/openapi.json").get_json()
    assert document["openapi"].startswith("3.1")
    assert document["components"]["securitySchemes"]["token"] == {"type": "http", "scheme": "bearer"}
    described = [
        operation
        for item in document["paths"].values()
        for operation in item.values()
        if operation.get("summary") and operation["security"] == [{"token": []}]
    ]
    assert len(described) == len(_OPERATIONS) > 25


def _cases(app: Flask, method: str, path: str, mode: GenerationMode) -> Any:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    # It would search the source code of each application for values again.
    schema.config.analysis.constants.enabled = False
    return schema[path][method].as_strategy(generation_mode=mode)


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
