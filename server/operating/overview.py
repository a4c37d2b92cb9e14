"""What needs an operator, at a glance."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from server.operating.health import health
from server.outbound import relaying
from server.outbound.relaying import MAIL_OUT
from server.store.models import Failure, Inbox, Outbox, Player, Reported

RECENT = timedelta(days=7)
"""For how long a complaint stands on the overview."""
_MOST_FAILURES = 20


@dataclass(frozen=True)
class FailureView:
    """What cannot be done, why, and since when; `game` if it concerns one."""

    what: str
    why: str
    game: int | None
    since: datetime


@dataclass(frozen=True)
class Overview:
    """How many of each there are, and what fails, the oldest first (the first twenty)."""

    held: int
    given_up: int
    delayed: int
    """Mails that were tried in vain; nothing else that waits, as it would tell who did something just now."""
    suspended: int
    complained: int
    reported: int
    failures: tuple[FailureView, ...]
    worker_at: datetime | None
    """When a worker was last alive."""
    mail_at: datetime | None
    """When mail last came in."""
    is_silent: bool
    """Whether no worker has been alive for a while."""
    is_late: bool
    """Whether mail goes out late."""


def overview(session: Session, now: datetime) -> Overview:
    """How things stand."""
    state = health(session, now)
    failures = session.exec(select(Failure).order_by(col(Failure.since)).limit(_MOST_FAILURES))
    return Overview(
        held=_count(session, Inbox, col(Inbox.state) == "held"),
        given_up=_count(session, Outbox, col(Outbox.state).in_(("failed", "returned"))),
        delayed=_count(session, Outbox, col(Outbox.state) == "queued", col(Outbox.attempts) > 0),
        suspended=_count(session, Player, col(Player.suspended_at).is_not(None)),
        complained=_count(session, Player, col(Player.complained_at) > now - RECENT),
        reported=_count(session, Reported, col(Reported.settled_at).is_(None)),
        failures=tuple(map(_view, failures)),
        worker_at=state.worker_at,
        mail_at=state.mail_at,
        is_silent=state.is_silent,
        is_late=relaying.is_late(session, now),
    )


def in_words(failure: Failure) -> list[str]:
    """What cannot be done, and why: "deadline of game 7", "UnknownKey at open, line 41"."""
    if failure.job == MAIL_OUT:
        return [MAIL_OUT, failure.what]
    numbers = {"game": failure.game_id, "player": failure.player_id, "tournament": failure.tournament_id}
    whose = next(f"{what} {number}" for what, number in numbers.items() if number is not None)
    return [f"{failure.job} of {whose}", failure.what]


def _view(failure: Failure) -> FailureView:
    what, why = in_words(failure)
    return FailureView(what, why, failure.game_id, failure.since)


def _count(session: Session, table: type[Inbox | Outbox | Player | Reported], *conditions: object) -> int:
    query = select(func.count()).select_from(table).where(*conditions)  # type: ignore[arg-type]
    return session.exec(query).one()
