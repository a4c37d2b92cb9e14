"""Announcements of administrators: on every page until a date and, if they choose, once by email."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from server.accounts import players
from server.admin.audit import AdminAction
from server.clock.moments import write_moment
from server.clock.pauses import PausedTime, Why
from server.errors import BadRequest
from server.game.clock import stored_pauses
from server.game.preferences import digests
from server.outbound.letters.account import Games
from server.outbound.letters.reminders import Reminder
from server.store.deferral import NEVER, wish_of
from server.store.letters.letter import name_of
from server.store.models import Announcement, Game, Player, Seat
from server.store.outbox import ActionContext, list_waiting, withdraw

LONGEST = 1000
"""The most characters of an announcement."""
MOST_SHOWN = 3
"""The most announcements at the same time."""
LONGEST_SPAN = timedelta(days=90)
_BETWEEN_MAILS = timedelta(days=1)


@dataclass(frozen=True)
class AnnouncementView:
    """An announcement as administrators see it."""

    number: int
    paragraphs: tuple[str, ...]
    by: str
    since: datetime
    until: datetime
    is_mailed: bool
    all_queued: bool
    """Whether all emails about it have been queued."""


def announce(admin_action: AdminAction, text: str, until: datetime, *, mail: bool) -> None:
    """Show a text on every page from now on; with `mail`, also email it once to all players who want that.

    Raises BadRequest if the text is empty or too long, if the end is past or too far away, or if another
    announcement was emailed less than a day ago.
    """
    text, now = text.strip(), admin_action.action.now
    if not text or len(text) > LONGEST:
        raise BadRequest(f"Write a text of at most {LONGEST} characters.")
    if not now < until <= now + LONGEST_SPAN:
        raise BadRequest(f"Choose a day within the next {LONGEST_SPAN.days} days.")
    if len(current(admin_action.session, now)) >= MOST_SHOWN:
        raise BadRequest(f"There are already {MOST_SHOWN} announcements. End one of them first.")
    mails = select(Announcement.id).where(
        col(Announcement.is_mailed).is_(True), col(Announcement.since) > now - _BETWEEN_MAILS
    )
    if mail and admin_action.session.exec(mails).first() is not None:
        raise BadRequest(
            "Only one announcement a day can be emailed. Show this one on the pages only, or wait."
        )
    admin_action.session.add(
        Announcement(
            text=admin_action.action.sealer.without_secrets(text, LONGEST),
            since=now,
            until=until,
            by_id=admin_action.by,
            mailed_to=0 if mail else None,
            is_mailed=mail,
        )
    )
    admin_action.note("published an announcement and emailed it" if mail else "published an announcement")


def end(admin_action: AdminAction, number: int) -> None:
    """End an announcement, and cancel its remaining emails. Raises BadRequest if it has ended."""
    row = admin_action.session.get(Announcement, number)
    if row is None or row.until <= admin_action.action.now:
        raise BadRequest("This announcement has already ended.")
    row.until, row.mailed_to = admin_action.action.now, None
    admin_action.session.add(row)
    admin_action.note("ended an announcement")


def current(session: Session, now: datetime) -> list[tuple[str, ...]]:
    """Return the paragraphs of each current announcement, the latest first."""
    query = select(Announcement.text).where(col(Announcement.until) > now)
    return [_paragraphs(text) for text in session.exec(query.order_by(col(Announcement.id).desc()))]


def list_announcements(session: Session, limit: int, skip: int = 0) -> Sequence[AnnouncementView]:
    """Return all announcements, the latest first."""
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
            all_queued=row.is_mailed and row.mailed_to is None,
        )
        for row, name in rows
    ]


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.splitlines() if part.strip())


LONGEST_MAINTENANCE = timedelta(days=3)
EARLIEST = timedelta(days=30)
"""How far ahead maintenance can be planned."""


def plan(admin_action: AdminAction, start: datetime, end: datetime, why: str, *, mail: bool) -> None:
    """Pause all clocks from `start` until `end`, and announce it on every page.

    All affected deadlines are computed again, so that each player has at least a day after the maintenance. It
    cannot be cancelled, as players rely on the new deadlines. With `mail` it is also emailed once to all
    players who want that. Raises BadRequest if the time is past, too long or too far ahead, or if it cannot be
    announced.
    """
    now = admin_action.action.now
    if start < now or end <= start:
        raise BadRequest("Maintenance must start now or later, and end after its start.")
    if end - start > LONGEST_MAINTENANCE:
        raise BadRequest(f"Maintenance can last at most {LONGEST_MAINTENANCE.days} days.")
    if start - now > EARLIEST:
        raise BadRequest(f"Maintenance can be planned at most {EARLIEST.days} days ahead.")
    utc = ZoneInfo("UTC")
    text = (
        f"Maintenance from {write_moment(start, utc)} until {write_moment(end, utc)}: {why}\n"
        "All clocks are paused meanwhile, and all players have at least a day after it to move."
    )
    announce(admin_action, text, end, mail=mail)
    stored_pauses.store(admin_action.session, PausedTime(start, end, now, Why.MAINTENANCE))
    stored_pauses.credit_all(admin_action.session)
    admin_action.note(f"planned maintenance, {start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} UTC", why=why)


def concerned(session: Session) -> list[Player]:
    """Return the players with unfinished games who want emails about them."""
    playing = select(Seat.player_id).join(Game, col(Game.id) == col(Seat.game_id))
    query = select(Player).where(
        col(Player.id).in_(playing.where(col(Game.state).in_(("invited", "open", "running")))),
        col(Player.confirmed_at).is_not(None),
        col(Player.computer).is_(False),
        col(Player.mail_stopped).is_(False),
        col(Player.suspended_at).is_(None),
    )
    return [player for player in session.exec(query.order_by(col(Player.id))) if wish_of(player) != NEVER]


def tell(action: ActionContext, why: str) -> int:
    """Email all players with unfinished games the state of these, with the reason `why`; return their number.

    A player gets the report of each game that waits for their move, with the board and an address for the
    reply; a player who owes no move gets the list of their games. Earlier emails that say the same and have
    not been sent yet are not sent.
    """
    found = concerned(action.session)
    told = replace(action, notice_lines={player.email: why for player in found})
    replaced = {name_of(each) for each in (Games, Reminder)}
    for player in found:
        for mail in list_waiting(action.session, player.email):
            if mail.letter in replaced:
                withdraw(mail)
        if not digests.report_owed(told, player):
            told.put_to_player(player, Games(players.identity(player)))
    return len(found)
