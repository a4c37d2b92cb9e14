"""Pages are compressed for clients that accept it, and the compression reveals no secrets."""

from __future__ import annotations

import gzip

import pytest
from flask import Flask, Response
from werkzeug.test import TestResponse

from server.processes.services import Services
from server.store.models import Player
from server.web import compressing
from tests.support.web.client import logged_in


def asked(app: Flask, address: str, takes: str = "gzip, deflate, br") -> TestResponse:
    return app.test_client().get(address, headers={"Accept-Encoding": takes})


def test_pages_are_compressed_if_the_browser_accepts_it(app: Flask) -> None:
    plain, sent = (asked(app, "/game-types/nibble.svg", takes) for takes in ("identity", "gzip, deflate, br"))
    assert plain.headers.get("Content-Encoding") is None
    assert sent.headers.get("Content-Encoding") == "gzip"
    assert "Accept-Encoding" in plain.vary
    assert "Accept-Encoding" in sent.vary
    assert gzip.decompress(sent.data) == plain.data
    assert int(sent.headers["Content-Length"]) == len(sent.data) < len(plain.data) / 2


def test_page_with_a_number_in_its_address_is_compressed(app: Flask) -> None:
    for address in ("/", "/rules/nexus/game?turn=2"):
        page = gzip.decompress(asked(app, address).data)
        assert page.startswith(b"<!doctype html>")
        assert page.rstrip().endswith(b"</html>")


def test_style_sheets_are_compressed_if_the_browser_accepts_it(app: Flask) -> None:
    address = f"{app.static_url_path}/style.css"
    plain, sent = (asked(app, address, takes) for takes in ("identity", "gzip"))
    assert plain.headers.get("Content-Encoding") is None
    assert gzip.decompress(sent.data) == plain.data
    assert int(sent.headers["Content-Length"]) == len(sent.data) < len(plain.data) / 2
    again = {"Accept-Encoding": "gzip", "If-None-Match": sent.headers["ETag"]}
    known = app.test_client().get(address, headers=again)
    assert known.status_code == 304
    for answer in (plain, sent, known):
        answer.close()


@pytest.mark.parametrize("takes", ["", "br", "gzip;q=0"])
def test_pages_are_not_compressed_if_the_browser_does_not_accept_it(app: Flask, takes: str) -> None:
    assert asked(app, "/", takes).text.startswith("<!doctype html>")


def test_small_responses_are_not_compressed(app: Flask) -> None:
    for address in ("/healthz", "/rules/nexus/record.json"):
        assert asked(app, address).headers.get("Content-Encoding") is None


def test_api_responses_are_not_compressed(app: Flask) -> None:
    answer = asked(app, "/api/v1/openapi.json")
    assert len(answer.data) > 10_000
    assert answer.headers.get("Content-Encoding") is None


def test_page_that_may_repeat_its_address_is_not_compressed(
    app: Flask, services: Services, ann: Player
) -> None:
    browser = logged_in(app, services, ann).client
    found = {
        address: browser.get(address, headers={"Accept-Encoding": "gzip"}).headers.get("Content-Encoding")
        for address in (
            "/archive",
            "/archive?page=1",
            "/archive?player=Ben",
            "/archive?page=1&game_type=nibble",
        )
    }
    assert found == {
        "/archive": "gzip",
        "/archive?page=1": "gzip",
        "/archive?player=Ben": None,
        "/archive?page=1&game_type=nibble": None,
    }


def test_compressed_length_of_a_page_varies(app: Flask) -> None:
    assert len({len(asked(app, "/rules/nexus").data) for _ in range(40)}) > 10


def test_response_without_a_type_is_unchanged() -> None:
    app = Flask(__name__)
    compressing.prepare(app)

    @app.get("/")
    def answer() -> Response:
        found = Response(b"x" * 2000)
        del found.headers["Content-Type"]
        return found

    assert asked(app, "/").data == b"x" * 2000
