"""Sending what stands in the outbox."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlmodel import col, select

from mail.delivering import DeliveryFailed, Relay
from mail.lines import Lines
from server import players
from server.db import reading, writing
from server.delivery import Delivery
from server.models import Outbox, Player
from server.office import Office, open_office
from server.outbox import Post
from server.settings import BadSettings
from tests.e2e.world import World, open_world
from tests.offices import Clock


@pytest.fixture
def outside() -> Iterator[tuple[World, str]]:
    """The world, and the URL of its mail server."""
    with open_world() as (world, url):
        yield world, url


@pytest.fixture
def delivery(office: Office, outside: tuple[World, str]) -> Iterator[Delivery]:
    """A delivery to the world."""
    sending = open_office(
        office.settings.model_copy(update={"smtp_url": outside[1], "domain_rate": 3}), office.now
    )
    delivery = sending.delivery()
    yield delivery
    delivery.lines.close()
    sending.engine.dispose()


def queue(office: Office, *people: str) -> None:
    """Register people, so that a welcome waits for each."""
    with writing(office.engine) as session:
        post = Post(session, office.vault, office.now())
        for person in people:
            players.register(post, f"{person}@{'a' if person < 'n' else 'z'}.example.org", person.title())


def states(office: Office) -> list[str]:
    with reading(office.engine) as session:
        return list(session.exec(select(Outbox.state).order_by(col(Outbox.id))))


def test_a_mail_is_sent_once(office: Office, delivery: Delivery, outside: tuple[World, str]) -> None:
    queue(office, "ann")
    assert [delivery.send_due(office.now()), delivery.send_due(office.now())] == [1, 0]
    assert states(office) == ["sent"]
    assert len(outside[0].mails_to("ann@a.example.org")) == 1


def test_a_mail_says_how_to_get_no_more(office: Office, delivery: Delivery, outside: tuple[World, str]) -> None:
    queue(office, "ann")
    delivery.send_due(office.now())
    (mail,) = outside[0].mails_to("ann@a.example.org")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "/stop/" in mail["List-Unsubscribe"]
    assert "<mailto:play@games.example.org?subject=stop>" in mail["List-Unsubscribe"]


def test_what_cannot_be_delivered_now_is_tried_later_and_later(office: Office, clock: Clock) -> None:
    queue(office, "ann")
    delivery = office.delivery()
    waits = []
    for _ in range(4):
        assert delivery.send_due(office.now()) == 1
        with reading(office.engine) as session:
            due = session.exec(select(Outbox.due_at)).one()
        waits.append((due - office.now()).total_seconds() / 60)
        clock.time = due
    assert waits == [1, 2, 4, 8]
    assert states(office) == ["queued"]


def test_it_is_tried_every_four_hours_however_long_that_takes(office: Office, clock: Clock) -> None:
    queue(office, "ann")
    with writing(office.engine) as session:
        session.exec(select(Outbox)).one().attempts = 10_000
    office.delivery().send_due(office.now())
    with reading(office.engine) as session:
        assert session.exec(select(Outbox.due_at)).one() == clock() + timedelta(hours=4)


def test_after_days_a_mail_is_given_up(office: Office, clock: Clock) -> None:
    queue(office, "ann")
    clock.advance(days=office.settings.give_up_days, seconds=1)
    office.delivery().send_due(office.now())
    assert states(office) == ["failed"]


def test_one_domain_gets_no_more_than_its_rate(office: Office, delivery: Delivery, clock: Clock) -> None:
    queue(office, "ann", "ben", "cid", "dan", "eve", "zoe")
    assert delivery.send_due(office.now()) == 4
    assert delivery.send_due(office.now()) == 0
    clock.advance(seconds=61)
    assert delivery.send_due(office.now()) == 2
    assert states(office) == ["sent"] * 6


class Refusing(Relay):
    """A relay that refuses everything for good: another server's answer."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__("smtp://127.0.0.1:9", hostname="games.example.org")
        self._refusal = DeliveryFailed(permanent=True, code=code, message=message)

    def send(self, mail_from: str, recipient: str, content: bytes) -> None:
        raise self._refusal


@pytest.mark.parametrize(
    ("code", "message", "suspended"),
    [(550, "No such user", True), (552, "5.2.2 Mailbox full", False), (554, "5.7.1 Looks like spam", False)],
)
def test_a_refusal_for_good_suspends_the_address_if_that_is_why(
    office: Office, delivery: Delivery, code: int, message: str, suspended: bool
) -> None:
    queue(office, "ann")
    lines = Lines([Refusing(code, message)])
    replace(delivery, lines=lines).send_due(office.now())
    lines.close()
    assert states(office) == ["failed"]
    with reading(office.engine) as session:
        player = session.exec(select(Player)).one()
    assert (player.suspended_at is not None, player.bounced_at) == (suspended, office.now())


class OnlyFromUs(Relay):
    """A provider that takes mail from the address of the mailbox alone, or from nobody."""

    def __init__(self, mailbox: str) -> None:
        super().__init__("smtp://127.0.0.1:9", hostname="games.example.org")
        self._mailbox = mailbox
        self.taken: list[str] = []

    def send(self, mail_from: str, recipient: str, content: bytes) -> None:
        if mail_from != self._mailbox:
            message = "5.7.1 Sender address rejected: not owned by user"
            raise DeliveryFailed(permanent=False, code=553, message=message, forbidden=True)
        self.taken.append(recipient)


def test_a_relay_that_wants_the_address_of_the_mailbox_gets_it(office: Office, delivery: Delivery) -> None:
    queue(office, "ann", "ben")
    relay = OnlyFromUs("play@games.example.org")
    lines = Lines([relay])
    replace(delivery, lines=lines).send_due(office.now())
    lines.close()
    assert relay.taken == ["ann@a.example.org", "ben@a.example.org"]
    assert states(office) == ["sent"] * 2


def test_a_relay_that_does_not_let_us_send_costs_no_mail_and_suspends_nobody(
    office: Office, delivery: Delivery
) -> None:
    queue(office, "ann")
    lines = Lines([OnlyFromUs("somebody@else.example")])
    replace(delivery, lines=lines).send_due(office.now())
    lines.close()
    assert states(office) == ["queued"]
    with reading(office.engine) as session:
        assert session.exec(select(Player)).one().suspended_at is None


def test_mails_are_signed_where_there_is_a_key(
    office: Office, outside: tuple[World, str], tmp_path: Path
) -> None:
    file = tmp_path / "dkim.pem"
    key = Ed25519PrivateKey.generate()
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    changed = {"smtp_url": outside[1], "dkim_key": str(file)}
    signing = open_office(office.settings.model_copy(update=changed), office.now)
    queue(office, "ann")
    delivery = signing.delivery()
    delivery.send_due(office.now())
    delivery.lines.close()
    signing.engine.dispose()
    (mail,) = outside[0].mails_to("ann@a.example.org")
    assert "d=games.example.org" in mail["DKIM-Signature"]
    assert "list-unsubscribe-post" in mail["DKIM-Signature"]


def test_a_key_that_is_none_is_told(office: Office, tmp_path: Path) -> None:
    file = tmp_path / "dkim.pem"
    file.write_text("not a key")
    with pytest.raises(BadSettings, match="NABU_DKIM_KEY"):
        open_office(office.settings.model_copy(update={"dkim_key": str(file)})).delivery()
