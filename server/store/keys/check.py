"""Check that the settings name all secret keys that the database needs; otherwise no process starts.

The database has a mark of each key that has sealed something, until `nabu admin rotate-key` replaces the key.
"""

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import Column, Engine, text
from sqlalchemy import select as sql_select
from sqlmodel import Session, SQLModel, col, delete, select

from server.store.db import reading, writing
from server.store.keys.sealing import Sealer
from server.store.models import KnownKey

_LOOK = 10
"""The number of oldest and of newest sealed rows to test if the database has no marks yet."""


class WrongKey(Exception):
    """Raised if the database was written with a key that is not in the settings."""

    def __init__(self) -> None:
        super().__init__(
            "NABU_SECRET_KEY is not the key that this database was written with. Restore that key or, to "
            "change it, add the earlier one to NABU_OLD_SECRET_KEYS and run nabu admin rotate-key."
        )


def admit(engine: Engine, sealer: Sealer, now: datetime) -> None:
    """Record the current key as used. Raises WrongKey unless the settings name all keys of the database."""
    with reading(engine) as session:
        known = _known(session)
    if sealer.marks[0] in known and known <= set(sealer.marks):
        return
    with writing(engine) as session:
        if engine.dialect.name == "postgresql":
            # If two processes start first with different keys, the second has to see the mark of the first.
            session.execute(text("LOCK TABLE knownkey IN EXCLUSIVE MODE"))
        needed = _needed(session, sealer)
        if not needed <= set(sealer.marks):
            raise WrongKey
        new = {sealer.marks[0], *needed} - _known(session)
        session.add_all(KnownKey(mark=mark, since=now) for mark in new)


def are_all_named(engine: Engine, sealer: Sealer) -> bool:
    """Return whether the settings of this process still name every key that the database needs."""
    with reading(engine) as session:
        return _known(session) <= set(sealer.marks)


def forget_others(session: Session, sealer: Sealer) -> None:
    """Delete the marks of all keys except the current one, after all data was encrypted with it."""
    session.execute(delete(KnownKey).where(col(KnownKey.mark) != sealer.marks[0]))


def _known(session: Session) -> set[str]:
    return set(session.exec(select(KnownKey.mark)))


def _needed(session: Session, sealer: Sealer) -> set[str]:
    """Return the marks of the keys that the database needs; "" for a key that is not in the settings.

    A database without marks needs the keys that open some sample rows.
    """
    known = _known(session)
    samples = next(filter(None, (_samples(session, column) for column in _sealed_columns())), [])
    if known or not samples:
        return known
    return {mark for sealed in samples if (mark := sealer.opened_by(sealed)) is not None} or {""}


def _sealed_columns() -> Iterator[Column[bytes]]:
    """Yield the columns with sealed content, first the seeds of games, which are never deleted."""
    tables = sorted(SQLModel.metadata.sorted_tables, key=lambda table: table.name != "game")
    for table in tables:
        yield from (column for column in table.columns if column.name.startswith("sealed"))


def _samples(session: Session, column: Column[bytes]) -> list[bytes]:
    """Return the sealed contents of the oldest and the newest rows."""
    keys = list(column.table.primary_key.columns)
    query = sql_select(column).where(column.is_not(None)).limit(_LOOK)
    orders = (keys, [key.desc() for key in keys])
    return [sealed for order in orders for sealed in session.scalars(query.order_by(*order))]
