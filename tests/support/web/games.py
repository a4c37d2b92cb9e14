"""Games whose players are at their browsers."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from flask import Flask

from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.support.server.games import begin
from tests.support.web.client import Browser, logged_in


@dataclass(frozen=True)
class Match:
    """A game and the browsers of its players, by seat."""

    services: Services
    number: int
    browsers: tuple[Browser, ...]
    address: str

    def game(self) -> Game:
        """Return the game as it is stored now."""
        with reading(self.services.engine) as session:
            game = session.get_one(Game, self.number)
            session.expunge(game)
            return game

    def lines(self) -> list[dict[str, object]]:
        """Return the turns in the log."""
        with reading(self.services.engine) as session:
            return [turn.body["line"] for turn in log.turns(session, self.game())]


def match(app: Flask, services: Services, game_type: str, *people: Player, **options: object) -> Match:
    """Start a game of these people, all at their browsers."""
    number = begin(services, game_type, *people, **options)
    with reading(services.engine) as session:
        seated = [player.id for _, player in log.seats(session, session.get_one(Game, number))]
    by_player = {person.id: logged_in(app, services, person) for person in people}
    return Match(services, number, tuple(by_player[player] for player in seated), f"/games/{number}")


@pytest.fixture
def open_game(app: Flask, services: Services, ann: Player, ben: Player) -> Match:
    """Ann and Ben at a small game without secrets."""
    return match(app, services, "nebuchadnezzar", ann, ben, size=5)


@pytest.fixture
def secret_game(app: Flask, services: Services, ann: Player, ben: Player) -> Match:
    """Ann and Ben at a small game with secret orders."""
    return match(app, services, "nelaxtam", ann, ben, size=10, troops=2, sea=0)
