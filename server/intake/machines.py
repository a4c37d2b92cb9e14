"""Mails from machines: never answered; bounces and complaints are noted."""

from collections.abc import Sequence

from mail.bounces import Bounce
from mail.reading import Reading
from mail.reports import Complaint, bounce_key
from server import health, players, relaying
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
    sent = _sent(post, (bounce_key(row.recipient, own), _key_in(reading.returned, own)))
    if sent is None:
        return done("bounce: about no mail of ours")
    if not reading.bounces:
        return done("bounce: of a mail that is still under way")
    if sent.state not in ("sent", "queued"):
        return done("bounce: this mail came back before")
    _return(post, sent, max(reading.bounces, key=lambda bounce: bounce.hard))
    return done("bounce: noted by the mail that came back")


def _return(post: Post, sent: Outbox, bounce: Bounce) -> None:
    """Note that a mail came back, and that its player is not reached, unless all of them are not."""
    session, now = post.session, post.now
    sent.state, sent.due_at, sent.refusal = "returned", now, bounce.gist
    sent.error = f"came back: {bounce.gist}"
    session.add(sent)
    session.flush()
    player = players.by_email(session, sent.recipient)
    if not relaying.note_alike(session, now, {bounce.gist}) and player is not None:
        health.returned(session, now, player, hard=bounce.hard)


def _note_complaint(post: Post, complaint: Complaint, own: str) -> Ending:
    """Mail no more to whom the mail went that is complained of. Whom the report names proves nothing."""
    if not complaint.unwanted:
        return done("complaint: not that the mail is unwanted")
    sent = _sent(post, (_key_in(complaint.message_id, own), bounce_key(complaint.mail_from, own)))
    if sent is None:
        return done("complaint: about no mail of ours")
    if sent.state == "unwanted":
        return done("complaint: about this mail there was one before")
    sent.state = "unwanted"
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
