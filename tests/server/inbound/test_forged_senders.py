"""Mallory writes as Ann in ways that programs read differently: nothing happens in her name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime

import dkim as dkimpy  # type: ignore[import-untyped]
import pytest
from sqlmodel import col, select

from mail.authentication.checks.dns import Lookup
from mail.incoming.receiving import Received
from server.game.play.target import Target
from server.processes.services import Services, open_services
from server.store.db import reading, writing
from server.store.models import Game, Inbox, Outbox, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.mail import keys
from tests.support.mail.dns_zone import Zone, zone
from tests.support.server.emails import PLAY, reply_address
from tests.support.server.games import TwoPlayerGame, begin, offer_draw
from tests.support.server.services import Clock

TRUSTED = "mx.games.example.org"
MALLORYS = "192.88.99.66"
NAMES = zone(
    f"evil.example TXT v=spf1 ip4:{MALLORYS} -all", "_dmarc.evil.example TXT v=DMARC1; p=reject",
    "example.org TXT v=spf1 -all", "_dmarc.example.org TXT v=DMARC1; p=reject",
)  # fmt: skip
# Read as Windows-1252, the raw byte is a space, and an address is between the marks of encoded words.
BLANK = b"=?x?q?\xa0<%s>(?= <mallory@evil.example> =?x?q?)?="
SENDERS = {
    "a raw byte in an encoded word": b"From: " + BLANK,
    "two addresses": b"From: %s <mallory@evil.example>",
    "two fields": b"From: mallory@evil.example\r\nFrom: %s",
    "a blank after the name": b"From : %s\r\nFrom: mallory@evil.example",
    "a line end that is none": b"From: mallory@evil.example\rFrom: %s",
    "a line that is no field": b"From: mallory@evil.example\r\nno field\r\nFrom: %s",
}


@pytest.fixture
def table(services: Services) -> Iterator[TwoPlayerGame]:
    """Return a game on a server that trusts its own mail server."""
    trusting = open_services(services.settings.model_copy(update={"authserv_ids": TRUSTED}), services.now)
    yield TwoPlayerGame(trusting, "nebuchadnezzar", size=5)
    trusting.engine.dispose()


def deliver(
    table: TwoPlayerGame,
    content: bytes,
    to: str,
    lookup: Lookup | None,
    peer: str = MALLORYS,
    mail_from: str = "mallory@evil.example",
) -> Inbox:
    """Receive an email; return its final state."""
    services = table.services
    mail = Received("smtp", peer, mail_from, (to,), content)
    services.reception().store([mail])
    pipeline = services.pipeline()
    checking = replace(pipeline, senders=replace(pipeline.senders, lookup=lookup))
    assert checking.handle_next(services.now())
    with reading(services.engine) as session:
        return session.exec(select(Inbox).order_by(col(Inbox.id).desc())).all()[0]


def send(table: TwoPlayerGame, sender: bytes, told: str, *, to: str, text: str, lookup: Lookup | None) -> Inbox:
    """Receive an email from Mallory, directly or by the own mail server; return its final state."""
    ann = f"{table.players[0].name.lower()}@example.org".encode()
    head = f"Authentication-Results: {TRUSTED}; {told}\r\n".encode() if told else b""
    rest = f"To: {to}\r\nMessage-ID: <{len(sender)}@x>\r\n\r\n{text}\r\n"
    content = head + sender % ann + b"\r\n" + rest.encode()
    return deliver(table, content, to, lookup, "127.0.0.1" if told else MALLORYS)


WAYS = [
    ("", NAMES),
    ("dmarc=pass header.from=evil.example", NAMES),
    ("dmarc=pass header.from=evil.example", None),
]


@pytest.mark.parametrize(
    ("told", "lookup"), WAYS, ids=["checked here", "checked twice", "checked by our server"]
)
def test_forged_email_changes_nothing_of_the_account(
    table: TwoPlayerGame, told: str, lookup: Lookup | None
) -> None:
    before = table.letters()
    for what, sender in SENDERS.items():
        row = send(table, sender, told, to="play@games.example.org", text="stop", lookup=lookup)
        assert (row.state, row.why.partition(":")[0]) == ("quarantined", "it has no certain sender"), what
        with reading(table.services.engine) as session:
            assert not any(player.mail_stopped for player in session.exec(select(Player))), what
    assert table.letters() == before


@pytest.mark.parametrize(
    ("told", "lookup"), WAYS, ids=["checked here", "checked twice", "checked by our server"]
)
def test_forged_email_changes_no_game_and_its_owner_is_asked(
    table: TwoPlayerGame, told: str, lookup: Lookup | None
) -> None:
    for what, sender in SENDERS.items():
        row = send(
            table,
            sender,
            told,
            to=reply_address(table.services, table.number, 0, 1),
            text="resign",
            lookup=lookup,
        )
        assert (row.state, row.why) == ("asked", "waits for its sender's confirmation"), what
        assert table.game().state == "running", what
    assert "asked" in table.letters()


SIGNED = "from:to:subject:message-id:date"


def hers(
    table: TwoPlayerGame, fields: str = SIGNED, *, to: str = PLAY, subject: str = "hello", text: str = ""
) -> bytes:
    """Return an email of Ann's in which her domain has signed these fields."""
    head = (
        f"From: {table.players[0].email}\r\nTo: {to}\r\nSubject: {subject}\r\n"
        f"Message-ID: <1@example.org>\r\nDate: {format_datetime(table.services.now())}\r\n"
    )
    mail = f"{head}\r\n{text}\r\n".encode()
    names = [name.encode() for name in fields.split(":")]
    return bytes(dkimpy.sign(mail, b"s1", b"example.org", keys.rsa_key(), include_headers=names)) + mail


