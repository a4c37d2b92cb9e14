"""A player without an opponent in a round is offered a friendly game, which does not count."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts import computer_players
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from server.tournaments import byes
from tests.support.server.emails import PLAY, receive
from tests.support.server.services import Clock
from tests.support.server.tournaments import NAMES, Field, first_by_name, last_email
from tests.support.web.client import Browser, logged_in


@pytest.fixture
def field(services: Services, clock: Clock) -> Field:
    computer_players.ensure_exist(services.engine, clock())
    return Field(services, clock, form="swiss", places="5", rounds=2, after="10d", time="none")


def offered(field: Field, name: str) -> bool:
    with reading(field.services.engine) as session:
        return byes.friendly(session, field.number, field.ids[name]) is not None


def browser_of(app: Flask, field: Field, name: str) -> Browser:
    with reading(field.services.engine) as session:
        player = session.get_one(Player, field.ids[name])
        session.expunge(player)
    return logged_in(app, field.services, player)


def friendly_game(field: Field) -> Game:
    """Return the last game, which does not belong to the tournament."""
    with reading(field.services.engine) as session:
        game = session.exec(select(Game).order_by(Game.id.desc())).first()  # type: ignore[union-attr]
        assert game is not None
        assert (game.tournament_id, game.terms["rated"], game.state) == (None, "off", "running")
        assert {player.name for _, player in log.seats(session, game)} == {"Emil", "Amytis"}
        session.expunge(game)
        return game


def test_email_about_a_bye_offers_a_friendly_game(field: Field) -> None:
    field.enter(*NAMES[:5])
    field.tick()
    words = last_email(field, "round_begins", "Emil").words
    assert "Amytis, a computer player about as strong as you, is free for a friendly game meanwhile." in words
    command = re.search(r"challenge Amytis nebuchadnezzar [a-z0-9=+/ -]+rated=off", words)
    assert command is not None
    assert "Amytis" not in last_email(field, "round_begins", "Ann").words
    receive(field.services, "emil@example.org", PLAY, command[0])
    assert friendly_game(field).options["size"] == 4
    field.play_round(first_by_name)
    assert [offered(field, name) for name in NAMES[:5]].count(True) == 1, "the next one who rests"


@pytest.mark.both
def test_tournament_page_offers_a_friendly_game_during_a_bye(app: Flask, field: Field) -> None:
    field.enter(*NAMES[:5])
    field.tick()
    page = f"/tournaments/{field.number}"
    assert "friendly" not in browser_of(app, field, "Ann").get(page).text
    browser = browser_of(app, field, "Emil")
    shown = browser.get(page).text
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]+)">', shown))
    fields = {name: value for name, value in fields.items() if name != "csrf_token"}
    assert "Play a friendly game" in shown
    assert browser.send("/games/new/nebuchadnezzar", **fields).status_code == 303
    assert friendly_game(field).options["size"] == 4


@pytest.mark.parametrize(
    ("plan", "rests"),
    [
        ({"form": "knock-out", "places": "5"}, 3),
        ({"form": "round-robin", "places": "5", "together": "off"}, 1),
        ({"form": "round-robin", "places": "5"}, 0),
        ({"form": "ladder", "places": "5"}, 0),
    ],
)
def test_friendly_games_are_offered_for_the_byes_of_each_format(
    services: Services, clock: Clock, plan: dict[str, str], rests: int
) -> None:
    field = Field(services, clock, **plan)
    field.enter(*NAMES[:5])
    assert not any(offered(field, name) for name in NAMES[:5])
    field.tick()
    assert [offered(field, name) for name in NAMES[:5]].count(True) == rests
