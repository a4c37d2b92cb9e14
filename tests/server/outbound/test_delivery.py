"""Sending the emails in the outbox."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlalchemy import event
from sqlmodel import col, select

from mail.outgoing.delivering import DeliveryFailed, Relay, RelayConnections
from server.accounts import players
from server.admin import outgoing_mail
from server.admin.audit import AdminAction
from server.outbound.delivery import Delivery
from server.outbound.letters.account import Games
from server.processes.services import Services, open_services
from server.settings.loading import BadSettings
from server.store.db import reading, writing
from server.store.engines import connect
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext
from tests.support.database.connections import lost_at
from tests.support.e2e.mailboxes import World, open_world
from tests.support.machine.waiting import await_that
from tests.support.server.services import Clock

pytestmark = pytest.mark.both


@pytest.fixture
def outside() -> Iterator[tuple[World, str]]:
    """Provide the recipients' mailboxes and the URL of their mail server."""
    with open_world() as (world, url):
        yield world, url


@pytest.fixture
def delivery(services: Services, outside: tuple[World, str]) -> Iterator[Delivery]:
    """Return a delivery to these mailboxes."""
    sending = open_services(
        services.settings.model_copy(update={"smtp_url": outside[1], "domain_rate": 3}), services.now
    )
    delivery = sending.delivery()
    yield delivery
    delivery.connections.close()
    sending.engine.dispose()


