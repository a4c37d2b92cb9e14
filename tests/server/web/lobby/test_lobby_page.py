"""Open games on the web."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from lxml.html import document_fromstring  # type: ignore[import-untyped]

from rules.reasons import Reason
from rules.result import Result
from server.accounts import relations
from server.game.lobby import challenges
from server.game.play import loaded_game
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.counting import statements
from tests.support.server.games import begin, open_game, state_of
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in, readable


def resign(services: Services, number: int) -> None:
    """End a game: the player in the first seat resigns."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        loaded_game.finish(
            loaded_game.load_game(action, session.get_one(Game, number)), Result((1,), Reason.RESIGNED)
        )


@pytest.fixture
def browsers(app: Flask, services: Services, ann: Player, ben: Player) -> tuple[Browser, Browser]:
    """Ann's and Ben's browsers."""
    return logged_in(app, services, ann), logged_in(app, services, ben)


def test_open_game_is_public_and_can_be_joined(
    app: Flask, services: Services, ann: Player, browsers: tuple[Browser, Browser]
) -> None:
    number = open_game(services, ann)
    page = f"/games/{number}"
    assert "Sign up to join" in Browser(app).text(page)
    assert "This game is open to anyone. It starts when 1 more player has joined" in browsers[1].text(page)
    assert "Your game is open to anyone." in browsers[0].text(page)
    assert (
        "joined. Each move may take up to 3 days. The game is rated: its result changes the players' ratings."
        in browsers[0].text(page)
    )
    link = f'id="share" readonly value="{services.settings.base_url}{page}"'
    assert all(link in browser.get(page).text for browser in browsers)
    assert "Waiting for others to join 1" in browsers[0].text("/games")
    assert browsers[0].get(f"{page}/now").status_code == Browser(app).get(f"{page}/now").status_code == 200
    answer = browsers[1].send(f"{page}/join", luck="a goat")
    assert (answer.status_code, state_of(services, number)) == (303, "running")


def test_words_for_luck_are_given_and_the_game_is_left(
    app: Flask, services: Services, ann: Player, browsers: tuple[Browser, Browser]
) -> None:
    number = open_game(services, ann, "nexus", players=3)
    page = f"/games/{number}"
    browsers[1].send(f"{page}/join")
    assert "2 more needed" not in browsers[1].text("/games")
    assert "with Ann, 1 more needed" in browsers[1].text("/games")
    browsers[1].send(f"{page}/join", luck="a goat")
    assert "Your words for luck will be mixed in." in browsers[1].text(page)
    browsers[1].send(f"{page}/leave")
    browsers[0].send(f"{page}/leave")
    assert state_of(services, number) == "closed"
    assert "was cancelled before all seats were taken" in browsers[0].text(page)
    assert browsers[1].get(page).status_code == Browser(app).get(page).status_code == 404
    assert "Waiting for others" not in browsers[0].text("/games")


@pytest.mark.parametrize("reader", [0, 1, 2])
def test_enter_in_a_field_joins_or_saves_and_never_leaves(
    app: Flask, services: Services, ann: Player, browsers: tuple[Browser, Browser], reader: int
) -> None:
    """Enter in a text field presses the first button of its form."""
    page = f"/games/{open_game(services, ann, 'nexus', players=4)}"
    browsers[1].send(f"{page}/join")
    cleo = logged_in(app, services, add_player(services, "cleo@example.org", "Cleo"))
    (bar,) = document_fromstring((*browsers, cleo)[reader].get(page).text).find_class("bar")
    (form,) = {field.getparent().getparent() for field in bar.xpath(".//input[@name='luck']")}
    first = bar.xpath(f".//form[@id='{form.get('id')}']//button | .//button[@form='{form.get('id')}']")[0]
    assert form.get("action") == f"{page}/join"
    assert first.get("formaction") is None
    assert first.text == ("Join" if reader == 2 else "Save these words")
    assert not bar.xpath(".//form//input[@id='share']")


def test_open_game_for_three_starts_with_two_who_agree(
    app: Flask, services: Services, ann: Player, browsers: tuple[Browser, Browser]
) -> None:
    page = f"/games/{open_game(services, ann, 'nexus', players=3)}"
    assert "Start with" not in browsers[0].text("/lobby") + browsers[0].text(page)
    browsers[1].send(f"{page}/join")
    cleo = logged_in(app, services, add_player(services, "cleo@example.org", "Cleo"))
    for stranger in (cleo, Browser(app)):
        assert "Start with" not in stranger.text("/lobby") + stranger.text(page)
    assert cleo.send(f"{page}/start").status_code == 403
    assert f'href="{page}#start"' in browsers[0].get("/lobby").text
    assert "Agree to start with 2 players" in browsers[0].text(page)
    browsers[0].send(f"{page}/start")
    assert state_of(services, 1) == "open"
    own = browsers[0].text(page)
    assert ("Ann has agreed, Ben has not." in own, "Agree to start" in own) == (True, False)
    assert "Agree to start with 2 players" in browsers[1].text(page)
    browsers[1].send(f"{page}/start")
    assert state_of(services, 1) == "running"


