"""What operators tell everybody: on every page until a day, and once by mail if they choose so."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from server.errors import BadRequest
from server.operating.deeds import Office
from server.store.models import Announcement, Player

LONGEST = 1000
"""Characters of an announcement."""
MOST_SHOWN = 3
"""How many are shown at once."""
LONGEST_SPAN = timedelta(days=90)
_BETWEEN_MAILS = timedelta(days=1)


@dataclass(frozen=True)
class AnnouncementView:
    """An announcement as operators see it."""

    number: int
    paragraphs: tuple[str, ...]
    by: str
    since: datetime
    until: datetime
    is_mailed: bool
    is_told: bool
    """Whether it was mailed to everybody who gets it."""


def announce(office: Office, text: str, until: datetime, *, mail: bool) -> None:
    """Show a text on every page from now on; with `mail` it is also mailed once to everybody who wants mail.

    Raises BadRequest for a text that is empty or too long, a time that is over or too far away, and a second
    mail within a day.
    """
    text, now = text.strip(), office.action.now
    if not text or len(text) > LONGEST:
        raise BadRequest(f"Write what is to be shown, in at most {LONGEST} characters.")
    if not now < until <= now + LONGEST_SPAN:
        raise BadRequest(f"Choose a day from today on, at most {LONGEST_SPAN.days} days away.")
    if len(current(office.session, now)) >= MOST_SHOWN:
        raise BadRequest(f"{MOST_SHOWN} announcements are shown already. End one of them first.")
    mails = select(Announcement.id).where(
        col(Announcement.is_mailed).is_(True), col(Announcement.since) > now - _BETWEEN_MAILS
    )
    if mail and office.session.exec(mails).first() is not None:
        raise BadRequest("One announcement a day is mailed at most. Show this one on the pages only, or wait.")
    office.session.add(
        Announcement(
            text=office.action.sealer.without_secrets(text, LONGEST),
            since=now,
            until=until,
            by_id=office.by,
            mailed_to=0 if mail else None,
            is_mailed=mail,
        )
    )
    office.note("announced something, by mail, too" if mail else "announced something")


def end(office: Office, number: int) -> None:
    """Show an announcement no more, and mail it to nobody else. Raises BadRequest where it has ended."""
    row = office.session.get(Announcement, number)
    if row is None or row.until <= office.action.now:
        raise BadRequest("This announcement has ended already.")
    row.until, row.mailed_to = office.action.now, None
    office.session.add(row)
    office.note("ended an announcement")


def current(session: Session, now: datetime) -> list[tuple[str, ...]]:
    """The paragraphs of what is shown on every page now, the latest first."""
    query = select(Announcement.text).where(col(Announcement.until) > now)
    return [_paragraphs(text) for text in session.exec(query.order_by(col(Announcement.id).desc()))]


def is_current(session: Session, number: int, now: datetime) -> bool:
    """Whether an announcement still stands."""
    row = session.get(Announcement, number)
    return row is not None and row.until > now


def listed(session: Session, limit: int, skip: int = 0) -> Sequence[AnnouncementView]:
    """All announcements, the latest first."""
    query = select(Announcement, Player.name).outerjoin(Player, col(Announcement.by_id) == col(Player.id))
    rows = session.exec(query.order_by(col(Announcement.id).desc()).offset(skip).limit(limit))
    return [
        AnnouncementView(
            row.id or 0,
            _paragraphs(row.text),
            name or "the command line",
            row.since,
            row.until,
            row.is_mailed,
            is_told=row.is_mailed and row.mailed_to is None,
        )
        for row, name in rows
    ]


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.splitlines() if part.strip())