def has_stopped(table: TwoPlayerGame) -> bool:
    with reading(table.services.engine) as session:
        return any(player.mail_stopped for player in session.exec(select(Player)))


@pytest.fixture
def signing(clock: Clock) -> Zone:
    """Return a DNS with the key of example.org, which allows no other sender."""
    clock.time = datetime.now(UTC)  # the time in the signatures
    return zone(
        f"s1._domainkey.example.org TXT {keys.signer('example.org').record}",
        "example.org TXT v=spf1 -all", "_dmarc.example.org TXT v=DMARC1; p=reject",
    )  # fmt: skip


def test_own_signed_email_is_carried_out(table: TwoPlayerGame, signing: Zone) -> None:
    row = deliver(table, hers(table, subject="stop"), PLAY, signing)
    assert (row.state, row.why, has_stopped(table)) == ("done", "stop", True)


@pytest.mark.parametrize(
    "on_top", [b"Subject: stop", b"Content-Type: text/html", b"Content-Transfer-Encoding: base64"]
)
def test_signed_email_with_an_added_field_does_nothing(
    table: TwoPlayerGame, signing: Zone, on_top: bytes
) -> None:
    """Anyone with the email can send it again, and change the parts that the signature does not cover."""
    original = hers(table, text="" if b"Subject" in on_top else "stop")
    row = deliver(table, on_top + b"\r\n" + original, PLAY, signing)
    assert row.state in ("quarantined", "asked", "refused")
    assert not has_stopped(table)


def test_unsigned_subject_is_asked_about(table: TwoPlayerGame, signing: Zone) -> None:
    changed = hers(table, "from:to:message-id:date").replace(b"Subject: hello", b"Subject: stop")
    row = deliver(table, changed, PLAY, signing)
    assert (row.state, has_stopped(table)) == ("asked", False)


def test_email_written_to_another_address_is_asked_about(table: TwoPlayerGame, signing: Zone) -> None:
    row = deliver(table, hers(table, to="ben@example.org", text="stop"), PLAY, signing)
    assert (row.state, has_stopped(table)) == ("asked", False)


