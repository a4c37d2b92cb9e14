"""Games of every variant on web pages, and with one player on the web and the other by email."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from rules.game import Json
from rules.registry import RULES
from server.game.log import log
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading
from server.store.models import Game, Player
from server.web import create_app
from tests.support.e2e.games_of_two import begin_by_email, stored_game
from tests.support.e2e.mailboxes import Person, text_of
from tests.support.folders import RECORDS
from tests.support.rules.every_game import QUICK, VARIANTS
from tests.support.rules.random_games import short_game
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in
from tests.support.web.games import match

ENOUGH = 12
"""The turns after which people resign, in variants that take longer than the quickest of their game."""
_FEW: list[tuple[str, Json]] = [QUICK[2], QUICK[3]]
"""The games for the second database: one with simultaneous orders, one in turns."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("database", "game_type", "options"),
    [*(("sqlite", *variant) for variant in VARIANTS), *(("postgresql", *variant) for variant in _FEW)],
)
def test_every_variant_is_played_on_the_web(services: Services, game_type: str, options: Json) -> None:
    app = create_app(services)
    seats = len(RULES[game_type].seats(RULES[game_type].options(options)))
    people = [add_player(services, f"p{number}@example.org", f"P{number}") for number in range(seats)]
    game = match(app, services, game_type, *people, **options)
    moves = short_game(game_type, options)
    while (stored := game.game()).state == "running":
        rules, position = log.rules_of(stored), log.position_of(stored)
        if stored.turn > ENOUGH and (game_type, options) not in QUICK:
            leaving = rules.to_move(position)[0]
            assert game.browsers[leaving].send(f"{game.address}/resign", turn=stored.turn).status_code == 303
            continue
        for seat, move in moves(position).items():
            text = rules.format(move)
            sent = game.browsers[seat].send(f"{game.address}/move", turn=stored.turn, text=text)
            assert sent.status_code == 303
    assert stored.result is not None
    assert "wins" in game.browsers[0].text(game.address) or "draw" in game.browsers[0].text(game.address)


@pytest.fixture
def pages(settings: Settings) -> Iterator[Services]:
    """Services for the web pages, with the clock of the running processes and not that of the tests."""
    services = open_services(settings)
    yield services
    services.close()


@pytest.mark.long
def test_one_plays_on_the_web_and_the_other_by_email(
    person: Callable[[str], Person], pages: Services, settings: Settings
) -> None:
    """A turn resolves only when both orders are in, in any order and by either way."""
    record = json.loads((RECORDS / "nelaxtam-sample-0003.json").read_text())
    (writer, mail), (reader, _) = begin_by_email(person, "nelaxtam")
    browser = at_the_web(pages, reader)
    for number, turn in enumerate(record["turns"], start=1):
        by_mail, by_web = turn["orders"]["0"], turn["orders"]["1"]
        if number % 2:
            known = browser.text("/games/1").count(by_mail)
            writer.answer(mail, by_mail)
            assert "sealed" in text_of(writer.next())
            assert browser.text("/games/1").count(by_mail) == known
            send(browser, number, by_web)
        else:
            send(browser, number, by_web)
            assert stored_game(settings)[0].turn == number
            writer.answer(mail, by_mail)
        mail = writer.next()
        assert by_web in text_of(mail)
        assert by_mail in text_of(mail)
        if number < len(record["turns"]):
            assert f"Turn {number + 1}" in browser.text("/games/1")
    game, turns = stored_game(settings)
    assert game.result == record["result"]
    assert [entry.body["line"] for entry in turns] == record["turns"]


def at_the_web(services: Services, person: Person) -> Browser:
    app: Flask = create_app(services)
    with reading(services.engine) as session:
        seated = {player.email: player for _, player in log.seats(session, session.get_one(Game, 1))}
        player: Player = seated[person.address]
        session.expunge(player)
    return logged_in(app, services, player)


def send(browser: Browser, turn: int, orders: str) -> None:
    assert browser.send("/games/1/move", turn=turn, text=orders).status_code == 303
