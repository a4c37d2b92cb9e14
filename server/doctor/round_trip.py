"""The round trip of a test email: from Nabu to itself, or to someone who replies."""

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
"""Seconds between two looks into the inbox."""
_TO_ITSELF = (
    "Nabu sends this email to itself, to check that emails go out and come in. You do not have to do anything."
)
_TO_A_PERSON = (
    "This email shows that Nabu can write to you. Please reply with any text: that shows that emails come in, "
    "too. If this email was in your spam folder, run nabu doctor and look at the lines SPF, DKIM and DMARC."
)


@dataclass(frozen=True)
class RoundTrip:
    """The email that came in (None if none did), and the seconds that passed."""

    back: bytes | None
    seconds: float


def travel(services: Services, patience: float, recipient: str = "") -> RoundTrip:
    """Send an email to Nabu itself and wait `patience` seconds for it; with `recipient`, for their reply.

    Incoming emails are stored, and not answered. Raises DeliveryFailed if the relay refuses it.
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
    text = _TO_A_PERSON if recipient else _TO_ITSELF
    mail = Mail(
        sender=f"Nabu <{own}>",
        recipient=recipient or own,
        reply_to=own if recipient else "",
        subject="Please reply to this email" if recipient else "Test email from Nabu to itself",
        text=f"{text}\n",
        html=f"<p>{text}</p>",
        message_id=message_id,
        date=now,
    )
    return compose(mail)


def _come_in(services: Services, message_id: str, since: datetime, seen: int) -> tuple[bytes | None, int]:
    """Return the raw email that has this id or replies to it, and the number of the last email examined."""
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
