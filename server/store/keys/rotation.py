"""Rotation of the secret key: all data is encrypted with the new key, so that older keys can be deleted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Engine, select, tuple_, update
from sqlmodel import Session, SQLModel

from server.store.db import writing
from server.store.keys import check
from server.store.keys.sealing import Sealer, UnknownKey

BATCH = 200
"""Number of rows to lock at a time."""


@dataclass
class Resealed:
    """The result for one column: how many rows were encrypted again, were current, or cannot be decrypted."""

    column: str
    renewed: int = 0
    current: int = 0
    unreadable: int = 0


def reseal_all(engine: Engine, sealer: Sealer, batch: int = BATCH) -> Iterator[Resealed]:
    """Encrypt all data with the current key, column by column, `batch` rows at a time; yield the results.

    It can be interrupted and repeated at any time, while Nabu is running. Rows that no key decrypts stay
    unchanged. At the end, the marks of all other keys are deleted.
    """
    for table in SQLModel.metadata.sorted_tables:
        for column in table.columns:
            if column.name.startswith("sealed"):
                yield _reseal(engine, sealer, table.c[column.name], batch)
    with writing(engine) as session:
        check.forget_others(session, sealer)


def _reseal(engine: Engine, sealer: Sealer, column: Column[Any], batch: int) -> Resealed:
    done = Resealed(str(column))
    last: tuple[Any, ...] | None = None
    while True:
        with writing(engine) as session:
            rows = _lock_rows(session, column, last, batch)
            for row in rows:
                _reseal_row(session, sealer, column, row, done)
        if not rows:
            return done
        last = rows[-1][:-1]


def _lock_rows(
    session: Session, column: Column[Any], last: tuple[Any, ...] | None, batch: int
) -> list[tuple[Any, ...]]:
    """Return the rows after the one with the primary key `last`: their primary keys and sealed contents."""
    names = list(column.table.primary_key.columns)
    query = select(*names, column).where(column.is_not(None))
    if last is not None:
        query = query.where(tuple_(*names) > last)
    return [tuple(row) for row in session.execute(query.order_by(*names).limit(batch).with_for_update())]


def _reseal_row(
    session: Session, sealer: Sealer, column: Column[Any], row: tuple[Any, ...], done: Resealed
) -> None:
    *key, sealed = row
    try:
        renewed = sealer.renew(sealed)
    except UnknownKey:
        done.unreadable += 1
        return
    if renewed is None:
        done.current += 1
        return
    names = column.table.primary_key.columns
    this = [name == value for name, value in zip(names, key, strict=True)]
    session.execute(update(column.table).where(*this).values({column.name: renewed}))
    done.renewed += 1
