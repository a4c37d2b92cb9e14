"""A mail of ours to ourselves: out through the relay, and in by whatever way mail comes in."""

import time
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex

from sqlmodel import col, select

from mail.outgoing.composing import Mail, compose
from mail.outgoing.delivering import Relay
from mail.reading.message import read
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Inbox

_LOOK = 0.25
"""Seconds between two looks for it."""
_TEXT = "Nabu sends this mail to itself, to see that mail goes out and comes in. Nobody has to do anything."


@dataclass(frozen=True)
class Trip:
    """How it went: the mail as it came back, None if it did not, after so many seconds."""

    back: bytes | None
    seconds: float


def travel(services: Services, patience: float) -> Trip:
    """Send a mail and wait for it, for so many seconds at most. Raises DeliveryFailed if it is not taken.

    Like all that machines send, it is stored and not answered.
    """
    own, now = services.settings.plain_address, services.now()
    message_id = f"{token_hex(12)}.doctor@{services.settings.mail_domain}"
    content = _written(own, message_id, now)
    signer = services.signer()
    relay = Relay(services.settings.smtp_url, hostname=services.settings.mail_domain)
    began = time.monotonic()
    try:
        relay.send(own, own, content if signer is None else signer.sign(content, now))
    finally:
        relay.close()
    while True:
        back = _arrived(services, message_id, now)
        seconds = time.monotonic() - began
        if back is not None or seconds > patience:
            return Trip(back, seconds)
        time.sleep(_LOOK)


def _written(own: str, message_id: str, now: datetime) -> bytes:
    mail = Mail(
        sender=f"Nabu <{own}>",
        recipient=own,
        reply_to="",
        subject="Nabu looks at itself",
        text=_TEXT,
        html=f"<p>{_TEXT}</p>",
        message_id=message_id,
        date=now,
    )
    return compose(mail)


def _arrived(services: Services, message_id: str, since: datetime) -> bytes | None:
    """The mail as it was stored, if it was."""
    own = services.settings.plain_address
    query = select(Inbox.sealed).where(col(Inbox.received_at) >= since, Inbox.recipient == own)
    with reading(services.engine) as session:
        found = session.exec(query.where(col(Inbox.sealed).is_not(None))).all()
    for sealed in found:
        raw = services.sealer.open(sealed or b"")
        if message_id in read(raw, mail_from=own, own=own).message_id:
            return raw
    return None
