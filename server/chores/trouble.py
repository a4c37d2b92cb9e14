"""What Nabu cannot settle by itself, told to the operator."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from server.models import Inbox, Outbox, Player
from server.outbox import Post

_DAY = timedelta(days=1)


def tell_operator(post: Post, operator: str) -> None:
    """Mail the operator what was given up, held or complained of in the last day, once a day at most."""
    if not operator or post.recent(operator, "trouble", _DAY):
        return
    failed, held = _failed(post.session, post.now), _held(post.session, post.now)
    complained = _complained(post.session, post.now)
    if failed or held or complained:
        post.put(operator, "trouble", failed=failed, held=held, complained=complained)


def _failed(session: Session, now: datetime) -> list[list[str]]:
    """Recipient and error of mails that were given up."""
    query = select(Outbox).where(Outbox.state == "failed", col(Outbox.due_at) > now - _DAY)
    return [[mail.recipient, mail.error] for mail in session.exec(query.order_by(col(Outbox.id)).limit(50))]


def _held(session: Session, now: datetime) -> list[list[str]]:
    """Number and reason of mails that are held."""
    query = select(Inbox).where(Inbox.state == "held", col(Inbox.handled_at) > now - _DAY)
    return [[str(mail.id), mail.why] for mail in session.exec(query.order_by(col(Inbox.id)).limit(50))]


def _complained(session: Session, now: datetime) -> list[list[str]]:
    """Name and address of players who reported a mail as unwanted."""
    query = select(Player).where(col(Player.complained_at) > now - _DAY)
    return [[player.name, player.email] for player in session.exec(query.order_by(col(Player.id)).limit(50))]
