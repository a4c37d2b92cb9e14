"""Emails from programs, such as bounces and automatic answers: Nabu never answers them."""

import re
from collections.abc import Iterable
from secrets import token_hex

from sqlmodel import select

from mail.reading.bounces import Bounce
from mail.reading.message import Reading
from mail.reading.reports import Complaint, bounce_key
from server.accounts import bounces, players
from server.inbound.request import Ending, Request, done, quarantined
from server.outbound import relay_health
from server.store.models import Outbox
from server.store.outbox import WAITING, ActionContext
from server.store.tokens import TokenSigner


def note_machine(request: Request, tokens: TokenSigner) -> Ending:
    """Store a bounce or complaint; ignore other emails from programs. Return the email's final state."""
    action, reading, own = request.action, request.reading, request.own
    path = tokens.read_return(bounce_key(request.row.recipient, own))
    if reading.complaint is not None:
        named = tokens.read_return(bounce_key(reading.complaint.mail_from, own))
        return _note_complaint(action, reading.complaint, own, path or named)
    if reading.kind == "bounce":
        named = tokens.read_return(bounce_key(reading.returned_path, own))
        return _note_bounce(action, path or named, reading, own)
    return done(f"{reading.kind}: {reading.why}; not answered")


def _note_bounce(action: ActionContext, path: str, reading: Reading, own: str) -> Ending:
    """Note that an email was returned, as its return path proves; opponents may see its Message-ID."""
    sent = _sent(action, path)
    if sent is None:
        seen = _sent(action, _key_in(reading.returned, own))
        if seen is None:
            return done("bounce: not about an email from Nabu")
        return done(f"bounce: not proved, about the email to {seen.recipient}")
    if not reading.bounces:
        return done("bounce: the email is still being delivered")
    if sent.state not in ("sent", *WAITING):
        return done("bounce: this email was returned before")
    _return(action, sent, max(reading.bounces, key=lambda bounce: bounce.hard))
    return done("bounce: noted")


def _return(action: ActionContext, sent: Outbox, bounce: Bounce) -> None:
    """Note that an email was returned, and count it for its player unless many bounce for the same reason."""
    session, now = action.session, action.now
    sent.state, sent.due_at, sent.refusal = "returned", now, bounce.gist
    sent.error = f"returned: {bounce.gist}"
    player = players.by_email(session, sent.recipient)
    if not relay_health.note_alike(session, now, {bounce.gist}) and player is not None:
        bounces.returned(session, now, player, hard=bounce.hard)


def _note_complaint(action: ActionContext, complaint: Complaint, own: str, path: str) -> Ending:
    """Stop emails to the recipient of the email complained about, as proved by its return path.

    The names in the report prove nothing, nor does a Message-ID, as opponents may see it.
    """
    if not complaint.unwanted:
        return done("complaint: not about unwanted mail")
    sent = _sent(action, path)
    if sent is None:
        seen = _sent(action, _key_in(complaint.message_id, own))
        if seen is None:
            return done("complaint: not about an email from Nabu")
        return quarantined(f"complaint: not proved, about the email to {seen.recipient}")
    if sent.state == "unwanted":
        return done("complaint: this email was complained about before")
    sent.state = "unwanted"
    bounces.complained(action, players.invite(action, sent.recipient, own))
    return done("complaint: stopped emails to this address")


def _key_in(message_id: str, own: str) -> str:
    """Return the key at the beginning of a Message-ID of Nabu's; "" for other Message-IDs."""
    name, _, host = message_id.lower().rpartition("@")
    return name.partition(".")[0] if host == own.rpartition("@")[2] else ""


def _sent(action: ActionContext, key: str) -> Outbox | None:
    """Return the email that Nabu sent with this key, which is in its Message-ID and its return path."""
    return action.session.exec(select(Outbox).where(Outbox.key == key)).first() if key else None


_NAME = re.compile(r"[0-9a-f]{24}\.probe")


def new_id(domain: str) -> str:
    """Return a Message-ID, without angle brackets, for a test email of `nabu doctor`."""
    return f"{token_hex(12)}.probe@{domain}"


def answers_one(answered: Iterable[str], domain: str) -> bool:
    """Return True if an email answers a test email of `nabu doctor`; such an answer is ignored."""
    for each in answered:
        name, _, where = each.strip("<>").rpartition("@")
        if where.lower() == domain and _NAME.fullmatch(name):
            return True
    return False