def queue(services: Services, *people: str) -> None:
    """Sign up players, which queues a welcome email to each."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for person in people:
            players.register(action, f"{person}@{'a' if person < 'n' else 'z'}.example.org", person.title())


def states(services: Services) -> list[str]:
    with reading(services.engine) as session:
        return list(session.exec(select(Outbox.state).order_by(col(Outbox.id))))


def due_times(services: Services) -> list[datetime]:
    """Return the due times of unsent emails."""
    with reading(services.engine) as session:
        return list(session.exec(select(Outbox.due_at).where(Outbox.state == "queued")))


def test_email_is_sent_once(services: Services, delivery: Delivery, outside: tuple[World, str]) -> None:
    queue(services, "ann")
    assert [delivery.send_due(services.now()), delivery.send_due(services.now())] == [1, 0]
    assert states(services) == ["sent"]
    assert len(outside[0].mails_to("ann@a.example.org")) == 1


def test_email_says_how_to_unsubscribe(
    services: Services, delivery: Delivery, outside: tuple[World, str]
) -> None:
    queue(services, "ann")
    delivery.send_due(services.now())
    (mail,) = outside[0].mails_to("ann@a.example.org")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "/stop/" in mail["List-Unsubscribe"]
    assert "<mailto:play@games.example.org?subject=stop>" in mail["List-Unsubscribe"]


def test_failed_email_is_retried_at_growing_intervals(services: Services, clock: Clock) -> None:
    queue(services, "ann")
    delivery = services.delivery()
    waits = []
    for _ in range(4):
        assert delivery.send_due(services.now()) == 1
        with reading(services.engine) as session:
            due = session.exec(select(Outbox.due_at)).one()
        waits.append((due - services.now()).total_seconds() / 60)
        clock.time = due
    assert waits == [1, 2, 4, 8]
    assert states(services) == ["queued"]


def test_email_is_retried_every_four_hours(services: Services, clock: Clock) -> None:
    queue(services, "ann")
    with writing(services.engine) as session:
        session.exec(select(Outbox)).one().failing_since = clock() - timedelta(days=10_000)
    services.delivery().send_due(services.now())
    with reading(services.engine) as session:
        assert session.exec(select(Outbox.due_at)).one() == clock() + timedelta(hours=4)


def test_emails_to_one_domain_are_rate_limited(services: Services, delivery: Delivery, clock: Clock) -> None:
    queue(services, "ann", "ben", "cid", "dan", "eve", "zoe")
    assert delivery.send_due(services.now()) == 4
    assert delivery.send_due(services.now()) == 0
    clock.advance(seconds=61)
    assert delivery.send_due(services.now()) == 2
    assert states(services) == ["sent"] * 6


class OnlyFromUs(Relay):
    """A provider that accepts only emails from the address of the mailbox, or none."""

    def __init__(self, mailbox: str) -> None:
        super().__init__("smtp://127.0.0.1:9", hostname="games.example.org")
        self._mailbox = mailbox
        self.taken: list[str] = []

    def send(self, mail_from: str, recipient: str, content: bytes) -> None:
        if mail_from != self._mailbox:
            message = "5.7.1 Sender address rejected: not owned by user"
            raise DeliveryFailed(permanent=False, code=553, message=message, forbidden=True)
        self.taken.append(recipient)


def test_relay_that_needs_the_mailbox_address_gets_it(services: Services, delivery: Delivery) -> None:
    queue(services, "ann", "ben")
    relay = OnlyFromUs("play@games.example.org")
    lines = RelayConnections([relay])
    replace(delivery, connections=lines).send_due(services.now())
    lines.close()
    assert relay.taken == ["ann@a.example.org", "ben@a.example.org"]
    assert states(services) == ["sent"] * 2


def test_relay_that_forbids_sending_costs_no_email(services: Services, delivery: Delivery) -> None:
    queue(services, "ann")
    lines = RelayConnections([OnlyFromUs("somebody@else.example")])
    replace(delivery, connections=lines).send_due(services.now())
    lines.close()
    assert states(services) == ["queued"]
    with reading(services.engine) as session:
        assert session.exec(select(Player)).one().suspended_at is None


LEASE = timedelta(seconds=2)


class Slow(Relay):
    """A relay that runs `happening(number of the email, from 0)` while it accepts each email."""

    def __init__(self, happening: Callable[[int], object]) -> None:
        super().__init__("smtp://127.0.0.1:9", hostname="games.example.org")
        self._happening = happening
        self.taken: list[str] = []

    def send(self, mail_from: str, recipient: str, content: bytes) -> None:
        self.taken.append(recipient)
        self._happening(len(self.taken) - 1)


class Slowly:
    """A delivery in which each email takes a given number of seconds."""

    def __init__(self, delivery: Delivery, happening: Callable[[int], object]) -> None:
        self.relay = Slow(happening)
        self.passed = 0.0
        self._connections = RelayConnections([self.relay])
        self._delivery = replace(
            delivery, connections=self._connections, lease=LEASE, ticks=lambda: self.passed
        )

    def send_due(self, now: datetime) -> None:
        self._delivery.send_due(now)
        self._connections.close()


@pytest.mark.slow
def test_long_delivery_keeps_its_lease(services: Services, delivery: Delivery) -> None:
    def happening(_: int) -> None:
        slowly.passed += 1.2
        now = services.now() + timedelta(seconds=slowly.passed)
        await_that(lambda: all(due > now + LEASE / 2 for due in due_times(services)))
        by_others.append(delivery.send_due(now))

    by_others: list[int] = []
    slowly = Slowly(delivery, happening)
    queue(services, "ann", "ben", "cid")
    slowly.send_due(services.now())
    assert (by_others, len(slowly.relay.taken), states(services)) == ([0] * 3, 3, ["sent"] * 3)


def test_rest_of_a_batch_is_left_to_others_after_the_lease(
    services: Services, delivery: Delivery, outside: tuple[World, str]
) -> None:
    def happening(_: int) -> None:
        slowly.passed += LEASE.total_seconds()

    slowly = Slowly(delivery, happening)
    queue(services, "ann", "ben", "zoe")
    slowly.send_due(services.now())
    assert (slowly.relay.taken, states(services)) == (["ann@a.example.org"], ["sent", "queued", "queued"])
    assert delivery.send_due(services.now() + LEASE) == 2
    assert not outside[0].mails_to("ann@a.example.org")


def test_email_sent_by_another_process_is_not_retried(services: Services, delivery: Delivery) -> None:
    def happening(_: int) -> None:
        slowly.passed += LEASE.total_seconds()
        assert delivery.send_due(services.now() + LEASE) == 1
        raise DeliveryFailed(permanent=False, code=451, message="later")

    slowly = Slowly(delivery, happening)
    queue(services, "ann")
    slowly.send_due(services.now())
    assert states(services) == ["sent"]


@pytest.mark.parametrize(("refused", "state"), [(True, "dropped"), (False, "sent")])
def test_email_dropped_during_sending_is_not_retried(
    services: Services, delivery: Delivery, refused: bool, state: str
) -> None:
    def happening(_: int) -> None:
        with writing(services.engine) as session:
            outgoing_mail.drop(
                AdminAction(ActionContext(session, services.sealer, services.now())), 1, "a mistake"
            )
        if refused:
            raise DeliveryFailed(permanent=False, code=451, message="later")

    queue(services, "ann")
    Slowly(delivery, happening).send_due(services.now())
    assert states(services) == [state]


@pytest.mark.slow
def test_outcomes_are_stored_while_others_are_being_sent(services: Services, delivery: Delivery) -> None:
    def happening(number: int) -> None:
        await_that(lambda: states(services) == ["sent"] * number + ["queued"] * (3 - number))

    queue(services, "ann", "ben", "cid")
    Slowly(delivery, happening).send_due(services.now())
    assert states(services) == ["sent"] * 3


def test_failure_of_one_email_does_not_affect_others(services: Services, delivery: Delivery) -> None:
    def happening(number: int) -> None:
        if number == 0:
            raise RuntimeError

    queue(services, "ann", "ben")
    Slowly(delivery, happening).send_due(services.now())
    assert states(services) == ["queued", "sent"]


def refuse_first(number: int) -> None:
    if number == 0:
        raise DeliveryFailed(permanent=False, code=451, message="later", of="recipient")


def test_sent_email_is_recorded_although_another_outcome_fails(services: Services, delivery: Delivery) -> None:
    queue(services, "ann", "ben")
    with writing(services.engine) as session:
        first = session.exec(select(Outbox).order_by(col(Outbox.id)).limit(1)).one()
        first.failing_since = services.now() - timedelta(days=30)
    with lost_at(delivery.engine, "outbox.recipient !="):
        Slowly(delivery, refuse_first).send_due(services.now())
    assert (states(services), due_times(services)) == (["queued", "sent"], [services.now() + LEASE])
    assert delivery.send_due(services.now() + LEASE) == 1


@pytest.mark.parametrize("database", ["sqlite"])
def test_outcome_is_stored_as_soon_as_the_database_can_be_written(
    services: Services, delivery: Delivery
) -> None:
    url = str(services.settings.database_url)
    impatient = connect(url, patience=0)
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False)
    attempts = 0

    def lock(number: int) -> None:
        if number == 1:
            other.execute("BEGIN IMMEDIATE")

    def unlock(*_: object) -> None:
        nonlocal attempts
        attempts += other.in_transaction
        if attempts == 3:
            other.rollback()

    queue(services, "ann", "ben")
    event.listen(impatient, "checkout", unlock)
    Slowly(replace(delivery, engine=impatient), lock).send_due(services.now())
    other.close()
    impatient.dispose()
    assert (attempts, states(services)) == (3, ["sent"] * 2)


def test_database_failure_during_rendering_is_no_failure_of_the_email(
    services: Services, delivery: Delivery, clock: Clock
) -> None:
    queue(services, "ann", "zoe")
    with writing(services.engine) as session:
        ann = session.exec(select(Player).where(Player.name == "Ann")).one()
        ActionContext(session, services.sealer, services.now()).put_to_player(ann, Games(players.identity(ann)))
    with lost_at(delivery.engine, "ORDER BY seat.owes"):
        delivery.send_due(services.now())
    assert states(services) == ["sent", "sent", "queued"]
    with reading(services.engine) as session:
        mail = session.exec(select(Outbox).where(Outbox.state == "queued")).one()
        assert (mail.error, mail.failing_since, mail.due_at) == ("", None, clock() + timedelta(seconds=5))
    clock.advance(seconds=5)
    delivery.send_due(services.now())
    assert states(services) == ["sent"] * 3


def test_emails_are_signed_if_there_is_a_key(
    services: Services, outside: tuple[World, str], tmp_path: Path
) -> None:
    file = tmp_path / "dkim.pem"
    key = Ed25519PrivateKey.generate()
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    changed = {"smtp_url": outside[1], "dkim_key": str(file)}
    signing = open_services(services.settings.model_copy(update=changed), services.now)
    queue(services, "ann")
    delivery = signing.delivery()
    delivery.send_due(services.now())
    delivery.connections.close()
    signing.engine.dispose()
    (mail,) = outside[0].mails_to("ann@a.example.org")
    assert "d=games.example.org" in mail["DKIM-Signature"]
    assert "list-unsubscribe-post" in mail["DKIM-Signature"]


def test_invalid_signing_key_is_reported(services: Services, tmp_path: Path) -> None:
    file = tmp_path / "dkim.pem"
    file.write_text("not a key")
    with pytest.raises(BadSettings, match="NABU_DKIM_KEY"):
        open_services(services.settings.model_copy(update={"dkim_key": str(file)})).delivery()
