"""Emails to a paused domain wait, and do not count as failures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import Session, col, select

from mail.outgoing.delivering import DeliveryFailed, Relay, RelayConnections
from server.accounts import players
from server.admin import announcements, outgoing_mail
from server.admin.audit import AdminAction
from server.admin.health import health
from server.outbound import relay_health
from server.outbound.delivery import BATCH, Delivery
from server.outbound.letters.account import Announced
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.letters.account import Welcome
from server.store.letters.letter import Letter
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext
from tests.support.mail.bounces import bounce, receive_report, return_path
from tests.support.server.services import Clock

pytestmark = pytest.mark.both

PAUSED = "paused.example"
ANN, BEN, ZOE = f"ann@{PAUSED}", "ben@b.example", f"zoe@{PAUSED}"
AGES = timedelta(days=60)


class Picky(Relay):
    """A relay that refuses the domain while `refuses` is set."""

    def __init__(self) -> None:
        super().__init__("smtp://127.0.0.1:9", hostname="games.example.org")
        self.refuses = False
        self.asked: list[str] = []

    def send(self, mail_from: str, recipient: str, content: bytes) -> None:
        self.asked.append(recipient)
        if self.refuses and recipient.endswith(PAUSED):
            raise DeliveryFailed(permanent=False, code=421, message="too many of yours", of="recipient")


@pytest.fixture
def relay() -> Picky:
    return Picky()


@pytest.fixture
def delivery(services: Services, relay: Picky) -> Iterator[Delivery]:
    connections = RelayConnections([relay])
    yield replace(services.delivery(), connections=connections, domain_rate=10 * BATCH)
    connections.close()


def put(services: Services, *recipients: str, letter: Letter | None = None) -> None:
    with writing(services.engine) as session:
        for each in recipients:
            ActionContext(session, services.sealer, services.now()).put(each, letter or Welcome("Ann"))


def admin_action(services: Services, session: Session) -> AdminAction:
    return AdminAction(ActionContext(session, services.sealer, services.now()))


def hold(services: Services) -> int:
    with writing(services.engine) as session:
        return outgoing_mail.pause_domain(admin_action(services, session), PAUSED, "they refuse us").mails


def release(services: Services) -> int:
    with writing(services.engine) as session:
        return outgoing_mail.release(admin_action(services, session), PAUSED)


def send(services: Services, delivery: Delivery) -> None:
    while delivery.send_due(services.now()):
        pass


def states(services: Services) -> list[tuple[str, str]]:
    with reading(services.engine) as session:
        query = select(Outbox.recipient, Outbox.state).order_by(col(Outbox.id))
        return [(recipient, state) for recipient, state in session.exec(query)]


def test_emails_to_a_paused_domain_wait_for_its_release(
    services: Services, delivery: Delivery, relay: Picky
) -> None:
    put(services, ANN, BEN)
    assert hold(services) == 1
    put(services, ZOE)
    send(services, delivery)
    assert relay.asked == [BEN]
    assert states(services) == [(ANN, "paused"), (BEN, "sent"), (ZOE, "paused")]
    assert release(services) == 2
    send(services, delivery)
    assert sorted(relay.asked) == sorted([BEN, ANN, ZOE])
    assert {state for _, state in states(services)} == {"sent"}


def test_paused_emails_do_not_delay_others(
    services: Services, clock: Clock, delivery: Delivery, relay: Picky
) -> None:
    put(services, *[f"player{number}@{PAUSED}" for number in range(2 * BATCH)])
    hold(services)
    clock.advance(minutes=1)
    put(services, BEN)
    assert delivery.send_due(services.now()) == 1
    assert relay.asked == [BEN]


def test_paused_email_is_not_given_up(
    services: Services, clock: Clock, delivery: Delivery, relay: Picky
) -> None:
    """The time of the pause does not count as time of failed attempts."""
    put(services, ANN)
    relay.refuses = True
    send(services, delivery)
    hold(services)
    clock.advance(days=AGES.days)
    put(services, BEN)
    send(services, delivery)
    assert states(services) == [(ANN, "paused"), (BEN, "sent")]
    release(services)
    send(services, delivery)
    assert (relay.asked.count(ANN), states(services)[0]) == (2, (ANN, "queued"))
    with reading(services.engine) as session:
        mail = session.exec(select(Outbox).where(Outbox.recipient == ANN)).one()
        assert mail.failing_since == clock()


def test_email_in_delivery_is_not_retried_while_its_domain_is_paused(
    services: Services, clock: Clock, delivery: Delivery, relay: Picky
) -> None:
    put(services, ANN)
    relay.refuses = True
    ask = relay.send

    def paused_meanwhile(*mail: str | bytes) -> None:
        hold(services)
        ask(*mail)  # type: ignore[arg-type]

    relay.send = paused_meanwhile  # type: ignore[assignment]
    send(services, delivery)
    clock.advance(hours=5)
    send(services, delivery)
    assert (relay.asked, states(services)) == ([ANN], [(ANN, "paused")])


def test_email_in_delivery_is_sent_once_after_pause_and_release(
    services: Services, delivery: Delivery, relay: Picky
) -> None:
    put(services, ANN)
    ask = relay.send

    def paused_and_released_meanwhile(*mail: str | bytes) -> None:
        hold(services)
        release(services)
        assert delivery.send_due(services.now()) == 0
        ask(*mail)  # type: ignore[arg-type]

    relay.send = paused_and_released_meanwhile  # type: ignore[assignment]
    send(services, delivery)
    assert (relay.asked, states(services)) == ([ANN], [(ANN, "sent")])


def test_outdated_email_is_dropped_after_a_pause(
    services: Services, clock: Clock, delivery: Delivery, relay: Picky
) -> None:
    until = clock() + timedelta(days=1)
    with writing(services.engine) as session:
        announcements.announce(admin_action(services, session), "Soon.", until, mail=True)
    hold(services)
    put(services, ANN, letter=Announced(1, "Soon.", until))
    send(services, delivery)
    with writing(services.engine) as session:
        announcements.end(admin_action(services, session), 1)
    release(services)
    send(services, delivery)
    assert (relay.asked, states(services)) == ([], [(ANN, "dropped")])


def test_paused_domain_is_no_problem_of_the_relay(
    services: Services, clock: Clock, delivery: Delivery, relay: Picky
) -> None:
    put(services, *[f"player{number}@{PAUSED}" for number in range(relay_health.MANY)])
    relay.refuses = True
    send(services, delivery)
    with reading(services.engine) as session:
        assert relay_health.failure(session) is not None
        assert relay_health.waiting(session) == relay_health.MANY
    hold(services)
    put(services, ANN, BEN)
    send(services, delivery)
    clock.advance(hours=1)
    with reading(services.engine) as session:
        assert relay_health.failure(session) is None
        assert relay_health.waiting(session) == 0
        found = {each.what for each in health(session, clock()).troubles()}
    assert found == {"worker"}, "there is none in this test"


def test_bounce_during_a_pause_is_processed(services: Services, delivery: Delivery) -> None:
    """It was sent before, although that could not be stored."""
    with writing(services.engine) as session:
        players.register(ActionContext(session, services.sealer, services.now()), ANN, "Ann")
    hold(services)
    with reading(services.engine) as session:
        key = session.exec(select(Outbox.key)).one()
    assert receive_report(services, bounce(ANN), return_path(services, key)) == "bounce: noted"
    assert states(services) == [(ANN, "returned")]
    with reading(services.engine) as session:
        assert session.exec(select(Player.bounce_score)).one() == 1
