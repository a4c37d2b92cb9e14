"""Transactions that wait for one another."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import text

from server.processes.services import Services
from server.store.db import reading, writing
from server.store.outbox import ActionContext
from tests.support.machine.waiting import await_that

Result = TypeVar("Result")


def while_it_waits(
    services: Services, act: Callable[[], Result], meanwhile: Callable[[ActionContext], object]
) -> Result:
    """Return the result of `act`, which begins before the transaction of `meanwhile` has ended."""
    with ThreadPoolExecutor(1) as others:
        with writing(services.engine) as session:
            meanwhile(ActionContext(session, services.sealer, services.now()))
            session.flush()
            acting = others.submit(act)
            await_that(lambda: acting.done() or somebody_waits(services))
            assert not acting.done()
        return acting.result()


def somebody_waits(services: Services) -> bool:
    query = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with reading(services.engine) as session:
        return session.execute(text(query)).first() is not None
