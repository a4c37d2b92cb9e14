"""The databases, and what may befall them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from server.store import schema
from server.store.engines import connect
from tests.soak.disk import Disk
from tests.support.database.patroni import Machine, running_cluster
from tests.support.database.postgres import running_server
from tests.support.machine.waiting import await_that
from tests.support.server.services import settings_for, sqlite_database

_HELD = 6.0
"""Seconds for which a stranger holds the lock of SQLite: a second more than anybody waits for it."""


_WITHOUT_ETCD = 45.0
"""Seconds without etcd: longer than the leader may be silent."""


class Store:
    """A database; `troubles` befall it one at a time, and are over when they return."""

    def __init__(
        self, url: str, troubles: Mapping[str, Callable[[], None]], repair: Callable[[], None]
    ) -> None:
        self.url = url
        self.troubles = troubles
        self.repair = repair
        """Has it run again, whatever a full disk did to it."""


@contextmanager
def sqlite(disk: Disk) -> Iterator[Store]:
    """SQLite, whose troubles are others who use it."""
    url = sqlite_database(disk.folder)
    file = url.removeprefix("sqlite:///")

    def hold() -> None:
        with sqlite3.connect(file, timeout=60, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(_HELD)
            other.execute("ROLLBACK")

    def copy() -> None:
        with sqlite3.connect(file, timeout=60) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    yield Store(url, {"database locked": hold, "database checkpointed": copy}, lambda: None)


@contextmanager
def postgresql(disk: Disk) -> Iterator[Store]:
    """PostgreSQL, which is stopped and started."""
    with running_server(disk.folder) as server:
        name = server.make_database()
        engine = connect(server.url(name))
        schema.upgrade(engine)
        engine.dispose()
        troubles = {
            "database restarted": server.restart,
            "database fell over": lambda: server.restart("immediate"),
        }
        yield Store(server.url(name), troubles, server.ensure)


@contextmanager
def patroni(disk: Disk) -> Iterator[Store]:
    """Two PostgreSQL servers under Patroni, as in `deploy/patroni`; each trouble ends with both in use."""
    with running_cluster(disk.folder, hurried=False) as cluster:
        url = settings_for(cluster.url()).database_url
        engine = connect(url)
        schema.upgrade(engine)
        engine.dispose()

        def lose(machine: Machine) -> None:
            other = cluster.other(machine)
            machine.lose()
            await_that(lambda: other.is_as("primary"))
            repair()

        def lose_etcd() -> None:
            leader = cluster.leader
            for machine in cluster.machines:
                machine.lose_etcd()
            time.sleep(_WITHOUT_ETCD)
            assert leader.say("SELECT pg_is_in_recovery()") == [False], "without etcd, the leader continues"
            repair()

        def repair() -> None:
            for machine in cluster.machines:
                machine.start()
            cluster.await_standby()

        troubles = {
            "leader lost": lambda: lose(cluster.leader),
            "leader changed": cluster.change_leader,
            "standby lost": lambda: lose(cluster.other(cluster.leader)),
            "etcd lost": lose_etcd,
        }
        yield Store(url, troubles, repair)
