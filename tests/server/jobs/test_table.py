"""The table of background jobs: the worker runs each line, and an index finds the due rows."""

from __future__ import annotations

import pytest
from sqlalchemy import inspect
from sqlmodel import select

from server.jobs import table
from server.jobs.job import Job, RowJob
from server.jobs.table import JOBS
from server.processes.services import Services
from server.processes.worker import Worker
from server.store.db import reading, writing
from server.store.models import Failure, Player
from server.store.outbox import ActionContext
from tests.support.machine.waiting import await_that
from tests.support.server.jobs import work_of
from tests.support.server.services import Clock

ROWS = [rows for job in JOBS for rows in job.rows]


def test_every_job_is_in_the_table_once() -> None:
    defined = [each for each in vars(table).values() if isinstance(each, RowJob)]
    assert len(ROWS) == len(defined) == len(set(map(id, ROWS)))
    assert [each for each in vars(table).values() if isinstance(each, Job)] == [*JOBS]
    assert len({job.name for job in JOBS}) == len(JOBS)


def test_due_rows_are_found_by_an_index(services: Services) -> None:
    for rows in ROWS:
        if rows.due is None:
            continue
        named = rows.due.property.columns[0]
        indexes = inspect(services.engine).get_indexes(named.table.name)
        assert any(index["column_names"][0] == named.name for index in indexes), str(named)


def test_worker_runs_all_jobs(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: set[str] = set()
    monkeypatch.setattr(Job, "run", lambda job, work: begun.add(job.name))
    worker = Worker(services, poll=0.02)
    for job in JOBS:
        monkeypatch.setitem(vars(job), "every", 0.02)
    worker.start()
    try:
        await_that(lambda: begun == {job.name for job in JOBS})
    finally:
        worker.stop()


def test_job_handles_each_due_row_and_retries_failed_rows_later(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    """A job handles each due row in its own transaction, and retries failed rows later."""

    refused = {ann.id}

    def greet(action: ActionContext, player: Player) -> None:
        player.digest_at = None
        player.bio = "Hello!"
        if player.id in refused:
            raise ValueError("not yet")

    job = Job("greeting", 1, rows=(RowJob("greeting", Player.digest_at, greet),))
    with writing(services.engine) as session:
        for player in (ann, ben):
            session.get_one(Player, player.id).digest_at = clock()
    for _ in range(2):
        job.run(work_of(services))
        with reading(services.engine) as session:
            assert [session.get_one(Player, player.id).bio for player in (ann, ben)] == ["", "Hello!"]
            failure = session.exec(select(Failure)).one()
            assert (failure.job, failure.player_id, failure.attempts) == ("greeting", ann.id, 1)
    clock.advance(minutes=1)
    refused.clear()
    job.run(work_of(services))
    with reading(services.engine) as session:
        assert session.get_one(Player, ann.id).bio == "Hello!"
        assert session.exec(select(Failure)).all() == []
