"""Emails in and out without sockets: read the emails that Nabu wrote, and send emails as a player."""

from __future__ import annotations

import email
from dataclasses import dataclass
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from functools import cached_property, lru_cache
from itertools import count

from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.game.play import target
from server.inbound.authorization.quotas import MACHINE
from server.jobs.table import WATCHERS
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Outbox, Player
from server.store.tokens import ReplyToken

PLAY = "play@games.example.org"
"""The address for emails that are not about a particular game."""
_number = count(1)
_POLICY = default.clone(header_factory=lru_cache(10_000)(HeaderRegistry()))
"""Parsing asks for the type of each part some twenty times, and would parse that field each time."""


@dataclass(frozen=True)
class Written:
    """A letter, as an email."""

    letter: str
    to: str
    raw: bytes

    @cached_property
    def mail(self) -> EmailMessage:
        """Return it parsed; most letters of a test are only counted."""
        return parsed(self.raw)

    @cached_property
    def text(self) -> str:
        """Return the plain text."""
        return self._body("plain")

    @cached_property
    def words(self) -> str:
        """Return the plain text in one line."""
        return " ".join(self.text.split())

    @cached_property
    def html(self) -> str:
        """Return the HTML part."""
        return self._body("html")

    def _body(self, subtype: str) -> str:
        part = self.mail.get_body(preferencelist=(subtype,))
        assert part is not None
        return str(part.get_content())


def letters(services: Services, skip: int = 0) -> list[Written]:
    """Return all letters in the outbox except the first `skip`, as they would be sent now."""
    writer = services.delivery().writer
    with reading(services.engine) as session:
        rows = session.exec(select(Outbox).order_by(col(Outbox.id)).offset(skip))
        # Some letters are only pretended, such as links to unknown addresses and refusals to machines.
        real = [row for row in rows if row.state != "sent" or not row.letter.endswith("_link")]
        real = [row for row in real if row.error != MACHINE]
        return [Written(row.letter, row.recipient, writer.write(session, row)) for row in real]


def receive(
    services: Services, sender: str, recipient: str, text: str, fields: str = "", subject: str = "Re"
) -> list[Written]:
    """Receive and handle an email, with these additional fields; return the letters that it causes."""
    head = f"From: {sender}\r\nTo: {recipient}\r\nSubject: {subject}\r\n"
    fields = f"{fields}{head}Message-ID: <{next(_number)}@world.test>\r\n"
    return receive_raw(services, sender, recipient, f"{fields}\r\n{text}\r\n".encode())


def receive_raw(services: Services, sender: str, recipient: str, raw: bytes) -> list[Written]:
    """Let a mail come in as it is and be handled; return the letters that this causes."""
    with reading(services.engine) as session:
        before = len(session.exec(select(Outbox.id)).all())
    received = Received("smtp", "127.0.0.1", sender, (recipient,), raw)
    services.reception().store([received])
    while services.pipeline().handle_next(services.now()):
        pass
    return letters(services, before)


def reply_address(services: Services, number: int, seat: int, turn: int | None = None) -> str:
    """Return the address for replies of a seat's player about a turn, by default the current one."""
    return f"play+{services.tokens.write(reply_token(services, number, seat, turn))}@games.example.org"


def reply_token(services: Services, number: int, seat: int, turn: int | None = None) -> ReplyToken:
    """Return the token in that address."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        turn = game.turn if turn is None else turn
        return ReplyToken(number, seat, turn, target.mark_before(session, game, turn))


def parsed(raw: bytes) -> EmailMessage:
    """Return an email as it was sent."""
    message = email.message_from_bytes(raw, policy=_POLICY)
    assert isinstance(message, EmailMessage)
    return message


def to_player(player: Player, caused: list[Written]) -> Written:
    """Return the last of these letters to a player."""
    return [each for each in caused if each.to == player.email][-1]


def sender(written: Written) -> str:
    """Return the name in the From field."""
    return parseaddr(str(written.mail["From"]))[0]


def everything_in(mail: Written) -> str:
    """Return everything in an email that its receiver can see, except their own address."""
    fields = "\n".join(f"{name}: {value}" for name, value in mail.mail.items() if name != "To")
    files = [part.get_payload(decode=True) for part in mail.mail.iter_attachments()]
    return f"{fields}\n{mail.text}\n{mail.html}\n{files}"


def mailed(services: Services, recipient: str) -> list[str]:
    """Return the names of the letters to an address."""
    with reading(services.engine) as session:
        query = select(Outbox.letter).where(Outbox.recipient == recipient, Outbox.state == "queued")
        return list(session.exec(query.order_by(col(Outbox.id))))


def emails_to_watchers(services: Services) -> list[Written]:
    """Return all emails to watchers so far."""
    while WATCHERS.run_next(services.engine, services.sealer, services.now()):
        pass
    return [each for each in letters(services) if each.letter == "watched"]


def write(services: Services, sender: Player | str, *lines: str, to: str = PLAY) -> list[Written]:
    """Send an email as a player, by default to the plain address; return the emails that it causes.

    `sender` may be a name, as Ann's address is ann@example.org.
    """
    email = sender if isinstance(sender, str) else sender.email
    email = email if "@" in email else f"{email.lower()}@example.org"
    return receive(services, email, to, "\r\n".join(lines))
