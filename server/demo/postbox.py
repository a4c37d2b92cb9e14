"""The demo's mail server: it accepts every email and stores it in a folder."""

import email
import re
import smtplib
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import make_msgid, parseaddr
from mailbox import Maildir
from pathlib import Path
from threading import Lock

from lxml.html import document_fromstring  # type: ignore[import-untyped]

from mail.incoming.receiving import Listener, Received

POSTBOX = "postbox.test"
"""The name of the demo's mail server."""
_PREVIEW = 120
"""The most characters of a preview."""
_BLANK = re.compile(r"[\s\u034f\u200b-\u200d\ufeff]+")
"""Spaces, and the invisible characters that keep the following text out of a preview."""
_SEEN = ":2,S"
"""The suffix of an opened email in a maildir."""


@dataclass(frozen=True)
class Heading:
    """An email in the list."""

    key: str
    to: str
    subject: str
    date: str
    sender: str
    """The sender's name."""
    preview: str
    """The beginning of the text, as mail programs show it beside the subject."""
    message_id: str


@dataclass(frozen=True)
class Mail:
    """An email, opened."""

    heading: Heading
    reply_to: str
    text: str
    html: str


class Postbox:
    """Keeps emails in a maildir, in the order of arrival. The headings of the list are cached."""

    def __init__(self, folder: Path) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._maildir = Maildir(folder)
        self._folder = folder
        self._headings: dict[str, Heading] = {}
        # Several threads show pages, and another one stores emails.
        self._lock = Lock()

    def listener(self, host: str, port: int) -> Listener:
        """Return an SMTP server that accepts mail for all recipients."""
        return Listener(
            host,
            port,
            protocol="smtp",
            hostname=POSTBOX,
            accepts=lambda recipient: None,
            own=lambda peer: True,
            store=self.store,
        )

    def headings(self) -> list[Heading]:
        """Return all emails, the newest first, without duplicates."""
        with self._lock:
            keys = sorted(self._maildir.keys(), key=_arrival)
            for key in keys:
                if key not in self._headings:
                    self._headings[key] = _heading(key, self._maildir.get_bytes(key))
            found = {heading.message_id: heading for heading in map(self._headings.__getitem__, keys)}
        return list(found.values())[::-1]

    def unread(self) -> set[str]:
        """Return the keys of the unread emails."""
        return {path.name for path in (self._folder / "new").iterdir()}

    def opened(self, key: str) -> Mail:
        """Return an email and mark it as read. Raises KeyError."""
        with self._lock:
            content = self._maildir.get_bytes(key)
            file = self._folder / "new" / key
            if file.exists():
                file.rename(self._folder / "cur" / f"{key}{_SEEN}")
        message = _message(content)
        return Mail(
            heading=_heading(key, content),
            reply_to=str(message["Reply-To"]),
            text=_body(message, "plain"),
            html=_body(message, "html"),
        )

    def store(self, batch: Sequence[Received]) -> None:
        """Store incoming emails."""
        with self._lock:
            for received in batch:
                key = self._maildir.add(received.content)
                self._headings[key] = _heading(key, received.content)


def send_answer(mail: Mail, written: str, host: str, port: int) -> None:
    """Reply to an email as a mail program would: the text on top, the email quoted below."""
    heading = mail.heading
    answer = _from(heading.to)
    answer["To"] = mail.reply_to
    answer["Subject"] = heading.subject if heading.subject.startswith("Re:") else f"Re: {heading.subject}"
    answer["Message-ID"] = make_msgid(domain=POSTBOX)
    answer["In-Reply-To"] = heading.message_id
    answer["References"] = heading.message_id
    quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
    answer.set_content(f"{written}\n\nOn {heading.date}, {heading.sender} wrote:\n{quoted}\n")
    _send(answer, host, port)


def send_new(sender: str, recipient: str, subject: str, written: str, host: str, port: int) -> None:
    """Send a new email; without a subject, its first line is the subject."""
    message = _from(sender)
    message["To"] = recipient
    message["Subject"] = " ".join((subject or written).strip().splitlines()[:1])[:200]
    message["Message-ID"] = make_msgid(domain=POSTBOX)
    message.set_content(written)
    _send(message, host, port)


def _from(sender: str) -> EmailMessage:
    """Return an empty email from `sender`, authenticated by the demo's mail server."""
    message = EmailMessage(policy=SMTP)
    domain = sender.rpartition("@")[2]
    message["Authentication-Results"] = f"{POSTBOX}; dmarc=pass header.from={domain}"
    message["From"] = sender
    return message


def _send(message: EmailMessage, host: str, port: int) -> None:
    with smtplib.SMTP(host, port, timeout=30) as client:
        client.send_message(message)


def _message(content: bytes) -> EmailMessage:
    message = email.message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)  # noqa: S101 - what this policy makes
    return message


def _heading(key: str, content: bytes) -> Heading:
    message = _message(content)
    return Heading(
        key=key,
        to=str(message["To"]),
        subject=str(message["Subject"]),
        date=str(message["Date"]),
        sender=parseaddr(str(message["From"]))[0],
        preview=_beginning(_body(message, "html")),
        message_id=str(message["Message-ID"]),
    )


def _beginning(html: str) -> str:
    """Return the beginning of a page's text, hidden or not; "" without any."""
    body = document_fromstring(html).find("body") if html.strip() else None
    # Mail programs count invisible characters.
    shown = "" if body is None else " ".join(body.text_content().split())[:_PREVIEW]
    return _BLANK.sub(" ", shown).strip()


def _arrival(key: str) -> tuple[float, str]:
    seconds, _, rest = key.partition(".")
    micro = rest.partition("M")[2].partition("P")[0]
    return (float(f"{seconds}.{micro.zfill(6)}" if micro.isdigit() else seconds), key)


def _body(message: EmailMessage, subtype: str) -> str:
    part = message.get_body(preferencelist=(subtype,))
    return "" if part is None else str(part.get_content())
