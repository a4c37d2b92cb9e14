"""SIGKILL at any point between accepting a mail and sending the report: nothing is lost, nothing doubled."""

from __future__ import annotations

import random
import secrets
import smtplib
import time
from email.message import EmailMessage

import pytest
from sqlalchemy import Engine
from sqlmodel import select

from server.game import log
from server.settings import Settings
from server.store.db import connect, reading, writing
from server.store.models import Inbox, Outbox
from tests.e2e.running import Running, start
from tests.e2e.test_games_by_mail import begin, stored_game
from tests.e2e.world import PATIENCE, Person, World

pytestmark = [pytest.mark.long, pytest.mark.first]

MOST_POINTS = 80
AT_LEAST = 20


class Mortal:
    """Nabu, started to die at one point; once dead, it is started again to live."""

    def __init__(self, settings: Settings, people: list[Person], point: int) -> None:
        self.settings = settings
        self.people = people
        self.died = False
        self.running = start(settings, die_at=point)
        self._tell_people()

    def deliver(self, sender: Person, message: EmailMessage) -> None:
        """Send a mail as a mail server does: until it is acknowledged, again and again the same."""
        while not self._acknowledged(sender, message):
            self.revive()

    def wait(self, person: Person, count: int) -> None:
        """Wait until a person has so many mails, whatever dies meanwhile."""
        end = time.monotonic() + PATIENCE
        while len(person.world.mails_to(person.address)) < count:
            assert time.monotonic() < end, f"{person.address} never got mail {count}"
            self.revive()
            time.sleep(0.02)

    def settle(self) -> None:
        """Wait until nothing is left to do, whatever dies meanwhile: no point can be reached any more."""
        engine, end = connect(self.settings.database_url), time.monotonic() + PATIENCE
        while has_work(engine):
            assert time.monotonic() < end, "something is never done"
            self.revive()
            time.sleep(0.02)
        engine.dispose()
        self.revive()

    def revive(self) -> None:
        """Start again when dead."""
        if not self.running.process.is_alive():
            self.died = True
            self.running.process.join()
            self._end_claims()
            self.running = start(self.settings)
            self._tell_people()

    def _end_claims(self) -> None:
        """As if a minute had passed: a mail belongs so long to whoever has begun to handle or to send it."""
        engine = connect(self.settings.database_url)
        with writing(engine) as session:
            for mail in session.exec(select(Inbox).where(Inbox.state == "new")):
                mail.due_at = mail.received_at
            for letter in session.exec(select(Outbox).where(Outbox.state == "queued")):
                letter.due_at = letter.created_at
        engine.dispose()

    def _acknowledged(self, sender: Person, message: EmailMessage) -> bool:
        try:
            sender.send(message)
        except (OSError, smtplib.SMTPException):
            self.running.process.join(5)
            return False
        return True

    def _tell_people(self) -> None:
        for person in self.people:
            person.server = self.running.listener


def has_work(engine: Engine) -> bool:
    """Whether mail waits to be handled or sent."""
    with reading(engine) as session:
        waiting = (
            select(Inbox.id).where(Inbox.state == "new"),
            select(Outbox.id).where(Outbox.state == "queued"),
        )
        return any(session.exec(query).first() is not None for query in waiting)


@pytest.mark.parametrize("kind", ["nebuchadnezzar", "nelaxtam"])
def test_killed_at_many_points(settings: Settings, world: World, kind: str) -> None:
    """One turn of a game for each point, until a turn has no such point any more.

    Every other point of a turn with a move; every sixth of one with orders, where two mails go the same way.
    Where that begins is drawn by lot.
    """
    people = opened(settings, world, kind)
    stride = 2 if kind == "nebuchadnezzar" else 6
    first = 1 + secrets.token_bytes(1)[0] % stride
    deaths = 0
    for point in range(first, MOST_POINTS, stride):
        if not turn_with_a_death_at(settings, people, point):
            break
        deaths += 1
    else:
        pytest.fail(f"a turn has more than {MOST_POINTS} points; the last ones were not tried")
    assert deaths * stride >= AT_LEAST, f"from point {first} on"
    game, turns = stored_game(settings)
    assert [entry.turn for entry in turns] == list(range(1, deaths + 2))
    assert game.turn == deaths + 2


def opened(settings: Settings, world: World, kind: str) -> list[Person]:
    """A game that has begun; the people by seat, with all their mail read."""
    options = {"nebuchadnezzar": "size=15", "nelaxtam": "size=14"}[kind]
    nabu: Running = start(settings)
    make = lambda address: Person(world, address, nabu.listener, settings.mail_domain)  # noqa: E731 - as in the fixture
    people = [who for who, _ in begin(make, kind, options)]
    nabu.stop()
    return people


def turn_with_a_death_at(settings: Settings, people: list[Person], point: int) -> bool:
    """Play one turn; whether it had such a point. Everybody gets each mail of the turn exactly once."""
    nabu = Mortal(settings, people, point)
    game, _ = stored_game(settings)
    rules, position = log.rules_of(game), log.position_of(game)
    choose = random.Random(point).randrange
    last = {person: person.world.mails_to(person.address)[-1] for person in people}
    expected = {person: len(person.world.mails_to(person.address)) + 1 for person in people}
    seats = rules.to_move(position)
    for seat in seats:
        move = rules.format(rules.sample(position, seat, choose))
        nabu.deliver(people[seat], people[seat].answer_to(last[people[seat]], move))
        if seat != seats[-1]:
            nabu.wait(people[seat], expected[people[seat]])
            expected[people[seat]] += 1
    for person in people:
        nabu.wait(person, expected[person])
    nabu.settle()
    nabu.running.stop()
    for person in people:
        assert len(person.world.mails_to(person.address)) == expected[person]
    return nabu.died
