"""A process of Nabu that dies at a chosen moment, and is started again."""

from __future__ import annotations

import smtplib
import time
from email.message import EmailMessage

from sqlalchemy import Engine
from sqlmodel import select

from server.settings import Settings
from server.store.db import connect, reading, writing
from server.store.models import Inbox, Outbox
from tests.support.e2e.mailboxes import PATIENCE, Person
from tests.support.e2e.nabu_process import start


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
    """Return whether mail waits to be handled or sent."""
    with reading(engine) as session:
        waiting = (
            select(Inbox.id).where(Inbox.state == "new"),
            select(Outbox.id).where(Outbox.state == "queued"),
        )
        return any(session.exec(query).first() is not None for query in waiting)
