"""A new page needs a blueprint, a template and a line; a new setting needs only a field."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Blueprint, render_template
from jinja2 import ChoiceLoader, FileSystemLoader
from pydantic import Field

from server import web
from server.processes.services import Services
from server.settings import Settings
from server.settings.loading import unknown_names
from server.web.shared.visits import visitor
from tests.support.web.client import Browser

TEMPLATE = """{% extends "base.html" %}
{% block title %}Hurrah{% endblock %}
{% block content %}<p>{{ words }}</p>{% endblock %}
"""


@pytest.fixture
def pages(services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Browser:
    """Return a browser on the pages with one more page."""
    toy = Blueprint("toy", __name__)

    @toy.get("/hurrah")
    def hurrah() -> str:
        return render_template("hurrah.html", words=f"Hip hip, {visitor() or 'nobody'}")

    @toy.post("/hurrah")
    def cheer() -> str:
        return "cheered"

    monkeypatch.setattr(web, "_BLUEPRINTS", (*web._BLUEPRINTS, toy))
    app = web.create_app(services)
    (tmp_path / "hurrah.html").write_text(TEMPLATE, encoding="utf-8")
    assert app.jinja_loader is not None
    app.jinja_loader = ChoiceLoader([FileSystemLoader(tmp_path), app.jinja_loader])
    return Browser(app)


def test_a_new_page_looks_like_the_others_and_is_as_safe(pages: Browser) -> None:
    answer = pages.client.get("/hurrah")
    assert "Hip hip, nobody" in answer.text
    assert 'class="skip"' in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert pages.client.post("/hurrah").status_code == 400, "a form of another site"


class More(Settings):
    """The settings with one more."""

    cheers: int = Field(default=3, ge=1, description="How often Nabu cheers.")


def test_a_new_setting_is_read_checked_and_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NABU_CHEERS", "5")
    monkeypatch.setenv("NABU_CHEER", "7")
    assert More(secret_key="k" * 32, mail_domain="games.example.org").cheers == 5
    (sentence,) = unknown_names(More, None)
    assert (
        sentence == "NABU_CHEER=7: no setting has this name; did you mean NABU_CHEERS? Example: NABU_CHEERS=3"
    )
