"""A site and its games, for pictures of its pages."""

from __future__ import annotations

from random import Random
from typing import Any

from flask import Flask

from server.game.lobby import challenges
from server.game.log import log
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player
from server.store.outbox import ActionContext
from server.web import create_app
from tests.support.server.games import submit
from tests.support.server.players import add_player
from tests.support.web.client import Browser, logged_in
from tests.support.web.games import Match, match

_SAMPLES = 20
"""The number of moves among which to look for one with many picks."""


class Site:
    """The pages of a server where Ann and Ben play, and a browser without a login."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.app: Flask = create_app(services)
        self.nobody = Browser(self.app)
        self.people = [add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben")]
        self.ann, self.ben = (logged_in(self.app, services, player) for player in self.people)

    def match(self, game_type: str, **options: object) -> Match:
        """Start a game."""
        return match(self.app, self.services, game_type, *self.people, **options)

    def challenge(self, game_type: str) -> str:
        """Challenge Ben as Ann; return the URL of the game."""
        with writing(self.services.engine) as session:
            action = ActionContext(session, self.services.sealer, self.services.now())
            ann, ben = (session.get_one(Player, player.id) for player in self.people)
            return f"/games/{log.id_of(challenges.challenge(action, ann, [ben], game_type, {}))}"


class GameInBrowsers:
    """A game of two after some turns, and the browser of the player to move."""

    def __init__(self, site: Site, game_type: str, turns: int, **options: object) -> None:
        self.match, self.address = (match := site.match(game_type, **options)), match.address
        self.choose = Random(game_type).randrange
        self.look()
        self.play(turns)

    def play(self, turns: int) -> None:
        """Play this many turns."""
        for _ in range(turns):
            for seat in self.rules.to_move(self.position):
                move = self.rules.sample(self.position, seat, self.choose)
                submit(self.match.services, self.match.number, seat, self.rules.format(move))
            self.look()

    def look(self) -> None:
        """Load the state of the game."""
        game = self.match.game()
        self.rules, self.position, self.turn = log.rules_of(game), log.position_of(game), game.turn
        self.seat = self.rules.to_move(self.position)[0]
        self.mover, self.other = self.match.browsers[self.seat], self.match.browsers[1 - self.seat]

    def long_move(self) -> Any:
        """Return a move with many picks."""
        moves = [self.rules.sample(self.position, self.seat, self.choose) for _ in range(_SAMPLES)]
        return max(moves, key=lambda move: len(self.rules.picks_of(self.position, self.seat, move)))

    def analysis(self, **fields: Any) -> str:
        """Return the analysis board of the player who is not to move, after sending its form."""
        return self.other.send(f"{self.address}/analysis", turn=self.turn - 1, **fields).text

    def post(self, what: str, **fields: Any) -> str:
        """Return the page of the player to move after sending a form."""
        return self.mover.send(f"{self.address}/{what}", turn=self.turn, **fields).text
