"""Browsers without a window: a Flask test client that sends forms like a page."""

from __future__ import annotations

import re
import secrets
from html import unescape
from typing import Any

import flask
import pytest
from flask import Flask
from flask_wtf.csrf import generate_csrf
from werkzeug.test import TestResponse

from server.accounts import players
from server.accounts.login import links, sessions
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player
from server.store.outbox import ActionContext
from server.web import create_app


class Browser:
    """A browser; `player` is logged in there."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def get(self, address: str) -> TestResponse:
        """Follow a link."""
        return self.client.get(address, buffered=True)

    def send(self, address: str, **fields: Any) -> TestResponse:
        """Send a form, with the CSRF token of the pages."""
        return self.client.post(address, data={"csrf_token": self.token(), **fields})

    def token(self) -> str:
        """Return a CSRF token, which is valid for all forms in one session."""
        with self.client.session_transaction() as session:
            drawn = session.setdefault("csrf_token", secrets.token_hex(20))
        with self.client.application.test_request_context():
            flask.session["csrf_token"] = drawn
            return str(generate_csrf())

    def log_in(self, player: Player, login: int) -> None:
        """Set the session cookie of a player with a login of this number."""
        with self.client.session_transaction() as session:
            session.clear()
            session.permanent = True
            session.update(player=player.id, login=login)

    def text(self, address: str) -> str:
        """Return the text of a page without tags, with single spaces."""
        return readable(self.get(address))


def readable(response: TestResponse) -> str:
    """Return the text of a response without tags, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.text)).split())


@pytest.fixture
def app(services: Services) -> Flask:
    """The web pages over these services."""
    return create_app(services)


def logged_in(app: Flask, services: Services, player: Player) -> Browser:
    """Return a browser in which the player is logged in, as with a login link."""
    browser = Browser(app)
    with writing(services.engine) as session:
        who = session.get_one(Player, player.id)
        players.admit(ActionContext(session, services.sealer, services.now()), who)
        assert links.spend(session, who)
        number = sessions.begin(session, services.now(), who, "A browser")
    browser.log_in(player, number)
    return browser


@pytest.fixture
def browser(app: Flask, services: Services, ann: Player) -> Browser:
    """A browser in which Ann has just logged in."""
    return logged_in(app, services, ann)
