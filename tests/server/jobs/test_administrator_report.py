"""The daily report: problems that Nabu cannot fix, which the administrator can retry."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from sqlmodel import col, select

from server.cli import nabu
from server.jobs import administrator_report
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Inbox, Outbox
from server.store.outbox import ActionContext
from tests.support.server.services import Clock, environment_of


def hold_one(services: Services) -> int:
    with writing(services.engine) as session:
        mail = Inbox(
            source="smtp",
            mail_from="ann@example.org",
            recipient="play@games.example.org",
            fingerprint="1",
            sealed=services.sealer.seal(b"From: ann@example.org\r\n\r\n\x1b[31mhelp\r\n"),
            state="quarantined",
            why="it was held",
            due_at=services.now(),
            received_at=services.now(),
            handled_at=services.now(),
        )
        session.add(mail)
        session.flush()
        return mail.id or 0


def tell(services: Services) -> list[str]:
    with writing(services.engine) as session:
        administrator_report.notify_administrator(
            ActionContext(session, services.sealer, services.now()), "op@example.org"
        )
    with reading(services.engine) as session:
        return list(session.exec(select(Outbox.letter).order_by(col(Outbox.id))))


@pytest.mark.both
def test_no_report_without_problems(services: Services) -> None:
    assert tell(services) == []


def test_report_is_sent_once_a_day(services: Services, clock: Clock) -> None:
    hold_one(services)
    assert tell(services) == tell(services) == ["trouble"]
    clock.advance(days=1, minutes=1)
    assert tell(services) == ["trouble"], "problems older than a day were reported before"


def test_report_names_quarantined_emails(services: Services) -> None:
    hold_one(services)
    tell(services)
    with reading(services.engine) as session:
        mail = services.delivery().writer.write(session, session.exec(select(Outbox)).one())
    assert b"it was held" in mail
    assert b"nabu admin retry" in mail.replace(b"=\r\n", b"")


@pytest.fixture
def environment(services: Services) -> dict[str, str]:
    return environment_of(services.settings)


def test_quarantined_email_is_listed_and_handled_again(services: Services, environment: dict[str, str]) -> None:
    number = hold_one(services)
    listed = CliRunner().invoke(nabu, ["admin", "held"], env=environment)
    assert "it was held" in listed.output
    assert CliRunner().invoke(nabu, ["admin", "retry", str(number)], env=environment).exit_code == 0
    with reading(services.engine) as session:
        assert session.get_one(Inbox, number).state == "new"


def test_quarantined_email_is_printed_unless_it_is_for_a_game(
    services: Services, environment: dict[str, str]
) -> None:
    number = hold_one(services)
    shown = CliRunner().invoke(nabu, ["admin", "show", str(number)], env=environment)
    assert (shown.exit_code, shown.output) == (0, "From: ann@example.org\n\n[31mhelp\n\n")
    with writing(services.engine) as session:
        session.get_one(Inbox, number).game_id = 7
    shown = CliRunner().invoke(nabu, ["admin", "show", str(number)], env=environment)
    assert shown.exit_code == 1
    assert "is for a game" in shown.output
    assert "31mhelp" not in shown.output


@pytest.mark.parametrize("command", ["retry", "show"])
def test_email_that_is_not_quarantined_is_refused(
    services: Services, environment: dict[str, str], command: str
) -> None:
    result = CliRunner().invoke(nabu, ["admin", command, "99"], env=environment)
    assert result.exit_code == 1
    assert "no quarantined email 99" in result.output
