"""People with mailboxes, and the mail server that holds them, with real sockets on loopback."""

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
"""Seconds that a person waits for an email before the test fails."""


class World:
    """A server that receives every email of Nabu; a duplicate counts once, as in real mailboxes."""

    def __init__(self) -> None:
        self.unknown: set[str] = set()
        """Addresses that do not exist."""
        self._arrived = threading.Condition()
        self._mails: dict[str, dict[str, EmailMessage]] = {}

    def store(self, batch: Sequence[Received]) -> None:
        """Store emails and wake up the people who wait for them."""
        with self._arrived:
            for received in batch:
                message = email.message_from_bytes(received.content, policy=default)
                assert isinstance(message, EmailMessage)
                self._mails.setdefault(str(message["To"]), {}).setdefault(str(message["Message-ID"]), message)
            self._arrived.notify_all()

    def mails_to(self, address: str) -> list[EmailMessage]:
        """Return all emails to an address, in the order of arrival."""
        with self._arrived:
            return list(self._mails.get(address, {}).values())

    def later_mails(self, address: str, read: int, seconds: float) -> list[EmailMessage]:
        """Wait for emails to an address after the first `read` and return them; [] after the time."""
        with self._arrived:
            self._arrived.wait_for(lambda: len(self._mails.get(address, {})) > read, seconds)
            return list(self._mails.get(address, {}).values())[read:]

    def wait_until(self, condition: Callable[[], object], addresses: Collection[str]) -> None:
        """Wait until the condition holds; it is checked again after each email to one of them."""
        end = time.monotonic() + PATIENCE
        seen = -1
        while True:
            with self._arrived:
                while (found := sum(len(self._mails.get(address, {})) for address in addresses)) == seen:
                    assert self._arrived.wait(end - time.monotonic()), "waited too long"
            seen = found
            if condition():
                return

    def wait(self, address: str, count: int) -> list[EmailMessage]:
        """Wait until an address has `count` emails and return them."""
        end = time.monotonic() + PATIENCE
        with self._arrived:
            while True:
                mails = list(self._mails.get(address, {}).values())
                if len(mails) >= count:
                    return mails
                if not self._arrived.wait(end - time.monotonic()):
                    last = "\n".join(text_of(mail) for mail in mails[-2:])
                    others = "\n".join(
                        f"{to}: {mail['Subject']}: {words_of(mail)[:300]}"
                        for to, found in self._mails.items()
                        for mail in found.values()
                    )
                    raise AssertionError(
                        f"{address} has {len(mails)} mails, not {count}; the last:\n{last}\nAll:\n{others}"
                    )


@contextmanager
def open_world(
    port: int = 0, address: str = "127.0.0.1", world: World | None = None
) -> Iterator[tuple[World, str]]:
    """Open a world; yield it with the URL of its mail server, on a free port or on this one."""
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
    """A person with a mail program, who reads their emails in order."""

    def __init__(self, world: World, address: str, server: tuple[str, int], domain: str) -> None:
        self.world = world
        self.address = address
        self.server = server
        self.domain = domain
        self.read = 0

    def next(self) -> EmailMessage:
        """Return the next email that they have not read."""
        mail = self.world.wait(self.address, self.read + 1)[self.read]
        self.read += 1
        return mail

    def write(self, text: str, subject: str = "") -> None:
        """Write to the plain address."""
        self.send(self.new_mail(f"play@{self.domain}", text, subject))

    def answer(self, mail: EmailMessage, text: str) -> EmailMessage:
        """Reply to an email, with its text quoted below like mail programs do; return the reply."""
        answer = self.answer_to(mail, text)
        self.send(answer)
        return answer

    def answer_to(self, mail: EmailMessage, text: str) -> EmailMessage:
        """Return a reply that is not sent yet."""
        quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
        body = f"{text}\n\nOn {mail['Date']}, Nabu <play@{self.domain}> wrote:\n\n{quoted}\n"
        answer = self.new_mail(str(mail["Reply-To"]), body, f"Re: {mail['Subject']}")
        answer["In-Reply-To"] = str(mail["Message-ID"])
        answer["References"] = str(mail["Message-ID"])
        return answer

    def new_mail(self, recipient: str, text: str, subject: str) -> EmailMessage:
        """Return a new email from this person."""
        message = EmailMessage(policy=SMTP)
        message["From"] = self.address
        message["To"] = recipient
        message["Subject"] = subject
        message["Message-ID"] = make_msgid(domain="world.test")
        message.set_content(text)
        return message

    def send(self, message: EmailMessage) -> None:
        """Deliver an email to Nabu's listener."""
        with smtplib.SMTP(*self.server, timeout=PATIENCE) as client:
            client.send_message(message)


def text_of(mail: EmailMessage) -> str:
    """Return the plain text of an email."""
    part = mail.get_body(preferencelist=("plain",))
    assert part is not None
    return str(part.get_content())


def words_of(mail: EmailMessage) -> str:
    """Return the plain text of an email in one line."""
    return " ".join(text_of(mail).split())


def html_of(mail: EmailMessage) -> str:
    """Return the HTML of an email."""
    part = mail.get_body(preferencelist=("html",))
    assert part is not None
    return str(part.get_content())
