"""The worker handles incoming emails, and runs jobs at their intervals."""

from __future__ import annotations

import pytest
from sqlmodel import select

from mail.incoming.receiving import Received
from server.game.log import log
from server.processes.services import Services
from server.processes.triggers import TaskRunner
from server.processes.worker import LEFT_LYING, Worker
from server.store.db import reading
from server.store.models import Game, Inbox, Player
from server.store.tokens import ReplyToken
from tests.support.server.games import begin
from tests.support.server.services import Clock


def test_forgotten_email_is_handled_after_its_time(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    number = begin(services, "nebuchadnezzar", ann, ben, size=5)
    with reading(services.engine) as session:
        _, player = log.seats(session, session.get_one(Game, number))[0]
        recipient = f"play+{services.tokens.write(ReplyToken(number, 0, 1))}@{services.settings.mail_domain}"
        head = f"From: {player.email}\r\nTo: {recipient}\r\nMessage-ID: <1@world.test>\r\n"
        mail = Received("pipe", "", player.email, (recipient,), f"{head}\r\nc3\r\n".encode())
    services.reception().store([mail])
    worker = Worker(services)
    clock.advance(seconds=LEFT_LYING.total_seconds() - 1)
    worker.handle_mail()
    with reading(services.engine) as session:
        assert session.get_one(Game, number).turn == 1
    clock.advance(minutes=1)
    worker.handle_mail()
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        (row,) = session.exec(select(Inbox))
        assert (game.turn, row.state) == (2, "done")
        assert (log.turns(session, game)[-1].at, game.turn_began_at, row.handled_at) == (clock(),) * 3


def test_frequent_checks_for_due_work_leave_other_jobs_their_interval(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    intervals: dict[str, float] = {}
    monkeypatch.setattr(
        TaskRunner, "add", lambda _, name, seconds, *__, **___: intervals.update({name: seconds})
    )
    worker = Worker(services, poll=0.01)
    worker.start()
    worker.stop()
    assert (intervals["clock"], intervals["resolving"]) == (1, 0.01)
