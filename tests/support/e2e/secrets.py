"""A game in which Ann has secrets, and everything that others can see of it."""

from __future__ import annotations

import base64
import re
import time
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

from flask import Flask
from sqlmodel import select

from server.accounts import players
from server.outbound.delivery import Delivery
from server.processes.mail_process import Mailroom
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Inbox
from server.web import create_app
from tests.support.e2e.games_of_two import seat_of
from tests.support.e2e.mailboxes import PATIENCE, Person, World, html_of, text_of
from tests.support.web.client import Browser, logged_in

NOTE = "quince-marmalade-4711"


ORDERS = {0: "1 D12 ; 2 A3", 1: "A c12 ; B a12"}


CANONICAL = {0: "1 d12, 2 a3", 1: "A c12, B a12"}


class SecretGame:
    """A game in which Ann has secrets: everything runs in this process, on real sockets.

    `game` is the game type with its options, as in a challenge.
    """

    def __init__(self, services: Services, world: World, game: str) -> None:
        self.services = services
        self.world = world
        self.room = Mailroom(services)
        # The clock does not move: on a slow machine, an email not sent within its lease would never be due.
        self.delivery: Delivery = replace(services.delivery(), lease=timedelta(minutes=5))
        self.app: Flask = create_app(services)
        self.room.start()
        server = self.room.listeners[0].address
        self.ann = Person(world, "ann@example.org", server, services.settings.mail_domain)
        self.ben = Person(world, "ben@example.org", server, services.settings.mail_domain)
        self.ann.write("register Ann\nmail every turn")
        self.ben.write("register Ben\nmail every turn")
        for person in (self.ann, self.ben):
            self.next(person)
        self.ann.write(f"challenge Ben {game}")
        self.next(self.ann)
        self.ben.answer(self.next(self.ben), "accept")
        self.first = {person: self.next(person) for person in (self.ann, self.ben)}
        self.seat = seat_of(self.ann, self.first[self.ann])
        self.secrets = [NOTE, ORDERS[self.seat], CANONICAL[self.seat]]

    def next(self, person: Person) -> EmailMessage:
        """Wait for the next email to a person and return it."""
        self.settle()
        return person.next()

    def settle(self) -> None:
        """Wait until all email is handled, and send the waiting emails."""
        pipeline, end = self.services.pipeline(), time.monotonic() + PATIENCE
        while self._is_mail_open():
            assert time.monotonic() < end, "an email is never handled"
            if not pipeline.handle_next(self.services.now()):
                time.sleep(0.01)  # the mail process is handling it
        while self.delivery.send_due(self.services.now()):
            pass

    def _is_mail_open(self) -> bool:
        with reading(self.services.engine) as session:
            return session.exec(select(Inbox.id).where(Inbox.state == "new")).first() is not None

    def write_secret(self) -> None:
        """Let Ann seal her orders and write a note by email."""
        self.ann.answer(self.first[self.ann], f"{ORDERS[self.seat]}\nnote {NOTE}")
        answer = text_of(self.next(self.ann))
        assert "Your orders for turn 1 are sealed:" in answer
        assert NOTE in answer

    def close(self) -> None:
        """Stop all processes."""
        self.room.stop()
        self.delivery.connections.close()


def secrets_of(stage: SecretGame) -> list[bytes]:
    """Return the secrets in every form in which they could appear."""
    return [
        form
        for secret in stage.secrets
        for form in (
            secret.encode(),
            base64.b64encode(secret.encode())[:-4],
            secret.encode().hex().encode(),
            secret.encode("utf-16-le"),
        )
    ]


def assert_no_secret(stage: SecretGame, where: str, content: bytes) -> None:
    for form in secrets_of(stage):
        assert form not in content, f"{form!r} appears in {where}"


def pages(browser: Browser) -> dict[str, tuple[list[tuple[str, str]], str]]:
    """Return every page that could reveal something about game 1, with headers but without random values."""
    found = {}
    for address in (
        "/",
        "/games",
        "/games/1",
        "/games/1?turn=0",
        "/games/1/record.json",
        "/games/1/moves.txt",
        "/games/1/films/0.webp",
        "/games/1/cards/0.png",
        "/games/1?move=x",
        "/games/9",
    ):
        answer = browser.get(address)
        headers = [(name, value) for name, value in answer.headers if name not in ("Set-Cookie", "Date")]
        content = answer.data.decode(errors="backslashreplace")
        found[address] = (headers, re.sub(r'(csrf_token" value=")[^"]+', r"\1", content))
    return found


def onlookers(stage: SecretGame) -> dict[str, Browser]:
    """The browsers and programs of everyone except Ann."""
    with reading(stage.services.engine) as session:
        ben = players.by_name(session, "Ben")
    assert ben is not None
    return {"Ben": logged_in(stage.app, stage.services, ben), "nobody": Browser(stage.app)}


def ask(stage: SecretGame) -> tuple[str, str]:
    """Return the answer to Ben's request for the board: text and HTML."""
    stage.ben.answer(stage.first[stage.ben], "show")
    mail = stage.next(stage.ben)
    return text_of(mail), html_of(mail)
