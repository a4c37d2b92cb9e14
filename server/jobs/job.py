"""The form of background jobs: when they are due, how they lock rows, and how they are retried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from math import inf
from typing import Any, Generic

from sqlalchemy import Engine, Select, bindparam
from sqlalchemy import select as sql_select
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.settings import Settings
from server.store import failures
from server.store.db import reading
from server.store.failures import Row
from server.store.keys.sealing import Sealer
from server.store.models import Game, Seat, UtcDateTime
from server.store.outbox import ActionContext


@dataclass(frozen=True)
class Work:
    """The objects that a job uses; `closing` returns True once the process ends."""

    engine: Engine
    sealer: Sealer
    now: Callable[[], datetime]
    settings: Settings
    closing: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class RowJob(Generic[Row]):
    """A job that handles due rows one after the other, each under its lock and in its own transaction.

    `due` is the indexed column with the due time; None if only `find` knows. For a column of seats, the row is
    their game. A row that fails is tried again at growing intervals (`server/store/failures.py`); after a long
    failure, `make_up` gives players their time back.
    """

    name: str
    due: Any
    act: Callable[[ActionContext, Row], object]
    find: Callable[[datetime], SelectOfScalar[Row]] | None = None
    """Selects the due rows in order; by default those whose `due` is past."""
    make_up: Callable[[ActionContext, Row, datetime], object] | None = None
    ends_time: bool = False
    """Whether it ends a player's time, and so has to wait while no email is accepted."""

    def run_next(self, engine: Engine, sealer: Sealer, now: datetime) -> bool:
        """Handle the row that has been due longest; return False if none is due."""
        found = self._rows_due(now) if self.find is None else self.find(now)
        return failures.run_next_due(engine, sealer, now, self.name, found, self.act, self.make_up)

    def _rows_due(self, now: datetime) -> SelectOfScalar[Any]:
        due, table = col(self.due), self.due.class_
        if table is Seat:
            return select(Game).where(Seat.game_id == Game.id, due <= now).order_by(due)
        return select(table).where(due <= now).order_by(due, col(table.id))


_NOW = bindparam("now", type_=UtcDateTime)


@dataclass(frozen=True)
class Job:
    """A background job, as a line of the table of jobs (`server/jobs/table.py`).

    It runs every `every` seconds; if it `wakes`, also after a commit of another process. Each run calls
    `first`, and then handles the `rows` that are due, in their order, at most `most` of them.
    """

    name: str
    every: float
    first: Callable[[Work], object] | None = None
    rows: tuple[RowJob[Any], ...] = ()
    wakes: bool = False
    most: int | None = None
    waits: Callable[[Engine, datetime], bool] | None = None
    """Returns whether rows that end a player's time have to wait."""
    between: Callable[[Work], object] | None = None
    """Called after each row."""

    def run(self, work: Work) -> None:
        """Run the job once: handle everything that is due."""
        if self.first is not None:
            self.first(work)
        waiting = self.waits is not None and self.waits(work.engine, work.now())
        left = inf if self.most is None else self.most
        for row_job in self._due(work):
            if waiting and row_job.ends_time:
                continue
            while left and not work.closing() and row_job.run_next(work.engine, work.sealer, work.now()):
                left -= 1
                if self.between is not None:
                    self.between(work)

    def _due(self, work: Work) -> tuple[RowJob[Any], ...]:
        """Return the jobs that may have due rows. One query finds them, as there are usually none."""
        if self._is_due is None:
            return self.rows
        with reading(work.engine) as session:
            found = session.connection().execute(self._is_due, {"now": work.now()}).one()
        return tuple(row_job for is_due, row_job in zip(found, self.rows, strict=True) if is_due)

    @cached_property
    def _is_due(self) -> Select[*tuple[Any, ...]] | None:
        if not self.rows or any(row_job.due is None for row_job in self.rows):
            return None
        # Columns of tables: the session takes several times as long for attributes of models.
        due = [row_job.due.class_.__table__.c[row_job.due.key] for row_job in self.rows]
        return sql_select(*(sql_select(column).where(column <= _NOW).exists() for column in due))
