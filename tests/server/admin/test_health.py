"""The health of the server: each problem is found, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlmodel import Session, select

from mail.incoming.receiving import Received
from server.admin.health import health
from server.jobs import downtime
from server.outbound.relay_health import MAIL_OUT
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Failure, Outbox, Player, Seat
from tests.support.server.games import begin
from tests.support.server.services import Clock


def troubles(services: Services) -> list[tuple[str, str]]:
    with reading(services.engine) as session:
        return [(each.what, each.sentence) for each in health(session, services.now()).troubles()]


@pytest.fixture
def well(services: Services, clock: Clock, ann: Player, ben: Player) -> Services:
    """Return a healthy server: a game is running, all emails are sent, and all processes run."""
    begin(services, "nebuchadnezzar", ann, ben, size=5)
    with writing(services.engine) as session:
        for mail in session.exec(select(Outbox)):
            mail.state = "sent"
    downtime.beat(services.engine, clock())
    downtime.beat_mail(services.engine, clock())
    return services


def test_healthy_server_reports_no_problem(well: Services) -> None:
    assert troubles(well) == []


def seats_run_out(session: Session, services: Services) -> None:
    for seat in session.exec(select(Seat)):
        seat.grace_until = services.now()


def mail_waits(session: Session, services: Services) -> None:
    session.exec(select(Outbox)).all()[-1].state = "queued"


def fails(job: str) -> Callable[[Session, Services], None]:
    def fail(session: Session, services: Services) -> None:
        now = services.now()
        session.add(Failure(job=job, what="KeyError at f, line 1", since=now, due_at=now + timedelta(days=1)))

    return fail


@pytest.mark.usefixtures("failures_meant")
@pytest.mark.parametrize(
    ("break_it", "minutes", "trouble"),
    [
        (mail_waits, 15, ("outbox", "an outgoing email has waited for 15 minutes")),
        (seats_run_out, 45, ("deadlines", "a deadline passed 45 minutes ago, but nothing happened")),
        (fails(MAIL_OUT), 180, ("mail out", "the relay has refused all emails for 3 hours")),
        (fails("digest"), 15, ("failures", "1 games or players fail again and again (nabu admin troubles)")),
    ],
)
def test_each_problem_is_reported(
    well: Services,
    clock: Clock,
    break_it: Callable[[Session, Services], None],
    minutes: int,
    trouble: tuple[str, str],
) -> None:
    with writing(well.engine) as session:
        break_it(session, well)
    assert troubles(well) == [], "it may still come right by itself"
    for _ in range(minutes // 3):
        clock.advance(minutes=3)
        downtime.beat(well.engine, clock())
        downtime.beat_mail(well.engine, clock())
    assert troubles(well) == [trouble]


def test_unhandled_email_is_reported(well: Services, clock: Clock) -> None:
    mail = Received(
        "smtp", "127.0.0.1", "eve@example.com", ("play@games.example.org",), b"Subject: help\r\n\r\n"
    )
    well.reception().store([mail])
    clock.advance(minutes=11)
    downtime.beat(well.engine, clock())
    downtime.beat_mail(well.engine, clock())
    assert troubles(well) == [("inbox", "an incoming email has waited for 11 minutes")]


def test_silent_process_is_reported(well: Services, clock: Clock) -> None:
    clock.advance(minutes=7)
    assert troubles(well) == [
        ("worker", "no worker has run for 7 minutes"),
        ("mail in", "no process has accepted mail for 7 minutes"),
    ]


def test_new_server_without_processes_is_reported(services: Services) -> None:
    assert troubles(services) == [("worker", "no worker has ever run with this database")]
