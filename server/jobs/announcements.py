"""Announcements to all players by email: a few at a time, so that no move waits behind thousands of emails."""

from sqlmodel import Session, col, select

from server.jobs.job import Work
from server.outbound.letters.account import Announced
from server.store.db import LOCK, reading, writing
from server.store.deferral import NEVER, wish_of
from server.store.models import Announcement, Player
from server.store.outbox import ActionContext

AT_ONCE = 100
"""The number of players who are emailed an announcement in one run."""

_OPEN = (
    select(Announcement).where(col(Announcement.mailed_to).is_not(None)).order_by(col(Announcement.id)).limit(1)
)


def mail_some(work: Work) -> bool:
    """Email the oldest unfinished announcement to the next few players; return False if there is none.

    It goes to people who have signed up and want emails.
    """
    now = work.now()
    with reading(work.engine) as session:
        if session.exec(_OPEN).first() is None:
            return False
    with writing(work.engine) as session:
        row = session.exec(_OPEN.with_for_update(skip_locked=True, **LOCK)).first()
        if row is None or row.mailed_to is None:
            return False
        found = _next(session, row.mailed_to) if now < row.until else []
        action = ActionContext(session, work.sealer, now)
        for player in found:
            if wish_of(player) != NEVER:
                action.put_to_player(player, Announced(row.id or 0, row.text, row.until))
        row.mailed_to = found[-1].id if len(found) == AT_ONCE else None
    return True


def _next(session: Session, after: int) -> list[Player]:
    query = select(Player).where(
        col(Player.id) > after,
        col(Player.confirmed_at).is_not(None),
        col(Player.computer).is_(False),
        col(Player.mail_stopped).is_(False),
    )
    return list(session.exec(query.order_by(col(Player.id)).limit(AT_ONCE)))
