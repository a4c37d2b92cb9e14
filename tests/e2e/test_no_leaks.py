"""Before a turn resolves nobody but their writer sees orders or notes: not anywhere, not in any form."""

from __future__ import annotations

import base64
import logging
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from sqlalchemy import event, text
from sqlmodel import SQLModel, select

from server.accounts import players
from server.cli import nabu
from server.outbound.delivery import Delivery
from server.processes.mailroom import Mailroom
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Inbox
from server.store.sealing import Sealer
from server.web import create_app
from tests.e2e.test_games_by_mail import seat_of
from tests.e2e.world import PATIENCE, Person, World, html_of, text_of
from tests.server.browsers import Browser, logged_in

NOTE = "quince-marmalade-4711"
ORDERS = {0: "1 D12 ; 2 A3", 1: "A c12 ; B a12"}
CANONICAL = {0: "1 d12, 2 a3", 1: "A c12, B a12"}


class Stage:
    """A game in which Ann has secrets: everything runs in this process, on real sockets.

    `game` is the kind with its options, as in a challenge.
    """

    def __init__(self, services: Services, world: World, game: str) -> None:
        self.services = services
        self.world = world
        self.room = Mailroom(services)
        # The clock stands: what is not sent within the lease, as on a slow machine, would never be due again.
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
        """The next mail to a person, as soon as it has been written and sent."""
        self.settle()
        return person.next()

    def settle(self) -> None:
        """Wait until all mail is handled, and send what waits."""
        pipeline, end = self.services.pipeline(), time.monotonic() + PATIENCE
        while self._is_mail_open():
            assert time.monotonic() < end, "a mail is never handled"
            if not pipeline.handle_next(self.services.now()):
                time.sleep(0.01)  # the mailroom is at it
        while self.delivery.send_due(self.services.now()):
            pass

    def _is_mail_open(self) -> bool:
        with reading(self.services.engine) as session:
            return session.exec(select(Inbox.id).where(Inbox.state == "new")).first() is not None

    def write_secret(self) -> None:
        """Ann seals her orders and notes something for herself, by mail."""
        self.ann.answer(self.first[self.ann], f"{ORDERS[self.seat]}\nnote {NOTE}")
        answer = text_of(self.next(self.ann))
        assert "Your orders for turn 1 are sealed:" in answer
        assert NOTE in answer

    def close(self) -> None:
        """End what runs."""
        self.room.stop()
        self.delivery.lines.close()


def island(show_ready: str) -> str:
    """A game with secret orders."""
    return f"nelaxtam troops=2 sea=1 show-ready={show_ready}"


@pytest.fixture(params=["on", "off"])
def stage(request: pytest.FixtureRequest, services: Services, world: World) -> Iterator[Stage]:
    stage = Stage(services, world, island(request.param))
    yield stage
    stage.close()


@pytest.fixture
def hidden(services: Services, world: World) -> Iterator[Stage]:
    """A game in which nobody is told whose orders are in."""
    stage = Stage(services, world, island("off"))
    yield stage
    stage.close()


def secrets_of(stage: Stage) -> list[bytes]:
    """The secrets in every form in which they could stand somewhere."""
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


def assert_no_secret(stage: Stage, where: str, content: bytes) -> None:
    for form in secrets_of(stage):
        assert form not in content, f"{form!r} stands in {where}"


def everything_stored(services: Services) -> bytes:
    """The whole database, as somebody with a copy of it reads it: files and all columns of all tables."""
    found = []
    url = services.settings.database_url
    if url.startswith("sqlite"):
        file = Path(url.removeprefix("sqlite:///"))
        found = [path.read_bytes() for path in file.parent.glob(f"{file.name}*")]
    with services.engine.connect() as connection:
        for table in SQLModel.metadata.tables:
            for row in connection.execute(text(f"SELECT * FROM {table}")):  # noqa: S608 - names of our own
                found.extend(
                    bytes(cell) if isinstance(cell, bytes | memoryview) else str(cell).encode() for cell in row
                )
    return b"\n".join(found)


def pages(browser: Browser) -> dict[str, tuple[list[tuple[str, str]], str]]:
    """Every page that could tell of game 1, with its headers; what is new at each visit is evened out."""
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


def onlookers(stage: Stage) -> dict[str, Browser]:
    """Everybody who is not Ann."""
    with reading(stage.services.engine) as session:
        ben = players.by_name(session, "Ben")
    assert ben is not None
    return {"Ben": logged_in(stage.app, stage.services, ben), "nobody": Browser(stage.app)}


def test_nothing_readable_is_stored(stage: Stage) -> None:
    stage.write_secret()
    assert_no_secret(stage, "the database", everything_stored(stage.services))


def test_no_page_shows_it(stage: Stage) -> None:
    stage.write_secret()
    for who, browser in onlookers(stage).items():
        for address, (headers, page) in pages(browser).items():
            assert_no_secret(stage, f"{address} for {who}", f"{headers}{page}".encode())


