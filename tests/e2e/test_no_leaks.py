"""Before a turn resolves, only their writer can see orders or notes, in every place and in every form."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from sqlalchemy import event

from server.cli import nabu
from server.processes.services import Services
from server.store.keys.sealing import Sealer
from tests.support.database.contents import everything_stored
from tests.support.e2e.mailboxes import Person, World, html_of, text_of
from tests.support.e2e.secrets import (
    CANONICAL,
    NOTE,
    ORDERS,
    SecretGame,
    ask,
    assert_no_secret,
    onlookers,
    pages,
)
from tests.support.web.client import Browser


def island(show_ready: str) -> str:
    """A game with secret orders."""
    return f"nelaxtam troops=2 sea=1 show-ready={show_ready}"


@pytest.fixture(params=["on", "off"])
def stage(request: pytest.FixtureRequest, services: Services, world: World) -> Iterator[SecretGame]:
    stage = SecretGame(services, world, island(request.param))
    yield stage
    stage.close()


@pytest.fixture
def hidden(services: Services, world: World) -> Iterator[SecretGame]:
    """A game that hides whose orders are in."""
    stage = SecretGame(services, world, island("off"))
    yield stage
    stage.close()


def test_secret_orders_are_not_stored_in_readable_form(stage: SecretGame) -> None:
    stage.write_secret()
    assert_no_secret(stage, "the database", everything_stored(stage.services))


def test_pages_of_others_do_not_show_secret_orders(stage: SecretGame) -> None:
    stage.write_secret()
    for who, browser in onlookers(stage).items():
        for address, (headers, page) in pages(browser).items():
            assert_no_secret(stage, f"{address} for {who}", f"{headers}{page}".encode())


def test_emails_to_others_do_not_show_secret_orders(stage: SecretGame) -> None:
    stage.write_secret()
    for command in ("show", "history", "moves", "help", "rules"):
        stage.ben.answer(stage.first[stage.ben], command)
        stage.next(stage.ben)
    for mail in stage.world.mails_to(stage.ben.address):
        assert_no_secret(stage, f"a mail {mail['Subject']}", bytes(mail))
        for part in (text_of(mail), html_of(mail)):
            assert_no_secret(stage, f"a mail {mail['Subject']}", part.encode())


def test_log_does_not_show_secret_orders(
    services: Services, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("sqlalchemy", "sqlalchemy.engine", "mail.log", "server", "mail", "werkzeug"):
        caplog.set_level(logging.DEBUG, logger=name)
    stage = SecretGame(services, world, island("on"))
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


def test_answers_to_others_do_not_depend_on_secret_orders(hidden: SecretGame) -> None:
    browsers = onlookers(hidden)
    before = {who: pages(browser) for who, browser in browsers.items()}
    answer_before = ask(hidden)
    hidden.write_secret()
    assert {who: pages(browser) for who, browser in browsers.items()} == before
    assert ask(hidden) == answer_before


def test_work_for_others_does_not_depend_on_secret_orders(
    hidden: SecretGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same statements and the same amount of decryption, so that timing reveals nothing."""
    work: list[str] = []
    opened, here = Sealer.open, threading.get_ident()

    def open_and_note(sealer: Sealer, sealed: bytes) -> bytes:
        work.append("open")
        return opened(sealer, sealed)

    monkeypatch.setattr(Sealer, "open", open_and_note)

    def note(connection: object, cursor: object, statement: str, *_: object) -> None:
        if threading.get_ident() == here:  # the heartbeat of the mail process runs in a separate thread
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


def test_output_for_administrators_does_not_show_secret_orders(stage: SecretGame) -> None:
    stage.write_secret()
    stranger = Person(stage.world, "eve@example.org", stage.ann.server, stage.ann.domain)
    stranger.answer(stage.first[stage.ann], ORDERS[stage.seat])
    stage.settle()
    settings = stage.services.settings.model_dump()
    configured = {f"NABU_{name.upper()}": str(value) for name, value in settings.items()}
    # An email that is waiting for confirmation is not quarantined; only its number is reported.
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


def test_clock_messages_do_not_show_secret_orders(hidden: SecretGame) -> None:
    """Neither a gift of time nor a vacation reveals to the other player whether orders are in."""

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


def test_game_with_visible_readiness_shows_who_has_moved(services: Services, world: World) -> None:
    stage = SecretGame(services, world, island("on"))
    try:
        before = ask(stage)
        stage.write_secret()
        assert ask(stage) != before
    finally:
        stage.close()


def test_all_orders_are_reported_when_all_are_in(stage: SecretGame) -> None:
    stage.write_secret()
    stage.ben.answer(stage.first[stage.ben], ORDERS[1 - stage.seat])
    report = text_of(stage.next(stage.ben))
    assert CANONICAL[stage.seat] in report
    assert NOTE not in report
