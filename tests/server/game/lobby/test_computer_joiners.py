"""Open games that no one joins for an hour: computer players join, if allowed, as announced."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts import computer_players
from server.game.lobby import challenge_checks, joining, upkeep
from server.game.log import log
from server.jobs.table import FILLING
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player, Rating
from server.store.outbox import ActionContext
from tests.support.server.emails import PLAY, letters, receive
from tests.support.server.games import open_game
from tests.support.server.jobs import look_after_lobby
from tests.support.server.services import Clock
from tests.support.web.client import logged_in


@pytest.fixture(autouse=True)
def at_court(services: Services) -> None:
    """Create the computer players."""
    computer_players.ensure_exist(services.engine, services.now())


def players_of(services: Services, number: int) -> list[str]:
    """Return the names of the players of a game; [] until it has started."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        names = [player.name for _, player in log.seats(session, game)]
        return sorted(names) if game.state == "running" else []


def rate(services: Services, name: str, number: int, game_type: str = "nibble") -> None:
    with writing(services.engine) as session:
        player = session.exec(select(Player).where(Player.name == name)).one()
        mu = 25 + (number - 1500) / 48
        session.add(
            Rating(player_id=player.id or 0, game_type=game_type, pace="slow", mu=mu, sigma=3.0, games=20)
        )


@pytest.mark.both
def test_computer_player_joins_after_an_hour(services: Services, clock: Clock, ann: Player) -> None:
    number = open_game(services, ann)
    clock.advance(minutes=59)
    look_after_lobby(services)
    assert players_of(services, number) == []
    clock.advance(minutes=1)
    before = len(letters(services))
    look_after_lobby(services)
    assert players_of(services, number) == ["Ann", "Belshazzar"]
    (told,) = letters(services, before)
    assert (told.letter, told.to) == ("report", ann.email)
    assert "Belshazzar" in told.words
    with reading(services.engine) as session:
        assert session.get_one(Game, number).terms["rated"] == "on"


@pytest.mark.parametrize(("rating", "joins"), [(1000, "Belshazzar"), (1520, "Amytis"), (1800, "Berossus")])
def test_computer_player_of_similar_strength_joins(
    services: Services, clock: Clock, ann: Player, rating: int, joins: str
) -> None:
    rate(services, "Ann", rating)
    number = open_game(services, ann)
    clock.advance(hours=1)
    look_after_lobby(services)
    assert players_of(services, number) == sorted(["Ann", joins])


def test_only_computer_players_that_meet_the_conditions_join(
    services: Services, clock: Clock, ann: Player
) -> None:
    """A computer player without a rating does not meet a condition about ratings."""
    number = open_game(services, ann, rating="1400-1600")
    for _ in range(3):
        clock.advance(hours=1)
        look_after_lobby(services)
    assert players_of(services, number) == []
    rate(services, "Hammurabi", 1590)
    rate(services, "Berossus", 1700)
    clock.advance(hours=1)
    look_after_lobby(services)
    assert players_of(services, number) == ["Ann", "Hammurabi"]


@pytest.mark.parametrize("options", [{"company": "people"}, {"private": "on"}, {"anonymous": "on"}])
def test_private_anonymous_and_people_only_games_wait_for_people(
    services: Services, clock: Clock, ann: Player, options: dict[str, str]
) -> None:
    number = open_game(services, ann, **options)
    clock.advance(days=2)
    look_after_lobby(services)
    assert players_of(services, number) == []


def test_player_can_choose_to_wait_for_people(services: Services, clock: Clock, ann: Player) -> None:
    (told,) = receive(services, ann.email, PLAY, "company people")
    assert "Only people will join your open games." in told.words
    waits, goes = open_game(services, ann), open_game(services, ann, company="anybody")
    clock.advance(hours=2)
    look_after_lobby(services)
    assert players_of(services, waits) == []
    assert players_of(services, goes) == ["Ann", "Belshazzar"]


