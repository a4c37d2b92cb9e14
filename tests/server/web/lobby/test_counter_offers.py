"""Counter-offers to a challenge on the web."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.web.client import Browser, logged_in, readable


@pytest.fixture
def browsers(app: Flask, services: Services, ann: Player, ben: Player) -> tuple[Browser, Browser]:
    """Ann's and Ben's browsers; Ann has challenged Ben to a game."""
    anns, bens = (logged_in(app, services, player) for player in (ann, ben))
    fields = {"option-board": "square-13", "time": "1d", "grace": "5h", "private": "on"}
    anns.send("/games/new/nibble", opponents="Ben", **fields)
    return anns, bens


def test_form_contains_the_current_terms(browsers: tuple[Browser, Browser]) -> None:
    page = browsers[1].get("/games/1").text
    assert re.search(r'<a [^>]*href="/games/1/counter"[^>]*>Propose other terms</a>', page)
    form = browsers[1].get("/games/1/counter").text
    assert '<option value="square-13" selected>' in form
    assert 'value="1d" checked' in form
    assert re.search(r'id="grace"[^>]*value="5h"', form)
    assert 'name="opponents"' not in form


def test_changed_terms_are_proposed(services: Services, browsers: tuple[Browser, Browser]) -> None:
    fields = {"option-board": "square-13", "time": "3d", "grace": "5h", "private": "on"}
    assert browsers[1].send("/games/1/counter", **fields).location == "/games/2"
    assert "Ben proposes time 3d instead of 1d." in browsers[0].text("/games/2")
    assert "Game 2" in browsers[0].text("/games/1")
    browsers[0].send("/games/2/accept")
    with reading(services.engine) as session:
        assert session.get_one(Game, 2).state == "running"


def test_error_is_shown_in_the_form(browsers: tuple[Browser, Browser]) -> None:
    same = {"option-board": "square-13", "time": "1d", "grace": "5h", "private": "on"}
    answer = browsers[1].send("/games/1/counter", **same)
    assert answer.status_code == 422
    assert "Game 1 already has these options." in readable(answer)
    assert "Each move may take up to 12 hours" in readable(
        browsers[1].send("/games/1/counter/terms", **{**same, "other-time": "12h"})
    )


def test_form_is_not_shown_to_the_challenger_or_to_visitors(
    browsers: tuple[Browser, Browser], app: Flask
) -> None:
    assert "Propose other terms" not in browsers[0].text("/games/1")
    assert browsers[0].get("/games/1/counter").status_code == 404
    assert Browser(app).get("/games/1/counter").status_code == 303
