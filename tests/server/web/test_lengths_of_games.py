"""The length of a game does not slow down its pages: they read only the part of the log that they show."""

from __future__ import annotations

from random import Random

import pytest
from flask import Flask

from server.bench.filling.playing import play_on
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.counting import sqlite_steps, statements
from tests.support.web.games import Match, match

_FEW, _MANY = 70, 240
"""Turns; more than a page lists."""
_ADDRESSES = ("", "?turn=35", "?turn=0", "/analysis", "/now")
_BY_CHANCE = 10
"""The difference that other numbers can make, in hundreds of database instructions."""


def play(services: Services, game: Match, turns: int) -> None:
    """Play the game up to a turn."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        play_on(action, session.get_one(Game, game.number), turns, Random(turns).randrange)


def costs(services: Services, game: Match) -> dict[str, tuple[int, int]]:
    """Return the number and the cost of the database queries of each page."""
    game.browsers[0].get(game.address)  # new turns are shown only once
    found = {}
    for address in _ADDRESSES:
        with statements(services) as asked, sqlite_steps(services) as taken:
            assert game.browsers[0].get(game.address + address).status_code == 200
        found[address] = len(asked), taken[0]
    return found


@pytest.mark.slow
def test_pages_of_long_games_read_no_more(app: Flask, services: Services, ann: Player, ben: Player) -> None:
    game = match(app, services, "nebuchadnezzar", ann, ben, size=15)
    play(services, game, _FEW)
    few = costs(services, game)
    play(services, game, _MANY)
    many = costs(services, game)
    for address, (asked, taken) in many.items():
        assert asked == few[address][0]
        assert taken <= few[address][1] + _BY_CHANCE
