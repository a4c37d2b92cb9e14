"""People with browsers, for tests of the web pages: a Flask test client that sends forms as a page would."""

from __future__ import annotations

import re
import secrets
from html import unescape
from typing import Any

import flask
import pytest
from flask import Flask
from flask_wtf.csrf import generate_csrf
from sqlmodel import select
from werkzeug.test import TestResponse

from server.accounts import logged_in as sessions
from server.accounts import logins, players
from server.game import lobby, log, play, seeking
from server.game.target import Target
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Game, Player
from server.store.outbox import Action
from server.web import create_app


class Browser:
    """A browser; `player` is who is logged in."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def get(self, address: str) -> TestResponse:
        """Follow a link."""
        return self.client.get(address, buffered=True)

    def send(self, address: str, **fields: Any) -> TestResponse:
        """Send a form, with the token that our pages put into forms."""
        return self.client.post(address, data={"csrf_token": self.token(), **fields})

    def token(self) -> str:
        """Return a CSRF token, which is valid for all forms in one session."""
        with self.client.session_transaction() as session:
            drawn = session.setdefault("csrf_token", secrets.token_hex(20))
        with self.client.application.test_request_context():
            flask.session["csrf_token"] = drawn
            return str(generate_csrf())

    def log_in(self, player: Player, login: int) -> None:
        """Set the session cookie of a player whose login has this number."""
        with self.client.session_transaction() as session:
            session.clear()
            session.permanent = True
            session.update(player=player.id, login=login)

    def text(self, address: str) -> str:
        """What a page says, as text without the tags, white space evened out."""
        return readable(self.get(address))


def readable(response: TestResponse) -> str:
    """What an answer says, as text without the tags, white space evened out."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.text)).split())


@pytest.fixture
def app(services: Services) -> Flask:
    """The web pages over these services."""
    return create_app(services)


@pytest.fixture
def ann(services: Services) -> Player:
    """A player."""
    return add_player(services, "ann@example.org", "Ann")


@pytest.fixture
def ben(services: Services) -> Player:
    """Another player."""
    return add_player(services, "ben@example.org", "Ben")


def add_player(services: Services, email: str, name: str) -> Player:
    """A player who is registered."""
    with writing(services.engine) as session:
        return players.register(Action(session, services.sealer, services.now()), email, name)


def logged_in(app: Flask, services: Services, player: Player) -> Browser:
    """A browser in which the player is logged in, as a login link would have it."""
    browser = Browser(app)
    with writing(services.engine) as session:
        who = session.get_one(Player, player.id)
        players.admit(Action(session, services.sealer, services.now()), who)
        assert logins.spend(session, who)
        number = sessions.begin(session, services.now(), who, "A browser")
    browser.log_in(player, number)
    return browser


def begin(services: Services, kind: str, *seated: Player, **options: object) -> int:
    """The number of a new game; the first player challenges, the others accept."""
    with writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        first, *others = (session.get_one(Player, player.id) for player in seated)
        number = log.identity(lobby.challenge(action, first, others, kind, options))
        for other in others:
            lobby.accept(action, other, number)
        return number


def open_game(services: Services, player: Player, kind: str = "nibble", **options: object) -> int:
    """The number of a game that a player opens to anybody."""
    with writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        return log.identity(seeking.seek(action, session.get_one(Player, player.id), kind, options))


def mail_every_turn(services: Services, *who: Player) -> None:
    """Have these players, or all that there are, mailed every turn, their own too."""
    with writing(services.engine) as session:
        for player in session.exec(select(Player)):
            if not who or player.id in {each.id for each in who}:
                player.choices = {**player.choices, "mail": "every turn"}


def submit(services: Services, number: int, seat: int, text: str) -> None:
    """Have a seat play its move, by mail as it were."""
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        _, player = log.seats(session, game)[seat]
        action = Action(session, services.sealer, services.now())
        play.submit(action, player, Target(number, seat, game.turn), text)
