"""The health of the server: heartbeats, waiting times, and problems that the administrator should look at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from server.clock import pauses
from server.limits import LARGEST_ON_A_FULL_DISK
from server.outbound import relay_health
from server.outbound.relay_health import MAIL_OUT
from server.store import mail_budgets
from server.store.database_health import LEAST_FREE, cause_of, free_space
from server.store.db import count_rows
from server.store.models import AbuseReport, DatabaseAge, Failure, Game, Heartbeat, Inbox, Outbox, Player, Seat
from server.store.rollback import history
from server.store.rollback.history import OlderDatabase

LONGEST = timedelta(minutes=10)
"""The longest acceptable time that an email waits, the relay refuses emails, or a game or player fails."""
LATEST = timedelta(minutes=30)
"""The longest acceptable delay after a deadline. An earlier email that is not handled yet may cause a delay."""


@dataclass(frozen=True)
class HealthProblem:
    """A problem that the administrator should look at: the part concerned, and a sentence."""

    what: str
    sentence: str


OLDEST_BACKUP = timedelta(hours=36)
"""The greatest acceptable age of the last backup, of nightly ones."""
OLDEST_VERIFICATION = timedelta(days=40)
BACKUP = "backup"
HISTORY = "history"
"""The part concerned if the database is older than the last one, or one of several."""


def without_database(error: Exception) -> HealthProblem:
    """Return the problem that prevents reading the health."""
    if isinstance(error, OlderDatabase):
        return HealthProblem(HISTORY, error.sentence)
    cause = cause_of(error)
    return HealthProblem("database", "it does not answer" if cause is None else f"{cause.clause}. {cause.fix}")


@dataclass(frozen=True)
class Health:
    """Facts about the server at the moment `now`; None where a fact does not apply."""

    now: datetime
    worker_at: datetime | None
    """The last heartbeat of a worker."""
    mail_at: datetime | None
    """The last heartbeat of the process that receives mail."""
    came_in: datetime | None
    """The arrival of the oldest email that is not handled yet."""
    due_out: datetime | None
    """The due time of the oldest email that no worker has tried to send yet."""
    ran_out: datetime | None
    """The oldest deadline, including its grace, that was not acted on yet."""
    mail_out_fails: datetime | None
    """The time since which the relay has accepted nothing."""
    failing: int
    """The number of games and players with failures that retries have not resolved."""
    disk_free: int | None
    """The free bytes on the disk of a SQLite database."""
    full_budgets: Sequence[str]
    """The budgets of today's incoming mail that are almost used up (see `store.mail_budgets`)."""
    first_game_at: datetime | None
    """When the oldest game was created."""
    backup: DatabaseAge
    """The row with the last backup."""
    split: str
    """A sentence if several database servers accept writes; "" otherwise (see `store.rollback.history`)."""

    @property
    def is_silent(self) -> bool:
        """True if the last heartbeat of a worker is too old."""
        return self.worker_at is None or self.now - self.worker_at > pauses.SILENCE

    def troubles(self) -> Iterator[HealthProblem]:
        """Yield the problems that the administrator should look at."""
        if self.worker_at is None:
            yield HealthProblem("worker", "no worker has ever run with this database")
        elif self.is_silent:
            yield HealthProblem("worker", f"no worker has run for {self._ago(self.worker_at)}")
        if self.mail_at is not None and self.now - self.mail_at > pauses.SILENCE:
            yield HealthProblem("mail in", f"no process has accepted mail for {self._ago(self.mail_at)}")
        if self.came_in is not None and self.now - self.came_in > LONGEST:
            yield HealthProblem("inbox", f"an incoming email has waited for {self._ago(self.came_in)}")
        if self.due_out is not None and self.now - self.due_out > LONGEST:
            yield HealthProblem("outbox", f"an outgoing email has waited for {self._ago(self.due_out)}")
        if self.mail_out_fails is not None and self.now - self.mail_out_fails > LONGEST:
            yield HealthProblem(
                "mail out", f"the relay has refused all emails for {self._ago(self.mail_out_fails)}"
            )
        if self.ran_out is not None and self.now - self.ran_out > LATEST:
            yield HealthProblem(
                "deadlines", f"a deadline passed {self._ago(self.ran_out)} ago, but nothing happened"
            )
        if self.failing:
            yield HealthProblem(
                "failures", f"{self.failing} games or players fail again and again (nabu admin troubles)"
            )

        if self.disk_free is not None and self.disk_free < LEAST_FREE:
            yield HealthProblem(
                "disk",
                f"only {self.disk_free // 1_000_000} MB are free on the disk of the database; emails of more "
                f"than {LARGEST_ON_A_FULL_DISK // 1000} kB are deferred",
            )
        if self.split:
            yield HealthProblem(HISTORY, self.split)
        if self.full_budgets:
            yield HealthProblem(
                "mail budget",
                f"today's budget for incoming mail ({', '.join(self.full_budgets)}) is almost used up; emails "
                "beyond it are deferred until tomorrow (NABU_DAILY_MAIL_MEGABYTES)",
            )

    def warnings(self) -> Iterator[HealthProblem]:
        """Yield the problems that need no immediate action: missing backups, once there are games to lose."""
        if self.first_game_at is None or self.now - self.first_game_at <= OLDEST_BACKUP:
            return
        made, verified = self.backup.backup_at, self.backup.verified_at
        if made is None:
            yield HealthProblem(BACKUP, "no backup has ever been made (nabu backup)")
        elif self.now - made > OLDEST_BACKUP:
            yield HealthProblem(BACKUP, f"the last backup was made {self._ago(made)} ago (nabu backup)")
        elif verified is None or self.now - verified > OLDEST_VERIFICATION:
            ago = "has ever been verified" if verified is None else f"was verified for {self._ago(verified)}"
            yield HealthProblem(BACKUP, f"no backup {ago} (nabu backup --verify)")

    def _ago(self, moment: datetime) -> str:
        minutes = round((self.now - moment) / timedelta(minutes=1))
        if minutes >= 72 * 60:
            return f"{minutes // (24 * 60)} days"
        return f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"


