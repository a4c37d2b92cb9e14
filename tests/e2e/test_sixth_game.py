"""A new game is one class and one line in the registry, and can be played by email and on the web."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from rules.registry import RULES
from server.game.log import log
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading
from server.store.models import Game, Player
from server.web import create_app
from tests.support.e2e.games_of_two import begin_by_email, stored_game
from tests.support.e2e.mailboxes import PATIENCE, Person, World, text_of
from tests.support.e2e.nabu_process import running
from tests.support.rules.toy_games import Toy
from tests.support.server.players import add_player
from tests.support.web.client import logged_in

Make = Callable[[str], Person]


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy game in this process; `with_toy` registers it where Nabu runs."""
    monkeypatch.setitem(RULES, Toy.name, Toy())


@pytest.fixture
def with_toy(settings: Settings, world: World) -> Iterator[Make]:
    """A function that creates people whose Nabu has the toy game."""
    with running(settings, game_types=[Toy]) as nabu:
        yield lambda address: Person(world, address, nabu.listener, settings.mail_domain)


@pytest.fixture
def services(settings: Settings) -> Iterator[Services]:
    """Services for the web pages, with the clock of the running Nabu."""
    services = open_services(settings)
    yield services
    services.engine.dispose()


def test_new_game_type_is_played_by_email_to_its_end(with_toy: Make, settings: Settings) -> None:
    (first, mail), (second, _) = begin_by_email(with_toy, "toy", "stones=6")
    assert "take 1" in text_of(mail)
    first.answer(mail, "Take 3.")
    first.next()
    report = second.next()
    assert "3 stones were taken." in text_of(report)
    second.answer(report, "take 4")
    refusal = second.next()
    assert "You cannot take 4 stones now." in " ".join(text_of(refusal).split())
    second.answer(refusal, "3\nsay Thank you.")
    assert "the last stone is taken" in text_of(first.next())
    assert stored_game(settings)[0].result == {"winners": [1], "reason": "last-stone"}


def test_questions_about_the_new_game_type_are_answered(with_toy: Make) -> None:
    (who, mail), _ = begin_by_email(with_toy, "toy")
    for command, expected in (
        ("? 2", "The board after take 2"),
        ("moves", "take 1 | take 2 | take 3"),
        ("help", "your move"),
        ("rules", "This server has no rules page for Toy."),
        ("verify", "a record of Toy"),
    ):
        who.answer(mail, command)
        assert expected in text_of(who.next()), command


def test_strangers_get_the_new_game_type_in_help(with_toy: Make) -> None:
    ann = with_toy("ann@example.org")
    ann.write("register Ann")
    assert "toy\n" in "\n".join(map(str.strip, text_of(ann.next()).splitlines()))
    ann.write("challenge ben@example.org toy stones=100")
    assert "Toy has the option stones, from 1 to 99." in text_of(ann.next())


def test_new_game_type_is_played_on_the_web_against_the_computer(with_toy: Make, services: Services) -> None:
    ann = add_player(services, "ann@example.org", "Ann")
    app: Flask = create_app(services)
    browser = logged_in(app, services, ann)
    assert "Toy" in browser.text("/games/new")
    assert browser.get("/game-types/toy.svg").status_code == 200
    address = browser.send("/games/new/toy", whom="computer", **{"option-stones": "5"}).location
    assert address is not None
    number = int(address.rpartition("/")[2])
    while (game := waiting_for(services, number, ann)).state == "running":
        assert "take 1" in browser.text(address)
        assert "You are trying" in browser.text(f"{address}?move=1")
        assert browser.send(f"{address}/move", turn=game.turn, text="1").status_code == 303
    assert "the last stone is taken" in browser.text(address)
    assert '"game": "toy"' in browser.get(f"{address}/record.json").text


def waiting_for(services: Services, number: int, player: Player) -> Game:
    """Wait until the game waits for the player or is over, and return it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with reading(services.engine) as session:
            game = session.get_one(Game, number)
            seated = {other.id: seat for seat, other in log.seats(session, game)}
            if game.state == "over" or seated[player.id].owes:
                return game
        time.sleep(0.05)
    raise AssertionError("the computer never moved")
