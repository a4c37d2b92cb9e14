"""Mails from machines: never answered; bounces and complaints are noted."""

from collections.abc import Sequence

from mail.reading import Reading
from mail.reports import Complaint, bounce_key
from server import health, players
from server.intake.endings import Ending, done
from server.models import Inbox, Outbox
from server.outbox import Post


def note_machine(post: Post, row: Inbox, reading: Reading, own: str) -> Ending:
    """Note what a machine says about our mail, and do nothing else; `own` is our plain address."""
    if reading.complaint is not None:
        return _note_complaint(post, reading.complaint, own)
    if reading.kind == "bounce":
        return _note_bounce(post, row, reading, own)
    return done(f"{reading.kind}: {reading.why}; not answered")


def _note_bounce(post: Post, row: Inbox, reading: Reading, own: str) -> Ending:
    # Where the relay has put its own return path in place of ours, the mail that came back tells.
    keys = (bounce_key(row.recipient, own), _key_in(reading.returned, own))
    sent = _sent(post, keys)
    returned = None if sent is None else players.by_email(post.session, sent.recipient)
    if returned is not None:
        health.bounced(post.session, post.now, returned, hard=any(bounce.hard for bounce in reading.bounces))
        return done("bounce: noted by the mail that came back")
    noted = 0
    for bounce in reading.bounces:
        player = players.by_email(post.session, bounce.address)
        if player is not None:
            # Anybody can write such a report: without the key of a mail of ours it counts as a soft bounce.
            health.bounced(post.session, post.now, player, hard=False)
            noted += 1
    return done(f"bounce: {noted} addresses noted")


def _note_complaint(post: Post, complaint: Complaint, own: str) -> Ending:
    """Mail no more to whom the mail went that is complained of. Whom the report names proves nothing."""
    if not complaint.unwanted:
        return done("complaint: not that the mail is unwanted")
    sent = _sent(post, (_key_in(complaint.message_id, own), bounce_key(complaint.mail_from, own)))
    if sent is None:
        return done("complaint: about no mail of ours")
    health.complained(post.now, players.invite(post, sent.recipient, own))
    return done("complaint: no more mail to this address")


def _key_in(message_id: str, own: str) -> str:
    """The key with which a Message-ID of ours begins, "" for that of others."""
    name, _, host = message_id.lower().rpartition("@")
    return name.partition(".")[0] if host == own.rpartition("@")[2] else ""


def _sent(post: Post, keys: Sequence[str]) -> Outbox | None:
    """Our mail that has the first of these keys that is one."""
    found = (health.sent_as(post.session, key) for key in keys if key)
    return next(filter(None, found), None)
