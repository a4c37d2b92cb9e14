"""Failures of jobs: if a job fails for one game, player or tournament, the others are handled all the same.

The failure is rolled back, logged, recorded in a row, and retried until it succeeds. The time between two
attempts doubles up to an hour.
"""

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import BindParameter, ColumnElement, Engine, SQLColumnExpression, delete
from sqlmodel import Session, SQLModel, col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.clock.pauses import outage
from server.errors import Damaged
from server.store.database_health import cause_of
from server.store.db import LOCK, passes, reading, savepoint, writing
from server.store.keys.sealing import Sealer
from server.store.models import Failure, Game, Player, Tournament
from server.store.outbox import ActionContext

logger = logging.getLogger(__name__)

PLAYING = "playing"
"""The job name of a failure to play in a game because its log is damaged."""

Row = TypeVar("Row", Game, Player, Tournament)

_MINUTE = timedelta(minutes=1)
_LONGEST = timedelta(hours=1)


def run_next_due(
    engine: Engine,
    sealer: Sealer,
    now: datetime,
    job: str,
    query: SelectOfScalar[Row],
    act: Callable[[ActionContext, Row], object],
    make_up: Callable[[ActionContext, Row, datetime], object] | None = None,
) -> bool:
    """Call `act` for the first row of a query, locked, in one transaction; return False if there is none.

    A check without a lock comes first: usually nothing is due, and then it does not wait for writers. Rows that
    are locked by others are skipped, and so are rows for which this `job` has failed, until the next attempt.

    If `make_up` is given and the job succeeds after a failure so long that it may have prevented moves, only
    `make_up` is called, with the time of the first failure, and `act` is rolled back.
    """
    table: type[Row] = query.column_descriptions[0]["entity"]
    # Only the number: a row that cannot be read also counts as a failure.
    first = query.where(~is_put_off(job, now, col(table.id), table)).with_only_columns(col(table.id)).limit(1)
    with reading(engine) as session:
        if session.execute(first).first() is None:
            return False
    with writing(engine) as session:
        number = session.execute(first.with_for_update(of=table, skip_locked=True, **LOCK)).scalar()
        if number is None:
            return False
        with isolated(session, now, job, table, number):
            action, row = ActionContext(session, sealer, now), session.get_one(table, number)
            known = None if make_up is None else _known(session, job, table, number)
            if make_up is None or known is None or not _took_time(known, row, now):
                act(action, row)
            else:
                with _trial(session):
                    act(action, row)
                make_up(action, row, known.since)
    return True


@contextmanager
def isolated(session: Session, now: datetime, job: str, table: type[Row], number: int) -> Iterator[None]:
    """Run the block for one row in a savepoint, and record an error as a failure of the job for this row.

    Success deletes an earlier failure. Temporary errors, such as a conflict with another transaction or a full
    disk, are raised: then the whole transaction has to be repeated.
    """
    try:
        with savepoint(session):
            yield
            forget(session, job, table, number)
    except Exception as error:  # any error of the job
        if passes(error):
            raise
        note(session, now, job, table, number, error)


@contextmanager
def recording_failure(engine: Engine, now: datetime, job: str, table: type[Row], number: int) -> Iterator[None]:
    """Record an error of a block that has its own transactions, as a failure of the job for a row.

    On success, the block has to call `forget`.
    """
    try:
        yield
    except Exception as error:  # any error of the job
        if passes(error):
            raise
        with writing(engine) as session:
            note(session, now, job, table, number, error)


def forget(session: Session, job: str, table: type[Row], number: int) -> None:
    """Delete the recorded failure of a job for a row."""
    session.execute(delete(Failure).where(col(Failure.job) == job, _whose(table) == number))


def is_noted(session: Session, job: str, table: type[Row], number: int) -> bool:
    """Return whether a job has failed for a row and has not succeeded since."""
    return _known(session, job, table, number) is not None


def is_put_off(
    job: str,
    now: datetime | BindParameter[datetime],
    number: SQLColumnExpression[Any],
    table: type[SQLModel] = Game,
) -> ColumnElement[bool]:
    """Return the SQL condition for rows for which the job has failed and the next attempt is not due yet."""
    found = select(Failure.id).where(Failure.job == job, _whose(table) == number, col(Failure.due_at) > now)
    return found.correlate_except(Failure).exists()


def diagnosis(error: Exception) -> str:
    """Return the type and place of an error: "UnknownKey at open, line 41"; for the database also the cause.

    The message is omitted because it may quote secret data.
    """
    if isinstance(error, Damaged):
        return f"Damaged: {error.what}"
    where = traceback.extract_tb(error.__traceback__)[-1]
    cause = cause_of(error)
    why = "" if cause is None else f": {cause.clause} ({cause.code})"
    return f"{type(error).__name__} at {where.name}, line {where.lineno}{why}"


def _took_time(known: Failure, row: Row, now: datetime) -> bool:
    """Return whether the failure is in the current turn and has lasted longer than a short outage."""
    same_turn = not isinstance(row, Game) or row.turn == known.turn
    return same_turn and outage(known.since, now) is not None


class _Undo(Exception):
    """Raised to roll back a trial."""


@contextmanager
def _trial(session: Session) -> Iterator[None]:
    """Run the block and roll it back."""
    with suppress(_Undo), savepoint(session):
        yield
        session.flush()
        raise _Undo


def note(session: Session, now: datetime, job: str, table: type[Row], number: int, error: Exception) -> None:
    """Record that a job has failed for a row; in a later turn of a game, it is a new failure."""
    turn = session.exec(select(Game.turn).where(Game.id == number)).one() if table is Game else None
    known = _known(session, job, table, number)
    if known is None:
        known = Failure(job=job, turn=turn, what="", since=now, due_at=now)
        setattr(known, _whose(table).key, number)
    elif known.turn != turn:
        known.since, known.attempts, known.turn = now, 0, turn
    known.attempts += 1
    known.what = diagnosis(error)
    known.due_at = now + min(_MINUTE * 2 ** min(known.attempts - 1, 6), _LONGEST)
    session.add(known)
    session.flush()
    frames = "" if isinstance(error, Damaged) else "\n" + "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s of %s %s: %s%s", job, table.__name__.lower(), number, known.what, frames)


def _known(session: Session, job: str, table: type[Row], number: int) -> Failure | None:
    return session.exec(select(Failure).where(Failure.job == job, _whose(table) == number)).first()


def _whose(table: type[SQLModel]) -> Any:
    """Return the column of `Failure` that refers to this table."""
    return {
        Game: col(Failure.game_id),
        Player: col(Failure.player_id),
        Tournament: col(Failure.tournament_id),
    }[table]
