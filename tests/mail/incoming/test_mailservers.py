"""Round trips through a real Postfix: to the listener, into a mailbox and out of it, and through the relay."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from mail.authentication.checks.dkim import signers
from mail.authentication.checks.wire import parse
from mail.incoming.imap import Mailbox
from mail.incoming.receiving import Listener, Received
from mail.outgoing.composing import Mail, compose
from mail.outgoing.delivering import Relay
from mail.reading.message import read
from tests.support.machine.mail_servers import PASSWORD, Dovecot, Postfix
from tests.support.machine.waiting import PATIENCE, await_that
from tests.support.mail import keys
from tests.support.mail.dns_zone import zone

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
LETTER = Mail(
    sender="Nabu <play@games.example>",
    recipient="Jörg <joerg@example.org>",
    reply_to="play+k7@games.example",
    subject="Nibble: Ann gegen Jörg",
    text=". a  b\n\nFrom here\n" + "x" * 200,
    html="<p>a</p>",
    message_id="<1.2@games.example>",
    date=NOW,
)


class Store:
    """A store that keeps its emails; while it is `full`, it raises."""

    def __init__(self) -> None:
        self.mails: list[Received] = []
        self.full = False
        self.refused = 0

    def __call__(self, mails: Sequence[Received]) -> None:
        if self.full:
            self.refused += 1
            raise OSError("disk full")
        self.mails.extend(mails)


def known(recipient: str) -> str | None:
    return None if recipient.startswith("play+") else "550 5.1.1 There is no such game"


@contextmanager
def listening(postfix: Postfix, store: Store) -> Iterator[None]:
    """Run a listener where this Postfix delivers to."""
    listener = Listener(
        "127.0.0.1",
        postfix.ports.listener,
        protocol="lmtp",
        hostname="games.example",
        accepts=known,
        store=store,
    )
    listener.start()
    try:
        yield
    finally:
        listener.stop()


class Sink:
    """The mail server to which this Postfix relays everything."""

    def __init__(self) -> None:
        self.mails: list[Envelope] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.mails.append(envelope)
        return "250 OK"


@pytest.fixture
def world(postfix: Postfix) -> Iterator[Sink]:
    sink = Sink()
    controller = Controller(sink, "127.0.0.1", postfix.ports.sink, ready_timeout=PATIENCE)
    controller.start()
    try:
        yield sink
    finally:
        controller.stop()


def send(
    postfix: Postfix, recipients: list[str], body: str = "c4\r\n..\r\n", sender: str = "ann@example.org"
) -> None:
    content = f"From: Ann <ann@example.org>\r\nTo: {recipients[0]}\r\nSubject: move\r\n\r\n{body}"
    with smtplib.SMTP("127.0.0.1", postfix.ports.smtp, local_hostname="mail.example.org") as client:
        client.sendmail(sender, recipients, content.encode())


def test_email_arrives_over_lmtp(postfix: Postfix) -> None:
    store = Store()
    with listening(postfix, store):
        send(postfix, ["play+K7@games.example", "play+b2@games.example"])
        await_that(lambda: store.mails)
    [mail] = store.mails
    assert (mail.source, mail.mail_from) == ("lmtp", "ann@example.org")
    assert mail.recipients == ("play+K7@games.example", "play+b2@games.example")
    assert mail.content.endswith(b"\r\n\r\nc4\r\n..\r\n")
    reading = read(mail.content, mail_from=mail.mail_from)
    assert (reading.kind, reading.sender, reading.text) == ("reply", "ann@example.org", "c4\n..")


def test_email_that_cannot_be_stored_is_deferred_and_delivered_later(postfix: Postfix) -> None:
    store = Store()
    store.full = True
    with listening(postfix, store):
        send(postfix, ["play+k7@games.example"])
        await_that(postfix.deferred)
        [reason] = postfix.deferred()
        assert reason.startswith("host 127.0.0.1[127.0.0.1] said: 451")
        assert (store.mails, store.refused) == ([], 1)
        store.full = False
        postfix.flush()
        await_that(lambda: store.mails and not postfix.queued())
    assert [mail.recipients for mail in store.mails] == [("play+k7@games.example",)]


def test_email_waits_while_nothing_listens(postfix: Postfix) -> None:
    send(postfix, ["play+k7@games.example"])
    await_that(postfix.deferred)
    [reason] = postfix.deferred()
    assert reason.endswith("Connection refused")
    store = Store()
    with listening(postfix, store):
        postfix.flush()
        await_that(lambda: store.mails and not postfix.queued())


def test_email_to_an_unknown_game_is_returned_immediately(postfix: Postfix, world: Sink) -> None:
    store = Store()
    with listening(postfix, store):
        send(postfix, ["old@games.example", "play+k7@games.example"])
        await_that(lambda: world.mails and store.mails)
    [back] = world.mails
    assert (back.mail_from, back.rcpt_tos) == ("<>", ["ann@example.org"])
    assert b"550 5.1.1 There is no such game" in (back.original_content or b"")
    assert [mail.recipients for mail in store.mails] == [("play+k7@games.example",)]
    bounce = read(back.original_content or b"", mail_from="")
    assert (bounce.kind, [(each.address, each.status, each.hard) for each in bounce.bounces]) == (
        "bounce", [("old@games.example", "5.1.1", True)],
    )  # fmt: skip


def test_bounce_arrives_from_the_null_path(postfix: Postfix) -> None:
    store = Store()
    with listening(postfix, store):
        send(postfix, ["nobody@games.example"], sender="play+bounce@games.example")
        await_that(lambda: store.mails)
    assert (store.mails[0].mail_from, store.mails[0].recipients) == ("", ("play+bounce@games.example",))


def test_email_is_fetched_from_a_mailbox(postfix: Postfix, dovecot: Dovecot) -> None:
    dovecot.restart()
    user, store = f"user{uuid4().hex[:8]}", Store()
    mailbox = Mailbox(
        f"imap://{user}:{PASSWORD}@127.0.0.1:{dovecot.ports.imap}",
        ours=lambda address: address.endswith("@box.example"), store=store, pause=600,
    )  # fmt: skip
    mailbox.start()
    send(postfix, [f"{user}+K7@box.example"])
    await_that(lambda: store.mails)
    mailbox.stop()
    [mail] = store.mails
    assert (mail.mail_from, mail.recipients) == ("ann@example.org", (f"{user}+k7@box.example",))
    assert mail.content.endswith(b"\r\n\r\nc4\r\n..\r\n")


def test_outgoing_email_keeps_its_signature(postfix: Postfix, world: Sink) -> None:
    signer = keys.signer("games.example")
    mail = signer.sign(compose(LETTER), NOW)
    relay = Relay(f"smtp://127.0.0.1:{postfix.ports.smtp}", hostname="games.example")
    relay.send("play+bounces-k7@games.example", "joerg@example.org", mail)
    relay.close()
    await_that(lambda: world.mails)
    [sent] = world.mails
    assert (sent.mail_from, sent.rcpt_tos) == ("play+bounces-k7@games.example", ["joerg@example.org"])
    assert (sent.original_content or b"").endswith(mail)
    names = zone(f"{signer.name} TXT {signer.record}")
    assert signers(parse(sent.original_content or b""), names, NOW) == (("games.example",), ())
