"""What cannot be done for one game, one player or one tournament keeps nothing else from being done.

It is undone, logged, noted in a row of its own, and tried again after a time that doubles, up to an hour, until
it works; meanwhile everything else that is due goes on.
"""

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Engine, SQLColumnExpression, delete
from sqlmodel import Session, SQLModel, col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.clock.outages import outage
from server.errors import Damaged
from server.store.db import LOCK, passes, reading, savepoint, writing
from server.store.keys.sealing import Sealer
from server.store.models import Failure, Game, Player, Tournament
from server.store.outbox import ActionContext

logger = logging.getLogger(__name__)

PLAYING = "playing"
"""The name of the failure when nothing can be played in a game because its log is damaged."""

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
    """Act on the first row that a query finds, locked, in one transaction; False if it finds none.

    A look without a lock comes first: most find nothing, and need not wait for writers. Rows that others have
    locked are skipped, and so are those for which this `job` has failed, until it is their time.

    When it works again after so long that players may have been kept from moving, all that is done for now is
    to call `make_up`, if given, with the time since when it failed.
    """
    table: type[Row] = query.column_descriptions[0]["entity"]
    # Only the number: a row that cannot even be read is one that cannot be handled.
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
    """Do something for one row in a savepoint: its failure undoes and stops nothing else.

    When it works, its failure is over. Re-raises what passes, such as a collision with another transaction or a
    full disk: then everything has to be done again.
    """
    try:
        with savepoint(session):
            yield
            forget(session, job, table, number)
    except Exception as error:  # whatever it is
        if passes(error):
            raise
        note(session, now, job, table, number, error)


@contextmanager
def recording_failure(engine: Engine, now: datetime, job: str, table: type[Row], number: int) -> Iterator[None]:
    """The same for what has transactions of its own; when it works, it has to `forget` the failure itself."""
    try:
        yield
    except Exception as error:  # as above
        if passes(error):
            raise
        with writing(engine) as session:
            note(session, now, job, table, number, error)


def forget(session: Session, job: str, table: type[Row], number: int) -> None:
    """Forget that the job failed for the row: it worked."""
    session.execute(delete(Failure).where(col(Failure.job) == job, _whose(table) == number))


def is_noted(session: Session, job: str, table: type[Row], number: int) -> bool:
    """Whether the job failed for the row, and has not worked since."""
    return _known(session, job, table, number) is not None


def is_put_off(
    job: str, now: datetime, number: SQLColumnExpression[Any], table: type[SQLModel] = Game
) -> ColumnElement[bool]:
    """A condition: the job failed for the game (or other row) of this number, and its time has not come."""
    found = select(Failure.id).where(Failure.job == job, _whose(table) == number, col(Failure.due_at) > now)
    return found.correlate_except(Failure).exists()


def diagnosis(error: Exception) -> str:
    """What went wrong, and where: "UnknownKey at open, line 41".

    The message of an error may quote what nobody may read; its place is enough.
    """
    if isinstance(error, Damaged):
        return f"Damaged: {error.what}"
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {where.name}, line {where.lineno}"


def _took_time(known: Failure, row: Row, now: datetime) -> bool:
    """Whether the failure is in the turn to be played now, and has lasted longer than a short outage."""
    same_turn = not isinstance(row, Game) or row.turn == known.turn
    return same_turn and outage(known.since, now) is not None


class _Undo(Exception):
    """What was only tried is undone."""


@contextmanager
def _trial(session: Session) -> Iterator[None]:
    """Find out whether something works; whatever it did is undone in any case."""
    with suppress(_Undo), savepoint(session):
        yield
        session.flush()
        raise _Undo


def note(session: Session, now: datetime, job: str, table: type[Row], number: int, error: Exception) -> None:
    """Note that a job failed; in a later turn of a game it is a new failure."""
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
    """The column that says for which game, player or tournament."""
    return {
        Game: col(Failure.game_id),
        Player: col(Failure.player_id),
        Tournament: col(Failure.tournament_id),
    }[table]
