"""Only their writer can find out which conditional moves exist, or whether any exist or existed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game
from server.web import create_app
from tests.support.database.contents import everything_stored
from tests.support.e2e.mailboxes import World, html_of, text_of
from tests.support.e2e.secrets import SecretGame, ask, assert_no_secret, onlookers, pages
from tests.support.web.client import Browser

WRITTEN = "if ADD n14 k13 L13 then add o11 K14 l15"
SECRETS = [WRITTEN, "ADD n14 k13 L13", "add k13 l13 n14", "add o11 K14 l15", "add k14 l15 o11"]
FITS, OTHER = "add k13 l13 n14", "add k13 l13 m15"


class Waiting(SecretGame):
    """A game of NEXUS in which Ben is to move, and Ann writes conditional moves."""

    def __init__(self, services: Services, world: World) -> None:
        super().__init__(services, world, "nexus")
        self.secrets = SECRETS
        self.last = self.first
        if self.seat == 0:
            self.ann.answer(self.first[self.ann], "add m11 n11 o12")
            self.last = {person: self.next(person) for person in (self.ann, self.ben)}

    def write_secret(self) -> None:
        self.ann.answer(self.last[self.ann], WRITTEN)
        assert "if add k13 l13 n14 then add k14 l15 o11" in text_of(self.next(self.ann))

    def ben_plays(self, move: str) -> tuple[EmailMessage, EmailMessage]:
        """Let Ben play; return the reports to Ann and Ben."""
        self.ben.answer(self.last[self.ben], move)
        return self.next(self.ann), self.next(self.ben)

    def ask(self) -> tuple[str, str]:
        """Return the answer to Ben's request for the board, as text and HTML."""
        self.first = self.last
        return ask(self)


@pytest.fixture
def stage(services: Services, world: World) -> Iterator[Waiting]:
    stage = Waiting(services, world)
    yield stage
    stage.close()


def test_conditional_moves_are_not_stored_in_readable_form(stage: Waiting) -> None:
    stage.write_secret()
    stage.ben_plays(OTHER)
    assert_no_secret(stage, "the database", everything_stored(stage.services))


def test_answers_to_others_do_not_depend_on_conditional_moves(stage: Waiting) -> None:
    browsers = onlookers(stage)
    before = {who: pages(browser) for who, browser in browsers.items()}
    answer_before = stage.ask()
    stage.write_secret()
    assert {who: pages(browser) for who, browser in browsers.items()} == before
    assert stage.ask() == answer_before


def test_only_the_writer_learns_of_deleted_conditional_moves(stage: Waiting) -> None:
    stage.write_secret()
    to_ann, _ = stage.ben_plays(OTHER)
    assert "no longer fit" in text_of(to_ann)
    for command in ("show", "history", "moves", "help", "verify"):
        stage.ben.answer(stage.last[stage.ben], command)
        stage.next(stage.ben)
    for mail in stage.world.mails_to(stage.ben.address):
        for part in (bytes(mail), text_of(mail).encode(), html_of(mail).encode()):
            assert_no_secret(stage, f"a mail {mail['Subject']}", part)
            assert b"no longer fit" not in part
    for who, browser in onlookers(stage).items():
        for address, (headers, page) in pages(browser).items():
            assert_no_secret(stage, f"{address} for {who}", f"{headers}{page}".encode())
    with reading(stage.services.engine) as session:
        record = log.record(session, session.get_one(Game, 1)).to_json()
    assert_no_secret(stage, "the record", record.encode())


def test_automatic_answer_is_reported_like_any_other_move(stage: Waiting) -> None:
    stage.write_secret()
    to_ann, to_ben = stage.ben_plays(FITS)
    assert "Played for you from" in text_of(to_ann)
    for part in (text_of(to_ben), html_of(to_ben)):
        assert "added k14 l15 o11" in " ".join(part.split())
        assert "at once" not in part
        assert "condition" not in part


def test_log_does_not_show_conditional_moves(
    services: Services, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("sqlalchemy", "sqlalchemy.engine", "mail.log", "server", "mail", "werkzeug"):
        caplog.set_level(logging.DEBUG, logger=name)
    stage = Waiting(services, world)
    try:
        stage.write_secret()
        stage.ann.answer(stage.last[stage.ann], f"{WRITTEN}, if add z9 then add k13")
        assert "cannot be saved" in text_of(stage.next(stage.ann))
        pages(Browser(create_app(services)))
        stage.ben_plays(OTHER)
    finally:
        stage.close()
    written = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records)
    assert len(caplog.records) > 20
    assert_no_secret(stage, "the log", written.encode())
