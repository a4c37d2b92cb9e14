"""Row numbers: no number is used twice, even after rows were deleted or lost in a database rollback.

Signed addresses and links contain the numbers of games, players and emails, and remain valid in mailboxes. In
SQLite such tables use a sequence (`sqlite_autoincrement`); in PostgreSQL all tables do.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, column, func, select, table, text, update
from sqlmodel import SQLModel

from server.store.models import Player

AT_LEAST = 1000
"""The minimum of numbers to skip."""
_A_MINUTE = 10
"""An upper limit of the numbers used in a minute, averaged over months."""
_FIRST = datetime(2026, 11, 1, tzinfo=UTC)
"""A time before any database rollback."""

_LAST_OF_SQLITE = text("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = :name")
_COUNT_SEQUENCES = text("SELECT count(*) FROM sqlite_master WHERE name = :name AND sql LIKE '%AUTOINCREMENT%'")
_SEQUENCE = text("SELECT pg_get_serial_sequence(:name, 'id')")
_LAST_OF_POSTGRESQL = text("SELECT coalesce(pg_sequence_last_value(CAST(:sequence AS regclass)), 0)")
_SET = text("SELECT setval(:sequence, :number)")


def skip(connection: Connection, now: datetime) -> None:
    """Skip at least as many numbers as were ever used, and `AT_LEAST`, because lost rows may have used them.

    The number of skipped ones grows with time: the same backup may be restored again later, which loses the
    rows created since the first time.
    """
    since = max(0, (now - _FIRST) // timedelta(minutes=1)) * _A_MINUTE
    for each in SQLModel.metadata.sorted_tables:
        if each.dialect_options["sqlite"]["autoincrement"]:
            found = last(connection, each.name)
            go_on(connection, each.name, found + max(AT_LEAST, found) + since)
    connection.execute(update(Player).values(login_serial=Player.login_serial + AT_LEAST + since))


def last(connection: Connection, name: str) -> int:
    """Return the highest number ever used in a table with the column `id`; 0 if none was."""
    highest = connection.execute(select(func.max(column("id"))).select_from(table(name))).scalar() or 0
    return max(highest, _last_in_sequence(connection, name))


def go_on(connection: Connection, name: str, number: int) -> None:
    """Make the numbers of a table continue after `number`.

    SQLite without a sequence continues after the last row in any case.
    """
    if number == 0:
        return
    if connection.dialect.name == "postgresql":
        sequence = _sequence(connection, name)
        if sequence is not None:
            connection.execute(_SET, {"sequence": sequence, "number": number})
    elif _has_sequence(connection, name):
        given = {"name": name, "number": number}
        connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": name})
        connection.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :number)"), given)


def _last_in_sequence(connection: Connection, name: str) -> int:
    """Return the last number from the sequence of a table; 0 if there is none."""
    if connection.dialect.name == "postgresql":
        sequence = _sequence(connection, name)
        found = (
            None
            if sequence is None
            else connection.execute(_LAST_OF_POSTGRESQL, {"sequence": sequence}).scalar()
        )
        return int(found or 0)
    if not _has_sequence(connection, name):
        return 0
    return int(connection.execute(_LAST_OF_SQLITE, {"name": name}).scalar_one())


def _sequence(connection: Connection, name: str) -> str | None:
    return connection.execute(_SEQUENCE, {"name": f'"{name}"'}).scalar()


def _has_sequence(connection: Connection, name: str) -> bool:
    return bool(connection.execute(_COUNT_SEQUENCES, {"name": name}).scalar())
