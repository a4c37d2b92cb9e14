"""Moves in each game: legal ones, drawn at random; some guests resign or fall silent."""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import Engine

from server.game.log import log
from server.game.terms.terms import GameTerms
from server.store.db import reading
from server.store.models import Game
from tests.support.rules.random_games import Moves, short_game

RESIGN = "resign"
SILENCE = ""
_TURNS = 3
"""After so many turns of a game somebody resigns, unless it is played to its end."""


@dataclass(frozen=True)
class Played:
    """A move that was sent and acknowledged: by `mail` or `web`."""

    game: int
    turn: int
    seat: int
    text: str
    way: str


class Hands:
    """All games at once; asked by many threads."""

    def __init__(self, engine: Engine) -> None:
        self.whole: set[int] = set()
        """Games that are played to their end."""
        self.silent: set[int] = set()
        """Games in which nobody moves any more."""
        self.few: dict[int, int] = {}
        """Tournaments in which only so many games are played, and everybody is silent in the others."""
        self.played: list[Played] = []
        self._engine = engine
        self._lock = threading.Lock()
        self._moves: dict[int, Moves] = {}
        self._begun: dict[int, set[int]] = defaultdict(set)
        self._texts: dict[tuple[int, int], dict[int, str]] = {}

    def next(self, number: int, turn: int, seat: int) -> str:
        """Return the text of a seat in a turn, also a past one: a move, RESIGN, or SILENCE."""
        with self._lock:
            if (number, turn) not in self._texts:
                self._texts[number, turn] = self._choose(number, turn)
            return self._texts[number, turn].get(seat, SILENCE)

    def seat(self, number: int, address: str) -> int:
        """The owner of this address has this seat in a game."""
        with reading(self._engine) as session:
            seats = log.seats(session, session.get_one(Game, number))
            return next(seat.number for seat, player in seats if player.email == address)

    def note(self, played: Played) -> None:
        """Remember a move that was acknowledged."""
        with self._lock:
            self.played.append(played)

    def _begin(self, tournament: int, number: int) -> None:
        if len(self._begun[tournament]) >= self.few[tournament]:
            self.silent.add(number)
        self._begun[tournament].add(number)

    def _choose(self, number: int, turn: int) -> dict[int, str]:
        with reading(self._engine) as session:
            game = session.get_one(Game, number)
            people = {seat.number for seat, player in log.seats(session, game) if not player.computer}
        if game.tournament_id in self.few and number not in self._begun[game.tournament_id]:
            self._begin(game.tournament_id, number)
        if game.state != "running" or game.turn != turn or number in self.silent or is_guided(game):
            return {}
        if number not in self.whole and turn > _TURNS:
            to_move = log.rules_of(game).to_move(log.position_of(game))
            return dict.fromkeys([each for each in to_move if each in people][:1], RESIGN)
        if number not in self._moves:
            self._moves[number] = short_game(game.game_type, game.options)
        write = log.rules_of(game).format
        return {seat: write(move) for seat, move in self._moves[number](log.position_of(game)).items()}


def is_guided(game: Game) -> bool:
    """Return whether it is the first game of a new player."""
    return GameTerms.from_json(game.terms).guided
