"""Complete turns with several mail and worker processes over one PostgreSQL, and the cost of each."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Connection, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from server.bench.harness.databases import new_database
from server.bench.harness.processes import parent_of
from server.bench.turn import SETTLED, GameRunner, TurnMeasurement, opened

POSTGRESQL = "PostgreSQL"
_LOOK = 0.05
"""Seconds between two looks at the locks for which sessions wait."""
_TRANSACTIONS = text("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = :name")
_STATEMENTS = text(
    "SELECT sum(calls) FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid "
    "WHERE datname = :name AND query !~ '^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)'"
)
_SESSIONS = text(
    "SELECT count(*), count(*) FILTER (WHERE wait_event_type = 'Lock') FROM pg_stat_activity "
    "WHERE datname = :name"
)


@dataclass(frozen=True)
class RunCost:
    """The cost of a run, with `each` processes for mail and for work, including these looks."""

    each: int
    measured: TurnMeasurement
    transactions: float
    """Transactions per turn."""
    statements: float | None
    """Statements per turn, without those that begin and end transactions; None without `pg_stat_statements`."""
    waiting: float
    """Seconds per turn for which sessions waited for locks of others, all of them together."""
    connections: int
    """The most connections to the database."""

    def cpu(self, role: str) -> float | None:
        """Return the CPU seconds per turn of a role; None for a PostgreSQL on another machine."""
        spent = self.measured.cpu.get(role)
        return None if spent is None else spent / self.measured.turns


def run(server: str, each: int, game_type: str, games: int, turns: int) -> RunCost:
    """Play this many turns with this many processes of each role, in a new database on the server of
    this URL.
    """
    table = GameRunner(turns, before=max(games, 4 * each))
    with new_database(server) as url, _observer(server, str(make_url(url).database)) as observer:
        with opened(table, url, game_type, games, each) as (senders, processes):
            table.warm_up(senders)
            time.sleep(SETTLED)
            transactions, statements = observer.counted()
            with observer.watching() as seen:
                measured = table.play(senders, {**processes, **observer.processes()})
        observer.wait_until_alone()
        after = observer.counted()
    return RunCost(
        each,
        measured,
        (after[0] - transactions) / turns,
        None if after[1] is None or statements is None else (after[1] - statements) / turns,
        seen.waiting / turns,
        seen.connections,
    )


@dataclass
class _Seen:
    """Observations of the sessions."""

    waiting: float = 0
    connections: int = 0


@dataclass
class _Observer:
    """Observes one database of a server through a connection to another one."""

    connection: Connection
    name: str
    _ended: threading.Event = field(default_factory=threading.Event)

    def counted(self) -> tuple[int, int | None]:
        """Return the transactions and statements that its sessions have reported, as they do once a second."""
        transactions = int(self._ask(_TRANSACTIONS)[0])
        try:
            return transactions, int(self._ask(_STATEMENTS)[0] or 0)
        except DBAPIError:  # the extension is not installed
            return transactions, None

    def processes(self) -> dict[str, list[int]]:
        """Return the server's first process, if it runs on this machine: the others are its children."""
        backend = self.connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
        first = parent_of(backend, "postgres")
        return {} if first is None else {POSTGRESQL: [first]}

    def wait_until_alone(self) -> None:
        """Wait until all sessions have ended, so that they have reported everything."""
        while self._ask(_SESSIONS)[0]:
            time.sleep(_LOOK)

    @contextmanager
    def watching(self) -> Iterator[_Seen]:
        """Observe the sessions meanwhile."""
        seen = _Seen()
        watch = threading.Thread(target=self._watch, args=(seen,), daemon=True)
        watch.start()
        try:
            yield seen
        finally:
            self._ended.set()
            watch.join()

    def _watch(self, seen: _Seen) -> None:
        last = time.monotonic()
        while not self._ended.wait(_LOOK):
            connections, waiting = self._ask(_SESSIONS)
            now = time.monotonic()
            seen.waiting += waiting * (now - last)
            seen.connections = max(seen.connections, connections)
            last = now

    def _ask(self, question: object) -> Sequence[int]:
        return self.connection.execute(question, {"name": self.name}).one()  # type: ignore[call-overload, no-any-return]


@contextmanager
def _observer(server: str, name: str) -> Iterator[_Observer]:
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            yield _Observer(connection, name)
    finally:
        engine.dispose()