def test_blocked_players_do_not_see_each_others_open_games(
    app: Flask, services: Services, ann: Player, browsers: tuple[Browser, Browser]
) -> None:
    page = f"/games/{open_game(services, ann)}"
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        relations.block(action, session.get_one(Player, ann.id), "Ben")
    assert browsers[1].get(page).status_code == 404
    answer = browsers[1].send(f"{page}/join")
    assert (answer.status_code, state_of(services, 1)) == (404, "open")
    assert Browser(app).get(page).status_code == 200


def test_lobby_shows_open_running_and_finished_games(
    app: Flask, services: Services, ann: Player, ben: Player, browsers: tuple[Browser, Browser]
) -> None:
    nobody = Browser(app)
    assert "There are no open games." in nobody.text("/lobby")
    cleo = add_player(services, "cleo@example.org", "Cleo")
    open_game(services, ann, time="1d")
    open_game(services, ann, "nexus", players=3)
    open_game(services, cleo, "nebuchadnezzar", size=7)
    begin(services, "nebuchadnezzar", ann, ben)
    resign(services, begin(services, "nardshir", ann, ben))
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        challenges.challenge(action, session.get_one(Player, cleo.id), [ben], "nibble", {})
    page = browsers[1].text("/lobby")
    assert "An invitation waits for your answer" in page
    assert "by Ann Each" not in page, "the options stand between"
    assert "by Ann 9 by 9 squares Each move may take up to 1 day." in page
    assert "by Ann, 2 more needed 3 players" in page
    assert re.search(r"Running games Nebuchadnezzar 4 .* turn 1", page)
    assert re.search(r"Recently finished Nardshir 5 .* resigned", page)
    assert page.count(" Join ") == 3
    own = browsers[0].text("/lobby")
    assert (own.count(" Cancel "), own.count(" Join "), own.count("Yours")) == (2, 1, 2)
    assert "waits for your answer" not in own
    assert "Join" not in nobody.text("/lobby").split()
    for number, seats in ((1, 2), (2, 3), (3, 2)):
        assert nobody.get(f"/games/{number}/start/{seats}.svg").text.startswith("<svg")
    for address in ("/games/2/start/2.svg", "/games/4/start/2.svg", "/games/99/start/2.svg"):
        assert nobody.get(address).status_code == 404


def test_conditions_are_shown_and_others_cannot_join(
    app: Flask, services: Services, ann: Player, browsers: tuple[Browser, Browser]
) -> None:
    page = f"/games/{open_game(services, ann, rating='1400-1700')}"
    why = "You have no rating in slow games of Nibble yet"
    lobby_page = browsers[1].text("/lobby")
    assert ("for anyone rated 1400 to 1700" in lobby_page, why in lobby_page) == (True, True)
    shown = browsers[1].text(page)
    assert "This game is open to anyone rated 1400 to 1700. It starts when 1 more player has joined" in shown
    assert why in shown
    assert "Join" not in lobby_page.split() + shown.split()
    answer = browsers[1].send(f"{page}/join")
    assert (answer.status_code, state_of(services, 1)) == (422, "open")
    assert "Game 1 is for anyone rated 1400 to 1700. You have no rating" in readable(answer)
    assert why not in browsers[0].text("/lobby") + browsers[0].text(page) + Browser(app).text(page)


def test_many_open_games_are_paged(app: Flask, services: Services, ann: Player) -> None:
    for _ in range(9):
        open_game(services, ann)
    for number in range(4):
        open_game(services, add_player(services, f"p{number}@example.org", f"P{number}"))
    first, second = (Browser(app).text(f"/lobby?page={page}") for page in (1, 2))
    assert first.count("1 more needed") == second.count("1 more needed") == 0
    assert len(re.findall(r"by (P\d|Ann)\b", first)) == 12
    assert second.count("by Ann") == 1
    assert "Page 1 More" in first
    assert "Back Page 2" in second


def test_form_opens_a_game(services: Services, browsers: tuple[Browser, Browser]) -> None:
    answer = browsers[0].send("/games/new/nibble", whom="anyone", opponents="", time="1d")
    assert (answer.status_code, state_of(services, 1)) == (303, "open")
    assert "It starts when all seats are taken." in browsers[0].text("/games/1")
    fields = {"rating": "1400-", "in-time": "90"}
    answer = browsers[0].send("/games/new/nibble", whom="anyone", opponents="", time="1d", **fields)
    whom = "anyone rated at least 1400 who answers at least 90% of their turns in time"
    assert f"Your game is open to {whom}." in browsers[0].text(answer.location)
    for also in ({"whom": "anyone", "rating": "strong"}, {"opponents": "Ben", "rating": "1400-"}):
        answer = browsers[0].send("/games/new/nibble", **{"opponents": "", "time": "1d", **also})
        assert answer.status_code == 422
        assert 'value="' + also["rating"] in answer.text, "nothing written is lost"


def test_number_of_queries_of_the_lobby_is_constant(
    app: Flask, services: Services, ann: Player, ben: Player, browsers: tuple[Browser, Browser]
) -> None:
    def asked() -> int:
        with statements(services) as seen:
            browsers[1].get("/lobby")
        return len(seen)

    def add() -> None:
        open_game(services, ann)
        begin(services, "nebuchadnezzar", ann, ben)
        resign(services, begin(services, "nebuchadnezzar", ann, ben))

    add()
    asked()  # announcements are cached for a minute
    few = asked()
    for _ in range(5):
        add()
    assert asked() == few <= 10
