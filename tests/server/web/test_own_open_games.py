"""The lobby names the computer player that would join each of the reader's own games."""

from __future__ import annotations

from flask import Flask

from server.accounts import computer_players, players
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player, Rating
from tests.support.counting import sqlite_steps
from tests.support.server.games import open_game
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in

_KINDS = ("nibble", "nexus", "nardshir", "nelaxtam", "nebuchadnezzar")
_ONE_LOOK = 30
"""Hundreds of SQLite instructions; more than reading 200 players once costs."""


def costs(services: Services, browser: Browser) -> int:
    with sqlite_steps(services) as taken:
        assert browser.get("/lobby").text.count("If no one joins by") == len(_KINDS)
    return taken[0]


def test_query_for_own_open_games_reads_all_players_once(app: Flask, services: Services, ann: Player) -> None:
    computer_players.ensure_exist(services.engine, services.now())
    for game_type in _KINDS:
        open_game(services, ann, game_type)
    browser = logged_in(app, services, ann)
    few = costs(services, browser)
    others = [add_player(services, f"other{number}@example.org", f"Other {number}") for number in range(200)]
    numbers = map(players.identity, others)
    with writing(services.engine) as session:
        session.add_all(
            Rating(player_id=number, game_type=game_type, pace="slow", mu=25, sigma=8)
            for number in numbers
            for game_type in _KINDS
        )
    assert costs(services, browser) < few + _ONE_LOOK
