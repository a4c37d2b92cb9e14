"""Open games on the web."""

from __future__ import annotations

import pytest
from flask import Flask

from server.accounts import relations
from server.game import log, seeking
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import Action
from tests.server.browsers import Browser, logged_in, readable


def open_game(services: Services, player: Player, kind: str = "nibble", **options: object) -> int:
    """The number of a game that a player opens to anybody."""
    with writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        return log.identity(seeking.seek(action, session.get_one(Player, player.id), kind, options))


def state(services: Services, number: int) -> str:
    """The state of a game."""
    with reading(services.engine) as session:
        return session.get_one(Game, number).state


@pytest.fixture
def browsers(app: Flask, services: Services, ann: Player, ben: Player) -> tuple[Browser, Browser]:
    """Ann's and Ben's."""
    return logged_in(app, services, ann), logged_in(app, services, ben)


def test_a_game_is_seen_by_everybody_and_joined(
    app: Flask, services: Services, ann: Player, browsers: tuple[Browser, Browser]
) -> None:
    number = open_game(services, ann)
    page = f"/games/{number}"
    assert "Become a player to join" in Browser(app).text(page)
    assert "This game is open to anybody. It begins when 1 more player has joined" in browsers[1].text(page)
    assert "Your game is open to anybody." in browsers[0].text(page)
    assert "Open to anybody 1" in browsers[0].text("/games")
    assert browsers[0].get(f"{page}/now").status_code == Browser(app).get(f"{page}/now").status_code == 200
    answer = browsers[1].send(f"{page}/join", luck="a goat")
    assert (answer.status_code, state(services, number)) == (303, "running")


def test_words_are_given_and_the_table_is_left(
    app: Flask, services: Services, ann: Player, browsers: tuple[Browser, Browser]
) -> None:
    number = open_game(services, ann, "nexus", players=3)
    page = f"/games/{number}"
    browsers[1].send(f"{page}/join")
    assert "2 more wanted" not in browsers[1].text("/games")
    assert "with Ann, 1 more wanted" in browsers[1].text("/games")
    browsers[1].send(f"{page}/join", luck="a goat")
    assert "Your words will be mixed in." in browsers[1].text(page)
    browsers[1].send(f"{page}/leave")
    browsers[0].send(f"{page}/leave")
    assert state(services, number) == "closed"
    assert "was closed before all seats were taken" in browsers[0].text(page)
    assert browsers[1].get(page).status_code == Browser(app).get(page).status_code == 404
    assert "Open to anybody" not in browsers[0].text("/games")


def test_blocked_people_do_not_see_each_others_open_games(
    app: Flask, services: Services, ann: Player, browsers: tuple[Browser, Browser]
) -> None:
    page = f"/games/{open_game(services, ann)}"
    with writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        relations.block(action, session.get_one(Player, ann.id), "Ben")
    assert browsers[1].get(page).status_code == 404
    answer = browsers[1].send(f"{page}/join")
    assert (answer.status_code, state(services, 1)) == (409, "open")
    assert "You cannot join game 1." in readable(answer)
    assert Browser(app).get(page).status_code == 200
