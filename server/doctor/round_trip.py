"""Mails of ours that have to come back: to ourselves, or to somebody who answers."""

import time
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from mail.outgoing.composing import Mail, compose
from mail.outgoing.delivering import Relay
from mail.reading.message import read
from server.inbound import automatic_mail
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Inbox

_LOOK = 0.25
"""Seconds between two looks for it."""
_TO_OURSELVES = (
    "Nabu sends this mail to itself, to see that mail goes out and comes in. Nobody has to do anything."
)
_TO_SOMEBODY = (
    "This mail shows that Nabu can write to you. Please answer it, with any words: that shows that mail comes "
    "in, too. If you found it among spam, see the lines SPF, DKIM and DMARC of nabu doctor."
)


@dataclass(frozen=True)
class RoundTrip:
    """How it went: the mail that came in, None if none did, after so many seconds."""

    back: bytes | None
    seconds: float


def travel(services: Services, patience: float, recipient: str = "") -> RoundTrip:
    """Send a mail, and wait until it comes back to us, for so many seconds; with `recipient`, for an answer.

    Raises DeliveryFailed if the relay does not take it. What comes in is stored, and not answered.
    """
    domain, now = services.settings.mail_domain, services.now()
    message_id = automatic_mail.new_id(domain)
    content = _written(services.settings.plain_address, recipient, message_id, now)
    signer = services.signer()
    relay = Relay(services.settings.smtp_url, hostname=domain)
    began = time.monotonic()
    try:
        own = services.settings.plain_address
        relay.send(own, recipient or own, content if signer is None else signer.sign(content, now))
    finally:
        relay.close()
    seen = 0
    while True:
        back, seen = _come_in(services, message_id, now, seen)
        seconds = time.monotonic() - began
        if back is not None or seconds > patience:
            return RoundTrip(back, seconds)
        time.sleep(_LOOK)


def _written(own: str, recipient: str, message_id: str, now: datetime) -> bytes:
    text = _TO_SOMEBODY if recipient else _TO_OURSELVES
    mail = Mail(
        sender=f"Nabu <{own}>",
        recipient=recipient or own,
        reply_to=own if recipient else "",
        subject="Please answer this mail" if recipient else "Nabu looks at itself",
        text=f"{text}\n",
        html=f"<p>{text}</p>",
        message_id=message_id,
        date=now,
    )
    return compose(mail)


def _come_in(services: Services, message_id: str, since: datetime, seen: int) -> tuple[bytes | None, int]:
    """The mail that has this id or answers it, as it was stored, and up to which mail was looked for it."""
    own = services.settings.plain_address
    query = select(Inbox).where(col(Inbox.received_at) >= since, Inbox.recipient == own, col(Inbox.id) > seen)
    with reading(services.engine) as session:
        found = session.exec(query.order_by(col(Inbox.id))).all()
    for row in found:
        raw = services.sealer.open(row.sealed or b"")
        mail = read(raw, mail_from=own, own=own)
        if any(message_id in each for each in (mail.message_id, *mail.answers)):
            return raw, seen
    return None, max((row.id or 0 for row in found), default=seen)
