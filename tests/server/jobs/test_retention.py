"""All data with orders are deleted after some days."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import col, select, update

from mail.incoming.receiving import Received
from server.jobs.table import HOUSEKEEPING
from server.processes.services import Services
from server.processes.worker import Worker
from server.store.db import reading, writing
from server.store.models import Entry, Envelope, Inbox, Outbox
from tests.support.server.emails import reply_address
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock

pytestmark = pytest.mark.game("nelaxtam", size=10, troops=1, sea=0)

KEEP = timedelta(days=14)
A_MOMENT = timedelta(minutes=1)


def receive(
    table: TwoPlayerGame, seat: int, text: str, *, sender: str = "", turn: int = 1, name: str = ""
) -> Inbox:
    """Receive and handle a reply of a seat; return its final state."""
    services = table.services
    sender = sender or table.players[seat].email
    recipient = reply_address(services, table.number, seat, turn)
    name = name or f"{turn}.{seat}"
    head = f"From: {sender}\r\nTo: {recipient}\r\nMessage-ID: <{name}@x>\r\nSubject: Re\r\n\r\n"
    mail = Received("smtp", "127.0.0.1", sender, (recipient,), f"{head}{text}\r\n".encode())
    services.reception().store([mail])
    services.pipeline().handle_next(services.now())
    with reading(services.engine) as session:
        return session.exec(select(Inbox).order_by(col(Inbox.id).desc()).limit(1)).one()


def delete_old_data(table: TwoPlayerGame) -> None:
    HOUSEKEEPING.run(Worker(table.services).work)


def secrets(services: Services) -> bytes:
    """Return all encrypted data in inbox, outbox and envelopes, decrypted."""
    with reading(services.engine) as session:
        columns = (Inbox.sealed, Outbox.sealed, Envelope.sealed)
        sealed = [content for column in columns for content in session.exec(select(column))]
    return b"\n".join(services.sealer.open(content) for content in sealed if content is not None)


def send_all(services: Services, state: str) -> None:
    """Mark all emails as sent, or given up, now."""
    with writing(services.engine) as session:
        now = services.now()
        session.execute(
            update(Outbox).values(state=state, due_at=now, sent_at=now if state == "sent" else None)
        )


def turns(services: Services) -> int:
    with reading(services.engine) as session:
        return len(session.exec(select(Entry).where(col(Entry.turn).is_not(None))).all())


@pytest.mark.parametrize("state", ["sent", "failed"])
def test_old_orders_remain_only_in_the_log(table: TwoPlayerGame, clock: Clock, state: str) -> None:
    assert receive(table, 0, "1 d4").state == "done"
    assert receive(table, 1, "A c4").state == "done"
    assert turns(table.services) == 1
    send_all(table.services, state)
    assert b"1 d4" in secrets(table.services)
    clock.advance(days=14)
    delete_old_data(table)
    assert b"1 d4" in secrets(table.services), "not a moment too early"
    clock.time += A_MOMENT
    delete_old_data(table)
    assert secrets(table.services) == b""


def test_unconfirmed_email_with_orders_is_deleted(table: TwoPlayerGame, clock: Clock) -> None:
    assert receive(table, 0, "1 d4", sender="eve@example.org").state == "asked"
    send_all(table.services, "sent")
    clock.time += KEEP
    delete_old_data(table)
    assert b"1 d4" in secrets(table.services)
    clock.time += A_MOMENT
    delete_old_data(table)
    assert b"1 d4" not in secrets(table.services)


def test_refused_email_is_deleted(table: TwoPlayerGame, clock: Clock) -> None:
    assert receive(table, 0, "1 d9 north of here").state == "refused"
    send_all(table.services, "sent")
    clock.time += KEEP + A_MOMENT
    delete_old_data(table)
    assert secrets(table.services) == b""


def test_orders_of_a_running_turn_stay_sealed(table: TwoPlayerGame, clock: Clock) -> None:
    receive(table, 0, "1 d4")
    send_all(table.services, "sent")
    clock.time += KEEP + A_MOMENT
    delete_old_data(table)
    assert secrets(table.services).count(b"1 d4") == 1
    receive(table, 1, "A c4")
    assert turns(table.services) == 1


def test_old_email_that_arrives_again_is_not_handled_again(table: TwoPlayerGame, clock: Clock) -> None:
    receive(table, 0, "1 d4", name="first")
    receive(table, 0, "1 e5", name="second")
    clock.time += KEEP + A_MOMENT
    delete_old_data(table)
    receive(table, 0, "1 d4", name="first")
    with reading(table.services.engine) as session:
        envelope = session.exec(select(Envelope)).one()
        orders, _ = table.services.sealer.open_json(envelope.sealed)
    assert orders == "1 e5"


def test_old_email_loses_its_addresses_and_is_finally_deleted(table: TwoPlayerGame, clock: Clock) -> None:
    receive(table, 0, "1 d4")
    clock.time += KEEP + A_MOMENT
    delete_old_data(table)
    with reading(table.services.engine) as session:
        row = session.exec(select(Inbox)).one()
    assert (row.sealed, row.mail_from, row.recipient, row.peer) == (None, "", "", "")
    clock.advance(days=366)
    delete_old_data(table)
    with reading(table.services.engine) as session:
        assert session.exec(select(Inbox)).all() == []


def test_waiting_email_is_kept(table: TwoPlayerGame, clock: Clock) -> None:
    services = table.services
    mail = Received("smtp", "127.0.0.1", "a@example.org", ("play@games.example.org",), b"From: a\r\n\r\nhelp")
    services.reception().store([mail])
    with reading(services.engine) as session:
        before = len(session.exec(select(Outbox)).all())
    clock.time += 10 * KEEP
    delete_old_data(table)
    with reading(services.engine) as session:
        assert session.exec(select(Inbox)).one().sealed is not None
        assert len(session.exec(select(Outbox)).all()) == before
