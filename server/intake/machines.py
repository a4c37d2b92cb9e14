"""Mails from machines: never answered; bounces and complaints are noted."""

from mail.reading import Reading
from mail.reports import Complaint, bounce_key
from server import health, players
from server.intake.endings import Ending, done
from server.models import Inbox, Player
from server.outbox import Post


def note_machine(post: Post, row: Inbox, reading: Reading, domain: str) -> Ending:
    """Note what a machine says about our mail, and do nothing else; `domain` is our own."""
    if reading.complaint is not None:
        return _note_complaint(post, reading.complaint, domain)
    if reading.kind == "bounce":
        return _note_bounce(post, row, reading, domain)
    return done(f"{reading.kind}: {reading.why}; not answered")


def _note_bounce(post: Post, row: Inbox, reading: Reading, domain: str) -> Ending:
    returned = _sent_to(post, bounce_key(row.recipient, domain))
    if returned is not None:
        health.bounced(post.session, post.now, returned, hard=any(bounce.hard for bounce in reading.bounces))
        return done("bounce: noted by its return path")
    noted = 0
    for bounce in reading.bounces:
        player = players.by_email(post.session, bounce.address)
        if player is not None:
            # Anybody can write such a report: without our key in the return path it counts as a soft bounce.
            health.bounced(post.session, post.now, player, hard=False)
            noted += 1
    return done(f"bounce: {noted} addresses noted")


def _note_complaint(post: Post, complaint: Complaint, domain: str) -> Ending:
    """Mail no more to whom the mail went that is complained of. Whom the report names proves nothing."""
    if not complaint.unwanted:
        return done("complaint: not that the mail is unwanted")
    name, _, host = complaint.message_id.lower().rpartition("@")
    keys = (name if host == domain else "", bounce_key(complaint.mail_from, domain))
    found = next(filter(None, (_sent_to(post, key) for key in keys)), None)
    if found is None:
        return done("complaint: about no mail of ours to a player")
    health.complained(post.now, found)
    return done("complaint: no more mail to this player")


def _sent_to(post: Post, key: str) -> Player | None:
    """The player to whom our mail with this key went."""
    sent = health.sent_as(post.session, key) if key else None
    return None if sent is None else players.by_email(post.session, sent.recipient)
