"""The choice of a computer player: about the same rating, or the weakest for a player without a rating."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from sqlmodel import select

from server.accounts import computer_players
from server.accounts.computer_characters import COMPUTER_PLAYERS
from server.game.ratings import ratings
from server.game.ratings.ratings import FAST, SLOW
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player, Rating, Seat
from server.store.outbox import ActionContext
from tests.support.web.client import logged_in

MU = {number: 25 + (number - 1500) / 48 for number in range(1000, 2001, 10)}


def rate(services: Services, player: int, number: int, pace: str = SLOW) -> None:
    with writing(services.engine) as session:
        session.add(Rating(player_id=player, game_type="nibble", pace=pace, mu=MU[number], sigma=3.0, games=20))


def equal(services: Services, player: Player, pace: str = SLOW) -> int:
    with reading(services.engine) as session:
        return ratings.levels_by_distance(session, player.id or 0, "nibble", pace)[0]


def member(services: Services, level: int) -> int:
    with writing(services.engine) as session:
        return computer_players.member(ActionContext(session, services.sealer, services.now()), level).id or 0


@pytest.mark.parametrize(
    ("rating", "level"), [(1000, 1), (1310, 1), (1320, 2), (1510, 3), (1570, 4), (2000, 5)]
)
def test_levels_without_ratings_have_estimates(
    services: Services, ann: Player, rating: int, level: int
) -> None:
    rate(services, ann.id or 0, rating)
    assert equal(services, ann) == level


def test_player_without_a_rating_starts_with_the_weakest(services: Services, ann: Player) -> None:
    rate(services, ann.id or 0, 1900, FAST)
    assert (equal(services, ann, FAST), equal(services, ann, SLOW)) == (5, 1)


def test_ratings_of_computer_players_replace_estimates(services: Services, ann: Player) -> None:
    rate(services, ann.id or 0, 1500)
    rate(services, member(services, 3), 1700)
    rate(services, member(services, 5), 1510)
    assert equal(services, ann) == 5


def test_form_suggests_a_level_and_offers_all(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)

    def suggested() -> str:
        page = browser.get("/games/new/nibble").text
        offered = re.findall(r'<option value="(\d)"( selected)?>([^<,]+), ', page)
        assert [(int(level), name) for level, _, name in offered] == [
            (c.level, c.name) for c in COMPUTER_PLAYERS
        ]
        return str(next(name for _, chosen, name in offered if chosen))

    assert suggested() == "Belshazzar"
    rate(services, ann.id or 0, 1700)
    assert suggested() == "Berossus"
    address = browser.send("/games/new/nibble", whom="computer", strength="4").location
    assert "Hammurabi" in browser.text(str(address))
    assert browser.send("/games/new/nibble", whom="computer", strength="7").status_code == 422


def test_several_computer_players_can_play_in_one_game(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    fields = {"option-players": "4", "opponents": "Amytis, Berossus", "whom": "computer", "strength": "1"}
    assert browser.send("/games/new/nexus", **fields).status_code == 303
    with reading(services.engine) as session:
        names = {session.get_one(Player, seat.player_id).name for seat in session.exec(select(Seat))}
    assert names == {"Ann", "Amytis", "Berossus", "Belshazzar"}
    twice = browser.send("/games/new/nexus", **fields | {"strength": "5"})
    assert "A player can only have one seat in a game" in twice.text
