"""A new page needs a blueprint, a template and a line; a new setting needs only a field."""

from __future__ import annotations

import re
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
from tests.support.folders import ROOT
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


def test_new_page_has_the_common_layout_and_protection(pages: Browser) -> None:
    answer = pages.client.get("/hurrah")
    assert "Hip hip, nobody" in answer.text
    assert 'class="skip"' in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert pages.client.post("/hurrah").status_code == 400, "a form of another site"


class More(Settings):
    """The settings with one more."""

    cheers: int = Field(default=3, ge=1, description="How often Nabu cheers.")


def test_new_setting_is_read_and_suggested_for_a_misspelled_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NABU_CHEERS", "5")
    monkeypatch.setenv("NABU_CHEER", "7")
    assert More(secret_key="k" * 32, mail_domain="games.example.org").cheers == 5
    (sentence,) = unknown_names(More, None)
    assert (
        sentence == "NABU_CHEER=7: no setting has this name; did you mean NABU_CHEERS? Example: NABU_CHEERS=3"
    )


DRAW_OFFER = re.compile(
    r"(?i:\boffer\w*[ _](?:of[ _])?(?:a[ _])?draw|draw[ _]offer)|\bgame_words\b.*\bDRAW\b"
    r"|(?:=|\?)> draw|=> help draw|\bdraws, takebacks|\bdraw resign"
)
"""How code and texts name the offer of a draw, and its command."""


def test_the_offer_of_a_draw_is_in_few_files() -> None:
    """A kind of proposal has its rules and sentences in one file; others have its command, phrases and help.

    Another file agrees to the draw when the last player who had not agreed leaves the game.
    """
    texts = [
        path
        for folder in ("server", "mail", "rules", "templates")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".j2", ".html", ".js")
    ]
    naming = {path.relative_to(ROOT) for path in texts if DRAW_OFFER.search(path.read_text(encoding="utf-8"))}
    assert Path("server/game/play/proposals.py") in naming
    assert len(naming) <= 9, naming