def test_email_for_one_game_does_nothing_in_another(table: TwoPlayerGame, signing: Zone) -> None:
    """Replies and forwards repeat the Message-ID, so others may know it."""
    about = ReplyToken(table.number, 0, 1)
    token, end = table.services.tokens.write(about), table.services.tokens.write_id(about)
    original = hers(table, text="resign")
    row = deliver(table, f"References: <x.{end}@games.example.org>\r\n".encode() + original, PLAY, signing)
    assert row.state == "asked"
    to = f"play+{token}@games.example.org"
    row = deliver(table, b"X: y\r\n" + hers(table, to="play+x@games.example.org", text="resign"), to, signing)
    assert row.state == "asked"
    assert table.game().state == "running"


@pytest.mark.parametrize("text", ["yes", "Yes, {name}"])
@pytest.mark.both
def test_yes_to_one_email_confirms_no_other(table: TwoPlayerGame, signing: Zone, text: str) -> None:
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        offer_draw(action, table.players[1], Target(table.number, 1, 1))
        key = session.exec(select(Outbox.key).where(Outbox.letter == "proposed")).one()
    to = reply_address(table.services, table.number, 0, 1)
    original = hers(table, to=to, text=text.format(name=table.players[1].name))
    row = deliver(table, f"In-Reply-To: <{key}@games.example.org>\r\n".encode() + original, to, signing)
    assert (row.state, table.game().state) == ("asked", "running")


def test_email_for_one_game_counts_only_there_when_sent_to_the_plain_address(
    table: TwoPlayerGame, signing: Zone
) -> None:
    """Her email contains the address to which she wrote, wherever it is sent later."""
    other = begin(table.services, "nebuchadnezzar", *table.players, size=5)
    to, end = (
        reply_address(table.services, table.number, 0, 1),
        table.services.tokens.write_id(ReplyToken(other, 0, 1)),
    )
    original = hers(table, to=to, text="resign")
    row = deliver(table, f"References: <x.{end}@games.example.org>\r\n".encode() + original, PLAY, signing)
    assert (row.state, row.recipient, row.game_id) == ("done", to, table.number)
    with reading(table.services.engine) as session:
        assert [session.get_one(Game, game).state for game in (table.number, other)] == ["over", "running"]


def test_email_is_carried_out_once_by_whichever_way_it_arrives(table: TwoPlayerGame, signing: Zone) -> None:
    to = reply_address(table.services, table.number, 0, 1)
    original = hers(table, to=to, text="stop")
    assert deliver(table, original, to, signing).why == "stop"
    with writing(table.services.engine) as session:
        for player in session.exec(select(Player)):
            player.mail_stopped = False
    for address in (PLAY, to):
        row = deliver(table, original, address, signing, mail_from=f"{len(address)}@evil.example")
        assert (row.why, has_stopped(table)) == ("a copy of an email that was already handled", False)


@pytest.mark.parametrize("fields", ["from:to:subject", "from:to:subject:date", "from:to:subject:message-id"])
def test_possible_repetition_is_asked_about(table: TwoPlayerGame, signing: Zone, fields: str) -> None:
    """With another, unsigned Message-ID, her email would count as a new one each time."""
    row = deliver(table, hers(table, fields, text="stop"), PLAY, signing)
    assert (row.state, has_stopped(table)) == ("asked", False)


def test_email_of_last_year_is_asked_about(table: TwoPlayerGame, signing: Zone, clock: Clock) -> None:
    clock.advance(days=-370)
    original = hers(table, text="stop")
    clock.advance(days=370)
    row = deliver(table, original, PLAY, signing)
    assert (row.state, has_stopped(table)) == ("asked", False)


def test_spf_fail_without_a_policy_is_a_forgery(table: TwoPlayerGame) -> None:
    row = send(table, b"From: %s", "", to=PLAY, text="stop", lookup=zone("example.org TXT v=spf1 -all"))
    assert (row.state, row.why) == ("quarantined", "the sender is forged")
    assert not has_stopped(table)
