"""Whatever is sent to the API is answered as its OpenAPI document says: schemathesis draws requests."""

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
from server.web.api.streams import EXTENSION, Streams
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
    """Settings for pages at which programs may ask as fast as they like."""
    return settings_for(database_url, api_rate=1_000_000)


@pytest.fixture
def numbers(services: Services, ann: Player, ben: Player) -> list[int]:
    """Games of all sorts: in turns, one of them over, with secret orders, and open."""
    games = [begin(services, "nebuchadnezzar", ann, ben, size=4) for _ in range(2)]
    submit(services, games[0], 0, "a1")
    games.append(begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0))
    return [*games, open_game(services, ann), open_game(services, ben), 99]


@pytest.fixture
def hers(app: Flask, services: Services, ann: Player) -> ApiClient:
    """A program of Ann's, at pages whose streams tell what there is, and end."""
    app.extensions[EXTENSION] = Streams(lasts=0, look=0.01)
    return api_client(app, services, ann)


@pytest.mark.sample(6)
@pytest.mark.parametrize(("method", "path"), _OPERATIONS)
def test_what_fits_the_document_is_answered_as_it_says(
    app: Flask, hers: ApiClient, numbers: list[int], method: str, path: str
) -> None:
    """Without a fault of ours, in the form that is promised, and refused only for what the rules say of it."""

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
def test_what_does_not_fit_is_refused_as_it_says(app: Flask, hers: ApiClient, method: str, path: str) -> None:
    @_EXAMPLES
    @given(_cases(app, method, path, GenerationMode.NEGATIVE))
    def refused(case: Case[Any]) -> None:
        # What is wrong with an address, or with headers that are ours, may be gone from what is sent.
        if case.method == "GET":
            case.call_and_validate(headers=_headers(hers), excluded_checks=[negative_data_rejection])
        else:
            case.call_and_validate(headers=_headers(hers))

    refused()


def test_it_is_a_document_of_this_version(app: Flask) -> None:
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
    # It would look for values in the source of each application anew.
    schema.config.analysis.constants.enabled = False
    return schema[path][method].as_strategy(generation_mode=mode)


def _make_sense_of(case: Case[Any], number: int) -> None:
    """Make a request about a game that may exist, its current turn, and an existing game type."""
    if "number" in case.path_parameters:
        case.path_parameters["number"] = number
    if isinstance(case.body, dict):
        game_type = sorted(RULES)[number % len(RULES)]
        sensible: dict[str, Any] = {"turn": 1, "game_type": game_type, "opponents": ["Ben"], "move": "a1"}
        case.body.update({name: value for name, value in sensible.items() if name in case.body})


def _headers(robot: ApiClient) -> dict[str, str]:
    return {"Authorization": f"Bearer {robot.token}"}
