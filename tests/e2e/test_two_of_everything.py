"""Two of each process over one PostgreSQL: each is killed once, and all games continue through the other."""

from __future__ import annotations

import random
import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from rules.registry import rules_named
from server.accounts import players
from server.game.integrity.log_check import check
from server.game.lobby import challenges
from server.game.log import log
from server.processes.services import Services, open_services
from server.settings import Settings
from server.settings.value_types import host_and_port
from server.store.db import reading, writing
from server.store.inbox import LEASE
from server.store.models import Game
from server.store.outbox import ActionContext
from tests.soak import postbox
from tests.soak.house import Part
from tests.soak.people import Person, enter
from tests.soak.postbox import Postbox
from tests.support.evening.browser import Failed
from tests.support.evening.house import SharedClock
from tests.support.machine.ports import free_ports
from tests.support.machine.waiting import await_that
from tests.support.server.services import environment_of, settings_for

pytestmark = [pytest.mark.long, pytest.mark.parametrize("database", ["postgresql"])]

GAMES = 4
ON = 3
"""The number of moves in each game between two kills."""
LONGEST = 120.0
"""Seconds that this may take."""
_PAUSE = 0.1


class Node:
    """A web, a mail and a worker process with separate ports, like one of several machines."""

    def __init__(self, settings: Settings, clock: SharedClock, logs: Path) -> None:
        self.site, self.listener = f"http://{settings.http_listen}", host_and_port(settings.smtp_listen)
        environment = environment_of(settings)
        logs.mkdir()
        self.parts = [
            Part(name, environment, clock, logs / f"{name}.log") for name in ("web", "mail", "worker")
        ]
        self._ports = [host_and_port(settings.http_listen), self.listener]

    def wait(self) -> None:
        """Wait until it responds."""
        await_that(lambda: all(_answers(port) for port in self._ports))


class Match:
    """A game of random moves, with the first player by email and the second on web pages."""

    def __init__(self, services: Services, nodes: list[Node], number: int, people: list[Person]) -> None:
        self.number = number
        self.made: list[str] = []
        """The moves that were acknowledged to the players."""
        self._services, self._nodes, self._people = services, nodes, people
        self._chance = random.Random(number)
        self._end = threading.Event()
        self.thread = threading.Thread(target=self._play)

    def stop(self) -> None:
        """Make no more moves."""
        self._end.set()
        self.thread.join()

    def stored(self) -> list[str]:
        """Return the moves in the log, in order."""
        with reading(self._services.engine) as session:
            turns = log.turns(session, session.get_one(Game, self.number))
        return [turn.body["line"]["move"] for turn in turns]

    def _play(self) -> None:
        rules = rules_named("nebuchadnezzar")
        with reading(self._services.engine) as session:
            game = session.get_one(Game, self.number)
            position = log.position_of(game)
            by_seat = [player.email for _, player in log.seats(session, game)]
        people = {person.address: person for person in self._people}
        while not rules.result(position) and not self._end.wait(_PAUSE):
            (seat,) = rules.to_move(position)
            move = rules.sample(position, seat, self._chance.randrange)
            if not self._bring(people[by_seat[seat]], rules.format(move)):
                return
            self.made.append(rules.format(move))
            position = rules.play(position, {seat: move})

    def _bring(self, person: Person, move: str) -> bool:
        """Try to make a move at both nodes until one accepts it; return False if the test ends first."""
        turn = len(self.made) + 1
        while not self._end.is_set():
            node = self._chance.choice(self._nodes)
            person.turn_to(node.site, node.listener)
            is_taken = False
            with suppress(OSError, HTTPException, smtplib.SMTPException, Failed):
                is_taken = person.move(self.number, turn, move)
            if is_taken or (not person.writes and len(self.stored()) == turn):
                return True
            time.sleep(_PAUSE)
        return False


def test_games_continue_when_each_process_is_killed_once(database_url: str, tmp_path: Path) -> None:
    clock = SharedClock()
    ports = free_ports(4)
    with postbox.opened(open_services(settings_for(database_url)).tokens) as outside:
        settings = [
            settings_for(
                database_url,
                smtp_url=outside.url,
                delivery_lease=1,
                domain_rate=1_000_000,
                base_url=f"http://127.0.0.1:{ports[0]}",
                http_listen=f"127.0.0.1:{web}",
                smtp_listen=f"127.0.0.1:{mail}",
            )
            for web, mail in (ports[:2], ports[2:])
        ]
        services = open_services(settings[0], clock)
        with running(
            [Node(each, clock, tmp_path / str(number)) for number, each in enumerate(settings)]
        ) as nodes:
            matches = [begin(services, outside, nodes, number) for number in range(GAMES)]
            for match in matches:
                match.thread.start()
            go_on(matches)
            for part in [part for node in nodes for part in node.parts]:
                part.kill()
                clock.advance(LEASE)  # the lease of the killed process lasts this long
                go_on(matches)
                part.keep()
            for node in nodes:
                node.wait()
            go_on(matches)
            for match in matches:
                match.stop()
            await_that(lambda: all(len(match.stored()) >= len(match.made) for match in matches))
            assert not any(part.ended for node in nodes for part in node.parts)
        assert [match.stored() for match in matches] == [match.made for match in matches]
        assert not any(check(services.engine, services.sealer, match.number) for match in matches)
        assert {len(mails) for mails in outside.asked.values()} == {1}, "each turn is requested once"
        services.close()


@contextmanager
def running(nodes: list[Node]) -> Iterator[list[Node]]:
    """Run nodes for the length of a block."""
    try:
        for node in nodes:
            node.wait()
        yield nodes
    finally:
        for part in [part for node in nodes for part in node.parts]:
            part.stop()


def begin(services: Services, outside: Postbox, nodes: list[Node], number: int) -> Match:
    """Start a game of two new players, of whom the second is logged in."""
    people = [
        Person(f"{name}{number}", writes, services, outside) for name, writes in (("Ann", True), ("Ben", False))
    ]
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        first, second = (players.register(action, person.address, person.name) for person in people)
        game = challenges.challenge(action, first, [second], "nebuchadnezzar", {"size": 15})
        challenges.accept(action, second, log.id_of(game))
        people[1].number = players.identity(second)
    enter(people[1], services)
    return Match(services, nodes, log.id_of(game), people)


def go_on(matches: list[Match]) -> None:
    """Wait until a few more moves have been made in each game."""
    wanted = {match.number: len(match.made) + ON for match in matches}
    await_that(
        lambda: all(len(match.made) >= wanted[match.number] or not match.thread.is_alive() for match in matches)
    )


def _answers(port: tuple[str, int]) -> bool:
    with suppress(OSError), socket.create_connection(port, 1):
        return True
    return False
