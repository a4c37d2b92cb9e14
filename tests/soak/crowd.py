"""Many people, each by mail or on the web, and many games at once, in which they take their time."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from http.client import HTTPException
from itertools import count
from random import Random
from smtplib import SMTPException

from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from rules.registry import RULES
from server.accounts import computer_players, players
from server.bench.filling.playing import begin
from server.game.lobby import challenges
from server.game.log import log
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.soak.people import Person, enter
from tests.soak.postbox import Postbox
from tests.soak.tables import SoakGame
from tests.support.evening.browser import Failed
from tests.support.evening.hands import Hands

_THREADS = 24
_SHORT = {"nebuchadnezzar": {"size": "5"}, "nelaxtam": {"size": "12"}}
_TROUBLES = (OSError, HTTPException, SMTPException, DBAPIError, Failed)
"""What people see of bad weather; they come back later."""
_ALONE, _GENTLEST = 0.1, 1
"""The share of games for two that are against the computer, and its strength there."""
_SOON = 3.0
"""Seconds after which somebody looks again for what was not there yet."""


class ConnectionPool:
    """All people and games; `pause` is the mean of seconds for which people do not look at a game."""

    def __init__(self, services: Services, postbox: Postbox, people: int, pause: float, seed: int) -> None:
        self.hands = Hands(services.engine)
        self.tables: dict[int, SoakGame] = {}
        self.missed = 0
        """How often something did not work at once."""
        self._services, self._postbox = services, postbox
        self._pause, self._random = pause, Random(seed)
        self._people = [
            Person(f"Soul {number}", number % 2 == 0, services, postbox) for number in range(people)
        ]
        self._due: list[tuple[float, int, SoakGame]] = []
        self._order = count()
        self._changed = threading.Condition()
        self._closing = False
        self._threads = ThreadPoolExecutor(_THREADS)
        self._lives: list[Future[None]] = []

    def register(self) -> None:
        """Make all of them players."""
        with writing(self._services.engine) as session:
            action = ActionContext(session, self._services.sealer, self._services.now())
            for person in self._people:
                player = players.register(action, person.address, person.name)
                players.confirm(player, action.now)
                person.number = players.identity(player)

    def enter(self) -> bool:
        """Log those in who use the web; whether there are pages yet."""
        try:
            for person in self._people:
                if not person.writes:
                    enter(person, self._services)
        except OSError:
            return False
        return True

    def sit_down(self, games: int) -> None:
        """Begin so many games, and play them; where one ends another begins."""
        for _ in range(games):
            self._begin(self._random.uniform(0, self._pause))
        self._lives = [self._threads.submit(self._live) for _ in range(_THREADS)]

    def stuck_games(self, since: float) -> list[int]:
        """Return the games that had begun by this moment of the monotonic clock and had no move after it."""
        return [
            table.number
            for table in list(self.tables.values())
            if not table.is_over and table.moved < since and table.began < since
        ]

    def stop(self) -> None:
        """Play no more."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()

    def go_home(self) -> None:
        """Play no more, but for moves that nobody knows yet to have arrived."""
        self.stop()
        for life in self._lives:
            life.result()
        for table in self.tables.values():
            table.finish()

    def _live(self) -> None:
        while (table := self._next()) is not None:
            try:
                pause = self._play(table)
            except _TROUBLES:
                self.missed += 1
                pause = _SOON
            if pause:
                self._come_back(table, pause)

    def _next(self) -> SoakGame | None:
        """The table at which somebody looks next, once it is time; None when all go home."""
        with self._changed:
            while not self._closing:
                wait = self._due[0][0] - time.monotonic() if self._due else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(wait)
        return None

    def _play(self, table: SoakGame) -> float:
        """Do what is to be done there, or begin another if it is over; the seconds until somebody
        looks again, 0 for never."""
        is_done = table.look()
        if table.is_over:
            self._begin(self._pause)
            return 0
        return self._random.uniform(0.5, 1.5) * self._pause if is_done else _SOON

    def _come_back(self, table: SoakGame, pause: float) -> None:
        with self._changed:
            heapq.heappush(self._due, (time.monotonic() + pause, next(self._order), table))
            self._changed.notify()

    def _begin(self, pause: float) -> None:
        """A game of any type of people who are drawn by lot, or of one against the computer; it has started."""
        game_type = self._random.choice(sorted(RULES))
        rules, options = RULES[game_type], _SHORT.get(game_type, {})
        company = self._random.sample(self._people, len(rules.seats(rules.options(options))))
        with writing(self._services.engine) as session:
            number, seats = self._seated(session, company, game_type, options)
        if self._random.random() < 0.5:
            self.hands.whole.add(number)
        table = SoakGame(number, seats, self.hands, self._services.engine)
        self.tables[number] = table
        self._come_back(table, pause)

    def _seated(
        self, session: Session, company: Sequence[Person], game_type: str, options: dict[str, str]
    ) -> tuple[int, dict[int, Person]]:
        """The number of a new game, and who has which seat."""
        action = ActionContext(session, self._services.sealer, self._services.now())
        known = {person.number: person for person in company}
        found = [session.get_one(Player, number) for number in known]
        if len(found) == 2 and self._random.random() < _ALONE:
            game = challenges.challenge(
                action, found[0], [computer_players.member(action, _GENTLEST)], game_type, options
            )
        else:
            game = begin(action, found, game_type, options)
        seated = [(seat.number, players.identity(player)) for seat, player in log.seats(session, game)]
        return log.id_of(game), {seat: known[number] for seat, number in seated if number in known}
