"""The daily report to the administrator: problems that Nabu cannot fix."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from server.admin.health import in_words
from server.game.spectators import abuse_reports
from server.game.spectators.abuse_reports import ReportedMessage
from server.jobs.job import Work
from server.outbound import relay_health
from server.outbound.letters.reminders import Trouble
from server.outbound.relay_health import MAIL_OUT
from server.store.db import writing
from server.store.keys.sealing import Sealer
from server.store.letters.letter import name_of
from server.store.models import Failure, Inbox, Outbox, Player
from server.store.outbox import ActionContext

_DAY = timedelta(days=1)


def mail_administrator(work: Work) -> None:
    """Email the daily report to the administrator, if it is due, in a separate transaction."""
    with writing(work.engine) as session:
        notify_administrator(ActionContext(session, work.sealer, work.now()), work.settings.administrator)


def notify_administrator(action: ActionContext, administrator: str) -> None:
    """Email the administrator the problems since the last report, at most once a day.

    These are emails given up, quarantined or complained about, reports of abuse, and failures of jobs.
    """
    if not administrator or action.recent(administrator, Trouble, _DAY):
        return
    session, since = action.session, _last_told(action.session, administrator) or action.now - _DAY
    trouble = Trouble(
        failed=_failed(session, since),
        quarantined=_quarantined(session, since),
        complained=_complained(session, since),
        reported=_reported(session, action.sealer, since),
        undone=_undone(session, since),
        stuck=_stuck(session),
    )
    if trouble != Trouble():
        action.put(administrator, trouble)


def _last_told(session: Session, administrator: str) -> datetime | None:
    reports = Outbox.recipient == administrator, Outbox.letter == name_of(Trouble)
    return session.exec(select(func.max(Outbox.created_at)).where(*reports)).one()


def _failed(session: Session, since: datetime) -> list[list[str]]:
    """Return recipient and error of each email that was given up."""
    query = select(Outbox).where(col(Outbox.state).in_(("failed", "returned")), col(Outbox.due_at) > since)
    return [[mail.recipient, mail.error] for mail in session.exec(query.order_by(col(Outbox.id)).limit(50))]


def _quarantined(session: Session, since: datetime) -> list[list[str]]:
    """Return number and reason of each quarantined email."""
    query = select(Inbox).where(Inbox.state == "quarantined", col(Inbox.handled_at) > since)
    return [[str(mail.id), mail.why] for mail in session.exec(query.order_by(col(Inbox.id)).limit(50))]


def _complained(session: Session, since: datetime) -> list[list[str]]:
    """Return name and address of each player who marked an email as spam, in the order of their complaints."""
    query = select(Player).where(col(Player.complained_at) > since)
    return [
        [player.name, player.email]
        for player in session.exec(query.order_by(col(Player.complained_at)).limit(50))
    ]


def _reported(session: Session, sealer: Sealer, since: datetime) -> list[list[str]]:
    """Return description and text of each reported message."""
    return [[_whose(each), each.words] for each in abuse_reports.unresolved(session, sealer, since)]


def _whose(reported: ReportedMessage) -> str:
    where = (
        f"{'to spectators of' if reported.to_spectators else 'in'} game {reported.game}, turn {reported.turn}"
    )
    why = f": {reported.why}" if reported.why else ""
    return f"{reported.speaker} {where}; reported by {reported.by}{why}"


def _undone(session: Session, since: datetime) -> list[list[str]]:
    """Return task and error of each new failure that still lasts."""
    new = col(Failure.since) > since, Failure.job != MAIL_OUT
    query = select(Failure).where(*new).order_by(col(Failure.id))
    return [in_words(failure) for failure in session.exec(query.limit(50))]


def _stuck(session: Session) -> list[list[str]]:
    """Return how many emails the relay keeps waiting, and why; reported as long as it lasts."""
    known = relay_health.failure(session)
    if known is None:
        return []
    return [
        [f"{relay_health.waiting(session)} emails waiting since {known.since:%Y-%m-%d %H:%M} UTC", known.what]
    ]