def health(session: Session, now: datetime) -> Health:
    """Return the server's health. Each query uses an index, so the number of games does not matter."""
    beats = {beat.id: beat.at for beat in session.exec(select(Heartbeat))}
    mail_out = relay_health.failure(session)
    untried = col(Outbox.state) == "queued", col(Outbox.due_at) <= now, col(Outbox.attempts) == 0
    return Health(
        now=now,
        worker_at=beats.get(Heartbeat.WORKER),
        mail_at=beats.get(Heartbeat.INTAKE),
        came_in=_first(session, Inbox.received_at, col(Inbox.state) == "new"),
        due_out=_first(session, Outbox.due_at, *untried),
        ran_out=_first(session, Seat.grace_until, col(Seat.grace_until) <= now),
        mail_out_fails=None if mail_out is None else mail_out.since,
        failing=count_rows(
            session, col(Failure.job) != relay_health.MAIL_OUT, col(Failure.since) < now - LONGEST
        ),
        disk_free=free_space(session.get_bind()),
        full_budgets=mail_budgets.used_up(session, now),
        first_game_at=session.exec(select(Game.created_at).order_by(col(Game.id)).limit(1)).first(),
        backup=session.get(DatabaseAge, 1) or DatabaseAge(),
        split=history.split(session.connection()),
    )


def _first(session: Session, moment: datetime | None, *conditions: ColumnElement[bool]) -> datetime | None:
    """Return the earliest time in a column, among the rows that fulfil the conditions."""
    return session.exec(select(col(moment)).where(*conditions).order_by(col(moment)).limit(1)).first()


RECENT = timedelta(days=7)
"""For how long the overview shows a complaint."""
_MOST_FAILURES = 20


@dataclass(frozen=True)
class FailureView:
    """A failure: the task, the error, and since when; `game` if it concerns one."""

    what: str
    why: str
    game: int | None
    since: datetime


@dataclass(frozen=True)
class Overview:
    """Numbers of things to look at, and the oldest twenty failures."""

    quarantined: int
    given_up: int
    delayed: int
    """Emails that failed at least once; others are not counted, as their number would reveal current moves."""
    suspended: int
    complained: int
    reported: int
    failures: tuple[FailureView, ...]
    health: Health
    is_late: bool
    """Whether outgoing emails are late."""


def overview(session: Session, now: datetime) -> Overview:
    """Return the overview for administrators and moderators."""
    failures = session.exec(select(Failure).order_by(col(Failure.since)).limit(_MOST_FAILURES))
    return Overview(
        quarantined=count_rows(session, col(Inbox.state) == "quarantined"),
        given_up=count_rows(session, col(Outbox.state).in_(("failed", "returned"))),
        delayed=count_rows(session, col(Outbox.state) == "queued", col(Outbox.attempts) > 0),
        suspended=count_rows(session, col(Player.suspended_at).is_not(None)),
        complained=count_rows(session, col(Player.complained_at) > now - RECENT),
        reported=count_rows(session, col(AbuseReport.resolved_at).is_(None)),
        failures=tuple(map(_view, failures)),
        health=health(session, now),
        is_late=relay_health.is_late(session, now),
    )


def in_words(failure: Failure) -> list[str]:
    """Return the task and the error of a failure: "deadline of game 7", "UnknownKey at open, line 41"."""
    if failure.job == MAIL_OUT:
        return [MAIL_OUT, failure.what]
    numbers = {"game": failure.game_id, "player": failure.player_id, "tournament": failure.tournament_id}
    whose = next(f"{what} {number}" for what, number in numbers.items() if number is not None)
    return [f"{failure.job} of {whose}", failure.what]


def _view(failure: Failure) -> FailureView:
    what, why = in_words(failure)
    return FailureView(what, why, failure.game_id, failure.since)