def test_no_mail_to_others_tells_it(stage: Stage) -> None:
    stage.write_secret()
    for command in ("show", "history", "moves", "help", "rules"):
        stage.ben.answer(stage.first[stage.ben], command)
        stage.next(stage.ben)
    for mail in stage.world.mails_to(stage.ben.address):
        assert_no_secret(stage, f"a mail {mail['Subject']}", bytes(mail))
        for part in (text_of(mail), html_of(mail)):
            assert_no_secret(stage, f"a mail {mail['Subject']}", part.encode())


def test_no_log_line_tells_it(services: Services, world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("sqlalchemy", "sqlalchemy.engine", "mail.log", "server", "mail", "werkzeug"):
        caplog.set_level(logging.DEBUG, logger=name)
    stage = Stage(services, world, island("on"))
    try:
        stage.write_secret()
        stage.ann.answer(stage.first[stage.ann], f"1 z99\n{ORDERS[stage.seat]}")
        stage.next(stage.ann)
        pages(Browser(stage.app))
    finally:
        stage.close()
    assert len(caplog.records) > 20
    written = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records)
    assert_no_secret(stage, "the log", written.encode())


def test_has_the_other_moved_is_answered_the_same_to_the_byte(hidden: Stage) -> None:
    browsers = onlookers(hidden)
    before = {who: pages(browser) for who, browser in browsers.items()}
    answer_before = ask(hidden)
    hidden.write_secret()
    assert {who: pages(browser) for who, browser in browsers.items()} == before
    assert ask(hidden) == answer_before


def test_has_the_other_moved_costs_the_same_work(hidden: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same statements, and as much decrypted: no difference is left that a stop-watch could see."""
    work: list[str] = []
    opened, here = Sealer.open, threading.get_ident()

    def open_and_note(sealer: Sealer, sealed: bytes) -> bytes:
        work.append("open")
        return opened(sealer, sealed)

    monkeypatch.setattr(Sealer, "open", open_and_note)

    def note(connection: object, cursor: object, statement: str, *_: object) -> None:
        if threading.get_ident() == here:  # the mailroom's heart beats in a thread of its own
            work.append(statement)

    event.listen(hidden.services.engine, "before_cursor_execute", note)
    browsers = onlookers(hidden)

    def works() -> dict[str, list[str]]:
        found = {}
        for who, browser in browsers.items():
            pages(browser)
            work.clear()
            pages(browser)
            found[who] = work.copy()
        return found

    before = works()
    assert all(len(statements) > 10 for statements in before.values())
    hidden.write_secret()
    assert works() == before


def test_nothing_printed_for_the_operator_tells_it(stage: Stage) -> None:
    stage.write_secret()
    stranger = Person(stage.world, "eve@example.org", stage.ann.server, stage.ann.domain)
    stranger.answer(stage.first[stage.ann], ORDERS[stage.seat])
    stage.settle()
    settings = stage.services.settings.model_dump()
    configured = {f"NABU_{name.upper()}": str(value) for name, value in settings.items()}
    # Mail that is asked about is not held: only of what waits it is told that it is there.
    for command, tells in (
        (["export", "1"], True),
        (["admin", "held"], False),
        (["admin", "inbox"], True),
        (["admin", "outbox", "1"], True),
    ):
        printed = CliRunner().invoke(nabu, command, env=configured)
        assert printed.exit_code == 0
        assert bool(printed.output.strip()) == tells, command
        assert_no_secret(stage, " ".join(command), printed.output.encode())


def test_what_is_said_of_clocks_does_not_tell_it(hidden: Stage) -> None:
    """Neither who gives time nor who hears of a vacation learns whether the other's orders are in."""

    def told() -> list[str]:
        hidden.ben.answer(hidden.first[hidden.ben], "give 1d")
        answer = text_of(hidden.next(hidden.ben))
        hidden.ann.write("vacation 2d")
        hidden.next(hidden.ann)
        return [answer, *(str(mail["Subject"]) for mail in hidden.world.mails_to(hidden.ben.address)[3:])]

    before = told()
    hidden.ann.write("vacation off")
    hidden.next(hidden.ann)
    assert "you cannot give time" in " ".join(before[0].split())
    hidden.write_secret()
    after = told()
    assert after[0] == before[0]
    assert len(after) == len(before) + 1, "the answer to the second request, and nothing else"


def test_has_the_other_moved_is_answered_where_the_game_says_so(services: Services, world: World) -> None:
    stage = Stage(services, world, island("on"))
    try:
        before = ask(stage)
        stage.write_secret()
        assert ask(stage) != before
    finally:
        stage.close()


def ask(stage: Stage) -> tuple[str, str]:
    """What Ben is answered when asking for the board: text and HTML."""
    stage.ben.answer(stage.first[stage.ben], "show")
    mail = stage.next(stage.ben)
    return text_of(mail), html_of(mail)


def test_all_is_told_when_all_is_in(stage: Stage) -> None:
    stage.write_secret()
    stage.ben.answer(stage.first[stage.ben], ORDERS[1 - stage.seat])
    report = text_of(stage.next(stage.ben))
    assert CANONICAL[stage.seat] in report
    assert NOTE not in report
