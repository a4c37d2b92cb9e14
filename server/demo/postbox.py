"""The world's mail servers, as far as the demo is concerned: every mail is taken and kept in a folder."""

import email
import smtplib
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import make_msgid
from mailbox import Maildir
from pathlib import Path

from mail.incoming.receiving import Listener, Received

POSTBOX = "postbox.test"
"""What the demo's mail server is called."""


@dataclass(frozen=True)
class Mail:
    """A mail that somebody was sent."""

    key: str
    to: str
    subject: str
    date: str
    reply_to: str
    message_id: str
    text: str
    html: str


class Postbox:
    """Keeps mails in a maildir, in the order in which they came."""

    def __init__(self, folder: Path) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._maildir = Maildir(folder)

    def listener(self, host: str, port: int) -> Listener:
        """An SMTP server that takes mail for everybody."""
        return Listener(
            host,
            port,
            protocol="smtp",
            hostname=POSTBOX,
            accepts=lambda recipient: None,
            own=lambda peer: True,
            store=self._store,
        )

    def mails(self) -> list[Mail]:
        """All mails, the newest first; a mail that came twice is listed once."""
        found = {mail.message_id: mail for mail in map(self.mail, sorted(self._maildir.keys(), key=_arrival))}
        return list(found.values())[::-1]

    def mail(self, key: str) -> Mail:
        """One mail; raises KeyError."""
        message = email.message_from_bytes(self._maildir.get_bytes(key), policy=default)
        assert isinstance(message, EmailMessage)  # noqa: S101 - what this policy makes
        return Mail(
            key=key,
            to=str(message["To"]),
            subject=str(message["Subject"]),
            date=str(message["Date"]),
            reply_to=str(message["Reply-To"]),
            message_id=str(message["Message-ID"]),
            text=_body(message, "plain"),
            html=_body(message, "html"),
        )

    def _store(self, batch: Sequence[Received]) -> None:
        for received in batch:
            self._maildir.add(received.content)


def send_answer(mail: Mail, written: str, host: str, port: int) -> None:
    """Answer a mail as its receiver's mail program would: the text on top, the mail quoted below."""
    answer = _from(mail.to)
    answer["To"] = mail.reply_to
    answer["Subject"] = mail.subject if mail.subject.startswith("Re:") else f"Re: {mail.subject}"
    answer["Message-ID"] = make_msgid(domain=POSTBOX)
    answer["In-Reply-To"] = mail.message_id
    answer["References"] = mail.message_id
    quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
    answer.set_content(f"{written}\n\nOn {mail.date}, Nabu wrote:\n{quoted}\n")
    _send(answer, host, port)


def send_new(sender: str, recipient: str, written: str, host: str, port: int) -> None:
    """Write a mail that answers none."""
    message = _from(sender)
    message["To"] = recipient
    message["Subject"] = " ".join(written.strip().splitlines()[:1])[:60]
    message["Message-ID"] = make_msgid(domain=POSTBOX)
    message.set_content(written)
    _send(message, host, port)


def _from(sender: str) -> EmailMessage:
    """A mail of somebody for whom the postbox vouches: on its page nobody else writes."""
    message = EmailMessage(policy=SMTP)
    domain = sender.rpartition("@")[2]
    message["Authentication-Results"] = f"{POSTBOX}; dmarc=pass header.from={domain}"
    message["From"] = sender
    return message


def _send(message: EmailMessage, host: str, port: int) -> None:
    with smtplib.SMTP(host, port, timeout=30) as client:
        client.send_message(message)


def _arrival(key: str) -> tuple[float, str]:
    seconds, _, rest = key.partition(".")
    micro = rest.partition("M")[2].partition("P")[0]
    return (float(f"{seconds}.{micro.zfill(6)}" if micro.isdigit() else seconds), key)


def _body(message: EmailMessage, subtype: str) -> str:
    part = message.get_body(preferencelist=(subtype,))
    return "" if part is None else str(part.get_content())
