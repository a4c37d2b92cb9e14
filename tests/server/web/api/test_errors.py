"""All errors follow RFC 9457 and contain a sentence."""

from __future__ import annotations

import pytest
from flask import Flask, abort
from sqlalchemy.exc import OperationalError

from server.processes.services import Services
from server.store.models import Player
from server.web import create_app
from tests.support.web.api_client import ApiClient, api_client, problem

_AWAY = OperationalError("secret", None, RuntimeError("secret"))


@pytest.fixture
def hers(app: Flask, services: Services, ann: Player) -> ApiClient:
    """A program of Ann."""
    return api_client(app, services, ann)


@pytest.mark.parametrize("path", ["/nowhere", "/games/99", "/games/x", "/games/1/moves"])
def test_unknown_addresses_give_404(hers: ApiClient, path: str) -> None:
    assert problem(hers.get(path))[:2] == (404, "blank")


def test_errors_below_the_root_are_problem_documents(app: Flask) -> None:
    for path in ("/api/", "/api/v2/me", "/api/v1", "/api/v1/"):
        assert problem(app.test_client().get(path))[0] == 404, path


def test_wrong_method_gives_405(hers: ApiClient) -> None:
    answer = hers.post("/me")
    assert problem(answer)[0] == 405
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("page=0", "“page” is not valid"),
        ("page=x", "“page” is not valid"),
        ("page=99999999999999999999999", "“page” is not valid"),
        ("list=nowhere", "“list” is not valid"),
        ("pages=2", "“pages” is not valid"),
    ],
)
def test_invalid_query_is_refused(hers: ApiClient, query: str, sentence: str) -> None:
    status, _, detail = problem(hers.get(f"/games?{query}"))
    assert (status, sentence in detail) == (422, True), detail


def test_url_that_is_too_long_or_has_forbidden_characters_is_refused(hers: ApiClient) -> None:
    assert problem(hers.get("/games?list=a%00b"))[0] == 400
    assert problem(hers.get(f"/games?list={'x' * 3000}"))[0] == 413


def test_other_hosts_are_refused(app: Flask, hers: ApiClient) -> None:
    answer = app.test_client().get("/api/v1/me", base_url="http://evil.example.com")
    assert problem(answer)[0] == 400


@pytest.mark.sample(2)
@pytest.mark.parametrize("code", [400, 403, 404, 405, 409, 413, 418, 429, 500, 503])
def test_every_status_has_a_sentence(services: Services, code: int) -> None:
    app = create_app(services)
    app.add_url_rule("/api/v1/broken", "broken", view_func=lambda: abort(code))
    assert problem(app.test_client().get("/api/v1/broken"))[0] == code


@pytest.mark.parametrize(("error", "status"), [(RuntimeError("secret"), 500), (_AWAY, 503)])
def test_internal_error_reveals_nothing(services: Services, error: Exception, status: int) -> None:
    app = create_app(services)

    def broken() -> str:
        raise error

    app.add_url_rule("/api/v1/broken", "broken", view_func=broken)
    answer = app.test_client().get("/api/v1/broken")
    code, _, detail = problem(answer)
    assert (code, "secret" in detail) == (status, False)
    assert ("Retry-After" in answer.headers) == (status == 503)


def test_errors_of_pages_are_pages(app: Flask) -> None:
    assert app.test_client().get("/apiary").content_type == "text/html; charset=utf-8"


def test_too_deeply_nested_json_is_refused(app: Flask, hers: ApiClient) -> None:
    body = '{"text": ' + "[" * 900 + "]" * 900 + "}"
    headers = {"Authorization": f"Bearer {hers.token}", "Content-Type": "application/json"}
    paths = {
        rule.rule.replace("<int:number>", "1").replace("<number>", "1")
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/") and "POST" in (rule.methods or ())
    }
    assert len(paths) > 10
    for path in paths:
        answer = hers.client.post(path, data=body, headers=headers)
        assert problem(answer)[0] == 400, path
        assert problem(answer)[2] == "The JSON of this request is nested too deeply.", path
