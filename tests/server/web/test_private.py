"""For other people, a private game does not exist: the same responses everywhere, at the same cost."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlmodel import col, select

from server.commands.vocabulary import PLAIN
from server.game.lobby import challenges, rematch
from server.game.play import moves
from server.game.play.target import Target
from server.game.views import archive
from server.game.views.archive import Search
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.counting import statements
from tests.support.server.command_examples import ACCOUNT_MAILS
from tests.support.server.emails import receive
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in, readable
from tests.support.web.page_addresses import FORMS, PAGES, secret_link

OF_GAMES = {
    **{address: "GET" for address in PAGES.values() if "{game}" in address},
    **{address: "POST" for address in FORMS.values() if "{game}" in address},
}
MISSING = 99
FORM = {"turn": "1", "text": "c3", "say": "hello", "part": "c3", "days": "3", "where": "off"}
_NUMBER = re.compile(r"(game |games/)[0-9]+\b")
_TOKEN = re.compile(r'(csrf_token" value=")[^"]+')


@pytest.fixture
def game(services: Services, ann: Player, ben: Player) -> int:
    """A private game of Ann and Ben."""
    return begin(services, "nebuchadnezzar", ann, ben, size=5, private="on")


@pytest.fixture
def strangers(app: Flask, services: Services) -> list[Browser]:
    """Another player, and a visitor without a login."""
    return [logged_in(app, services, add_player(services, "cleo@example.org", "Cleo")), Browser(app)]


def answer_at(browser: Browser, method: str, address: str) -> tuple[object, ...]:
    """Return the response of a URL without the number of the game and values that change with each visit."""
    browser.get("/verify")  # show messages that are left from an earlier request
    answer = browser.send(address, **FORM) if method == "POST" else browser.get(address)
    unlike = ("Set-Cookie", "Date", "Content-Length")
    headers = [(name, _NUMBER.sub(r"\1", value)) for name, value in answer.headers if name not in unlike]
    content = _NUMBER.sub(r"\1", _TOKEN.sub("", answer.data.decode(errors="backslashreplace")))
    return answer.status_code, headers, content


def test_every_address_of_a_private_game_is_not_found_for_others(
    services: Services, game: int, ann: Player, strangers: list[Browser]
) -> None:
    shared = secret_link(services, game, ann)
    for browser in strangers:
        for address, method in OF_GAMES.items():
            there, missing = (
                answer_at(browser, method, address.format(game=number, link=shared))
                for number in (game, MISSING)
            )
            assert there == missing, address


@pytest.mark.sample(8)
@pytest.mark.parametrize("command", [each for each in PLAIN.help_by_usage() if "NUMBER" in each])
def test_every_command_treats_a_private_game_as_missing_for_others(
    services: Services, ann: Player, ben: Player, command: str
) -> None:
    """Commands that name other things by number also find no game."""
    add_player(services, "cleo@example.org", "Cleo")
    begin(services, "nibble", ann, ben)
    numbers = begin(services, "nebuchadnezzar", ann, ben, size=5, private="on"), MISSING
    answers = []
    for number in numbers:
        text = re.sub(r"\b[1-9]\b", str(number), ACCOUNT_MAILS[command])
        told = receive(services, "cleo@example.org", "play@games.example.org", text)
        answers.append([(each.letter, each.to, re.sub(rf"\b{number}\b", "", each.words)) for each in told])
    assert answers[0] == answers[1]


def test_private_and_missing_games_take_the_same_work(
    services: Services, game: int, strangers: list[Browser]
) -> None:
    for browser in strangers:
        browser.get("/lobby")  # announcements are cached for a minute
        for address, method in OF_GAMES.items():
            if method == "GET":
                there, missing = (
                    work(services, browser, address.format(game=number, link="x")) for number in (game, MISSING)
                )
                assert there == missing, address


def work(services: Services, browser: Browser, address: str) -> list[str]:
    """Return the database queries for a page."""
    with statements(services) as asked:
        browser.get(address)
    return asked


def test_players_see_their_private_game(
    app: Flask, services: Services, game: int, ann: Player, ben: Player
) -> None:
    for player in (ann, ben):
        browser = logged_in(app, services, player)
        assert "Private: only its players can see it." in browser.text(f"/games/{game}")
        for address in ("record.json", "moves.txt", "boards/0.svg", "now", "analysis"):
            assert browser.get(f"/games/{game}/{address}").status_code == 200


def resign(action: ActionContext, player: Player, number: int) -> Player:
    """Let a player resign; return the player as loaded in this transaction."""
    known = action.session.get_one(Player, player.id)
    seat = challenges.seat_of(action.session, action.session.get_one(Game, number), known)
    assert seat is not None
    moves.resign(action, known, Target(number, seat, 1))
    return known


@pytest.mark.both
def test_private_game_is_in_no_search(services: Services, game: int, ann: Player, ben: Player) -> None:
    public = begin(services, "nebuchadnezzar", ann, ben, size=5)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for number in (game, public):
            resign(action, ann, number)
    with reading(services.engine) as session:
        for wanted in (Search(), Search(player="Ann"), Search(game_type="nebuchadnezzar", outcome="won")):
            assert [row.number for row in archive.found(session, wanted, 10)] == [public]


def test_rematch_of_a_private_game_is_private(services: Services, game: int, ann: Player) -> None:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        again = rematch.again(action, resign(action, ann, game), game)
        assert (again.private, again.terms["private"]) == (True, "on")


def test_private_is_chosen_with_a_challenge(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    receive(services, ann.email, "play@games.example.org", "challenge Ben nibble private=on")
    logged_in(app, services, ann).send("/games/new/nibble", opponents="Ben", private="on")
    receive(services, ann.email, "play@games.example.org", "challenge Ben nibble")
    with reading(services.engine) as session:
        found = list(session.exec(select(Game).order_by(col(Game.id))))
    assert [each.private for each in found] == [True, True, False]
    assert "private" not in found[2].terms
    refused = logged_in(app, services, ann).send("/games/new/nibble", opponents="Ben", private="perhaps")
    assert "“Who can see the game” must be on or off, not perhaps." in readable(refused)
