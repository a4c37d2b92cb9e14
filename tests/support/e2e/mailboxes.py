"""The world outside: people with mailboxes, and the mail server that holds them. Real sockets on loopback."""

from __future__ import annotations

import email
import smtplib
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import make_msgid

from mail.incoming.receiving import Listener, Received

PATIENCE = 120.0
"""Seconds that a person waits for a mail before the test fails."""


class World:
    """Takes every mail that Nabu sends; the same mail twice is one mail, as in mailboxes."""

    def __init__(self) -> None:
        self.unknown: set[str] = set()
        """Addresses that there are not."""
        self._arrived = threading.Condition()
        self._mails: dict[str, dict[str, EmailMessage]] = {}

    def store(self, batch: Sequence[Received]) -> None:
        """Keep mails, and wake up who waits for one."""
        with self._arrived:
            for received in batch:
                message = email.message_from_bytes(received.content, policy=default)
                assert isinstance(message, EmailMessage)
                self._mails.setdefault(str(message["To"]), {}).setdefault(str(message["Message-ID"]), message)
            self._arrived.notify_all()

    def mails_to(self, address: str) -> list[EmailMessage]:
        """All mails to an address, in the order in which they came."""
        with self._arrived:
            return list(self._mails.get(address, {}).values())

    def later_mails(self, address: str, read: int, seconds: float) -> list[EmailMessage]:
        """The mails to an address after the first `read`, as soon as there are any; none after so long."""
        with self._arrived:
            self._arrived.wait_for(lambda: len(self._mails.get(address, {})) > read, seconds)
            return list(self._mails.get(address, {}).values())[read:]

    def wait_until(self, condition: Callable[[], object], addresses: Collection[str]) -> None:
        """Return when the condition holds; it is looked at again whenever mail to one of them has come."""
        end = time.monotonic() + PATIENCE
        seen = -1
        while True:
            with self._arrived:
                while (found := sum(len(self._mails.get(address, {})) for address in addresses)) == seen:
                    assert self._arrived.wait(end - time.monotonic()), "waited for too long"
            seen = found
            if condition():
                return

    def wait(self, address: str, count: int) -> list[EmailMessage]:
        """The mails to an address as soon as there are `count` of them."""
        end = time.monotonic() + PATIENCE
        with self._arrived:
            while True:
                mails = list(self._mails.get(address, {}).values())
                if len(mails) >= count:
                    return mails
                if not self._arrived.wait(end - time.monotonic()):
                    seen = "\n".join(text_of(mail) for mail in mails[-2:])
                    raise AssertionError(f"{address} has {len(mails)} mails, not {count}; the last:\n{seen}")


@contextmanager
def open_world(
    port: int = 0, address: str = "127.0.0.1", world: World | None = None
) -> Iterator[tuple[World, str]]:
    """A world and the URL of its mail server, on a port of its choice or on this one."""
    world = world or World()
    listener = Listener(
        address,
        port,
        protocol="smtp",
        hostname="world.test",
        accepts=lambda recipient: "550 5.1.1 No such user" if recipient in world.unknown else None,
        own=lambda peer: True,
        store=world.store,
    )
    listener.start()
    host, port = listener.address
    try:
        yield world, f"smtp://{host}:{port}"
    finally:
        listener.stop()


class Person:
    """Somebody with a mail program, who reads their mails in order."""

    def __init__(self, world: World, address: str, server: tuple[str, int], domain: str) -> None:
        self.world = world
        self.address = address
        self.server = server
        self.domain = domain
        self.read = 0

    def next(self) -> EmailMessage:
        """The next mail that they have not read."""
        mail = self.world.wait(self.address, self.read + 1)[self.read]
        self.read += 1
        return mail

    def write(self, text: str, subject: str = "") -> None:
        """Write to the plain address."""
        self.send(self.new_mail(f"play@{self.domain}", text, subject))

    def answer(self, mail: EmailMessage, text: str) -> EmailMessage:
        """Answer a mail, with its text quoted below as mail programs do; the answer that was sent."""
        answer = self.answer_to(mail, text)
        self.send(answer)
        return answer

    def answer_to(self, mail: EmailMessage, text: str) -> EmailMessage:
        """An answer, not sent yet."""
        quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
        body = f"{text}\n\nOn {mail['Date']}, Nabu <play@{self.domain}> wrote:\n\n{quoted}\n"
        answer = self.new_mail(str(mail["Reply-To"]), body, f"Re: {mail['Subject']}")
        answer["In-Reply-To"] = str(mail["Message-ID"])
        answer["References"] = str(mail["Message-ID"])
        return answer

    def new_mail(self, recipient: str, text: str, subject: str) -> EmailMessage:
        """A mail from this person."""
        message = EmailMessage(policy=SMTP)
        message["From"] = self.address
        message["To"] = recipient
        message["Subject"] = subject
        message["Message-ID"] = make_msgid(domain="world.test")
        message.set_content(text)
        return message

    def send(self, message: EmailMessage) -> None:
        """Hand a mail to Nabu's listener."""
        with smtplib.SMTP(*self.server, timeout=PATIENCE) as client:
            client.send_message(message)


def text_of(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    part = mail.get_body(preferencelist=("plain",))
    assert part is not None
    return str(part.get_content())


def words_of(mail: EmailMessage) -> str:
    """Return the plain text of an email in one line."""
    return " ".join(text_of(mail).split())


def html_of(mail: EmailMessage) -> str:
    """The HTML of a mail."""
    part = mail.get_body(preferencelist=("html",))
    assert part is not None
    return str(part.get_content())