def test_free_seats_are_filled_an_hour_after_the_last_change(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = open_game(services, ann, "nexus", players=4)
    for joins in (True, False, True):
        clock.advance(minutes=50)
        look_after_lobby(services)
        with writing(services.engine) as session:
            action, other = ActionContext(session, services.sealer, clock()), session.get_one(Player, ben.id)
            (joining.join if joins else joining.leave)(action, other, number)
    clock.advance(minutes=50)
    look_after_lobby(services)
    assert players_of(services, number) == []
    clock.advance(minutes=10)
    look_after_lobby(services)
    assert players_of(services, number) == ["Ann", "Belshazzar", "Ben", "Enkidu"]


@pytest.mark.both
def test_computer_players_join_each_game_of_a_recurring_open_game(
    services: Services, clock: Clock, ann: Player
) -> None:
    first = open_game(services, ann, always=2)
    for _ in range(4):
        clock.advance(hours=1)
        look_after_lobby(services)
        with writing(services.engine) as session:
            due = session.exec(select(Game).where(Game.offer_due_at != None)).first()  # noqa: E711
            if due is not None:
                upkeep.reopen(ActionContext(session, services.sealer, clock()), due)
    with reading(services.engine) as session:
        states = [game.state for game in session.exec(select(Game).order_by(Game.id))]  # type: ignore[arg-type]
    assert players_of(services, first) == ["Ann", "Belshazzar"]
    assert states == ["running", "running"]


def test_computer_players_do_not_join_if_the_opener_has_stopped_email(
    services: Services, clock: Clock, ann: Player
) -> None:
    number = open_game(services, ann)
    with writing(services.engine) as session:
        session.get_one(Player, ann.id).mail_stopped = True
    clock.advance(hours=1)
    assert FILLING.run_next(services.engine, services.sealer, clock())
    assert players_of(services, number) == []


def test_page_and_letter_announce_computer_players(
    app: Flask, services: Services, ann: Player, ben: Player
) -> None:
    sentence = "If no one joins by Sun 1 March 2026, 13:00 UTC, Belshazzar (computer player) will."
    (told,) = receive(services, ann.email, PLAY, "seek nibble")
    assert sentence in told.words
    assert "company=people" in told.words
    (games,) = receive(services, ann.email, PLAY, "games")
    assert sentence in games.words
    mine, others = logged_in(app, services, ann), logged_in(app, services, ben)
    for page in ("/lobby", "/games/1"):
        assert sentence in mine.text(page)
        assert "Belshazzar" not in others.text(page)
    (told,) = receive(services, ann.email, PLAY, "seek nibble company=people")
    assert "If no one" not in told.words
    receive(services, ann.email, PLAY, "seek nexus players=4")
    with writing(services.engine) as session:
        joining.join(
            ActionContext(session, services.sealer, services.now()), session.get_one(Player, ben.id), 3
        )
    several = (
        "If no other player joins by Sun 1 March 2026, 13:00 UTC, "
        "Belshazzar and Enkidu (computer players) will."
    )
    assert several in mine.text("/games/3")


def test_form_offers_computer_players(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)

    def opened(**fields: Any) -> bool:
        browser.send("/games/new/nibble", whom="anyone", **fields)
        with reading(services.engine) as session:
            game = session.exec(select(Game).order_by(Game.id.desc())).first()  # type: ignore[union-attr]
            assert game is not None
            return game.computers_join_at is not None

    assert (opened(), opened(company=""), opened(company="people")) == (True, True, False)
    browser.send("/settings", company="people")
    assert (opened(company=""), opened(company="anybody")) == (False, True)


def test_player_with_enough_computer_games_waits_for_people(
    services: Services, app: Flask, clock: Clock, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenge_checks, "MOST_WITH_COMPUTERS", 1)
    receive(services, ann.email, PLAY, "challenge Enkidu nibble")
    number = open_game(services, ann)
    for _ in range(3):
        clock.advance(hours=1)
        look_after_lobby(services)
    assert players_of(services, number) == []
    assert "If no one joins" not in logged_in(app, services, ann).text(f"/games/{number}")
    report = next(letter for letter in letters(services) if letter.letter == "report")
    receive(services, ann.email, str(report.mail["Reply-To"]), "resign")
    clock.advance(hours=1)
    look_after_lobby(services)
    assert players_of(services, number) == ["Ann", "Belshazzar"]
