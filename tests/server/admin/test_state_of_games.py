"""Emails with the state of all games, after a restore, and the emails that waited before."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from server.admin.announcements import tell
from server.game.preferences import digests
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext
from tests.support.server.digests import DigestReaders
from tests.support.server.emails import Written, receive, reply_address
from tests.support.server.games import TwoPlayerGame, deliver, reply, tick
from tests.support.server.players import mail_every_turn
from tests.support.server.services import Clock

WHY = "The disk failed."


def restored(services: Services) -> list[Written]:
    """Email the state of all games, as after a restore; return all emails that will be sent now."""
    with writing(services.engine) as session:
        tell(ActionContext(session, services.sealer, services.now()), WHY)
    return waiting(services)


def waiting(services: Services) -> list[Written]:
    """Return all emails that will be sent."""
    writer = services.delivery().writer
    with reading(services.engine) as session:
        rows = session.exec(select(Outbox).where(Outbox.state == "queued").order_by(col(Outbox.id)))
        found = [(row, writer.write_what_is_true(session, row)) for row in rows]
    return [Written(row.letter, row.recipient, raw) for row, raw in found if raw is not None]


def to(mails: list[Written], player: Player) -> list[Written]:
    return [each for each in mails if each.to == player.email]


@pytest.mark.both
def test_a_waiting_report_is_not_sent_as_well(table: TwoPlayerGame) -> None:
    services, (first, second) = table.services, table.players
    deliver(services)
    reply(table, 0, "c3\nsay Good luck!")
    assert [each.letter for each in to(waiting(services), second)] == ["report"]
    mails = restored(services)
    [report] = to(mails, second)
    assert report.letter == "report"
    for text in (WHY, f"{first.name} played c3.", "Good luck!"):
        assert text in report.words
    assert [each.letter for each in to(mails, first)] == ["games"]
    assert [each.letter for each in receive(services, second.email, reply_to(report), "a1")] == ["report"]


def reply_to(mail: Written) -> str:
    return str(mail.mail["Reply-To"]).strip("<>")


def test_a_player_who_does_not_owe_a_move_gets_one_email_about_the_turn(table: TwoPlayerGame) -> None:
    services, (first, _) = table.services, table.players
    mail_every_turn(services)
    deliver(services)
    table.submit(0, "c3")
    [report] = to(restored(services), first)
    assert report.letter == "report"
    assert WHY in report.words
    assert "You played c3." in report.words


def test_all_waiting_turns_are_in_the_report(table: TwoPlayerGame) -> None:
    services, (first, second) = table.services, table.players
    mail_every_turn(services)
    deliver(services)
    for seat, move in enumerate(("c3", "a1", "e5")):
        table.submit(seat % 2, move)
    [report] = to(restored(services), second)
    for text in (f"{first.name} played c3.", "You played a1.", f"{first.name} played e5."):
        assert text in report.words


def test_state_emailed_twice_leaves_one_email_for_each_player(table: TwoPlayerGame) -> None:
    services, (first, second) = table.services, table.players
    table.submit(0, "c3")
    deliver(services)
    for _ in range(2):
        mails = restored(services)
        assert [each.letter for each in to(mails, first)] == ["games"]
        assert [each.letter for each in to(mails, second)] == ["report"]


def test_a_takeback_stays_in_the_report(table: TwoPlayerGame) -> None:
    services, (first, second) = table.services, table.players
    table.submit(0, "c3")
    deliver(services)
    receive(services, first.email, reply_address(services, table.number, 0), "takeback")
    receive(services, second.email, reply_address(services, table.number, 1), "takeback")
    mails = restored(services)
    [report] = [each for each in to(mails, first) if each.letter == "report"]
    assert WHY in report.words
    assert "taken back turn 1" in report.words


def test_a_reminder_is_not_sent_as_well(table: TwoPlayerGame, clock: Clock) -> None:
    services, (first, _) = table.services, table.players
    deliver(services)
    tick(services, clock, days=1, hours=13)
    assert [each.letter for each in to(waiting(services), first)] == ["reminder"]
    [report] = to(restored(services), first)
    assert report.letter == "report"


def test_a_digest_loses_the_games_that_are_reported(services: Services, clock: Clock) -> None:
    people = DigestReaders(services, clock, "daily 18:00")
    owed, waits = people.begin("Ann"), people.begin("Ben")
    for number in (owed, waits):
        people.say(number, f"Hello from game {number}!")
    deliver(services)
    with writing(services.engine) as session:
        digests.mail_digest(people.action(session), session.get_one(Player, people.ann.id))
    assert [each.letter for each in to(waiting(services), people.ann)] == ["digest"]
    [report] = to(restored(services), people.ann)
    assert reply_to(report) == reply_address(services, owed, 0)
    assert f"Hello from game {owed}!" in report.words
    clock.advance(days=1)
    with writing(services.engine) as session:
        digests.mail_digest(people.action(session), session.get_one(Player, people.ann.id))
    assert f"Hello from game {waits}!" in to(waiting(services), people.ann)[-1].words
