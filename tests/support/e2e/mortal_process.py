"""A process of Nabu that dies at a chosen moment and is restarted."""

from __future__ import annotations

import smtplib
import time
from email.message import EmailMessage

from sqlalchemy import Engine
from sqlmodel import select

from server.settings import Settings
from server.store.db import reading, writing
from server.store.engines import connect
from server.store.models import Inbox, Outbox
from tests.support.e2e.mailboxes import PATIENCE, Person
from tests.support.e2e.nabu_process import start


class Mortal:
    """Nabu, started to die at one point; once dead, it is restarted to live."""

    def __init__(self, settings: Settings, people: list[Person], point: int) -> None:
        self.settings = settings
        self.people = people
        self.died = False
        self.running = start(settings, die_at=point)
        self._tell_people()

    def deliver(self, sender: Person, message: EmailMessage) -> None:
        """Send an email like a mail server does: again and again until it is acknowledged."""
        while not self._acknowledged(sender, message):
            self.revive()

    def wait(self, person: Person, count: int) -> None:
        """Wait until a person has this many emails, even if the process dies in the meantime."""
        end = time.monotonic() + PATIENCE
        while len(person.world.mails_to(person.address)) < count:
            assert time.monotonic() < end, f"{person.address} never got mail {count}"
            self.revive()
            time.sleep(0.02)

    def settle(self) -> None:
        """Wait until no work is left, even if the process dies: no further point can be reached."""
        engine, end = connect(self.settings.database_url), time.monotonic() + PATIENCE
        while has_work(engine):
            assert time.monotonic() < end, "some work is never done"
            self.revive()
            time.sleep(0.02)
        engine.dispose()
        self.revive()

    def revive(self) -> None:
        """Restart the process if it is dead."""
        if not self.running.process.is_alive():
            self.died = True
            self.running.process.join()
            self._end_claims()
            self.running = start(self.settings)
            self._tell_people()

    def _end_claims(self) -> None:
        """End all claims, as if a minute had passed: emails are claimed while they are handled or sent."""
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
    """Return whether emails wait to be handled or sent."""
    with reading(engine) as session:
        waiting = (
            select(Inbox.id).where(Inbox.state == "new"),
            select(Outbox.id).where(Outbox.state == "queued"),
        )
        return any(session.exec(query).first() is not None for query in waiting)
