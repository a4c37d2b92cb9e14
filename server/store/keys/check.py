"""The secret keys that a database was written with: nothing starts with others.

Each key that has sealed something is known by a mark until `nabu admin rotate-key` makes it needless.
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
"""If no key is known yet, one of this many sealed rows, the oldest and the newest, has to open."""


class WrongKey(Exception):
    """The database was written with a key that the settings do not name."""

    def __init__(self) -> None:
        super().__init__(
            "NABU_SECRET_KEY is not the key that this database was written with. Put that one back or, to "
            "change it, add the earlier one to NABU_OLD_SECRET_KEYS and run nabu admin rotate-key."
        )


def admit(engine: Engine, sealer: Sealer, now: datetime) -> None:
    """Note the key in use. Raises WrongKey unless the settings name every key that the database needs."""
    with reading(engine) as session:
        known = _known(session)
    if sealer.marks[0] in known and known <= set(sealer.marks):
        return
    with writing(engine) as session:
        if engine.dialect.name == "postgresql":
            # If two come first with different keys, the second has to see what the first noted.
            session.execute(text("LOCK TABLE knownkey IN EXCLUSIVE MODE"))
        needed = _needed(session, sealer)
        if not needed <= set(sealer.marks):
            raise WrongKey
        new = {sealer.marks[0], *needed} - _known(session)
        session.add_all(KnownKey(mark=mark, since=now) for mark in new)


def are_all_named(engine: Engine, sealer: Sealer) -> bool:
    """Whether the settings that this process began with name every key that is in use by now."""
    with reading(engine) as session:
        return _known(session) <= set(sealer.marks)


def forget_others(session: Session, sealer: Sealer) -> None:
    """Forget all keys but the one in use: whatever they sealed was sealed anew."""
    session.execute(delete(KnownKey).where(col(KnownKey.mark) != sealer.marks[0]))


def _known(session: Session) -> set[str]:
    return set(session.exec(select(KnownKey.mark)))


def _needed(session: Session, sealer: Sealer) -> set[str]:
    """The marks of the keys that the database needs; "" stands for one that the settings do not name.

    A database from before keys were noted needs those that open what is there.
    """
    known = _known(session)
    samples = next(filter(None, (_samples(session, column) for column in _sealed_columns())), [])
    if known or not samples:
        return known
    return {mark for sealed in samples if (mark := sealer.opened_by(sealed)) is not None} or {""}


def _sealed_columns() -> Iterator[Column[bytes]]:
    """The columns with sealed content, first the seeds of games, which stay as long as the database."""
    tables = sorted(SQLModel.metadata.sorted_tables, key=lambda table: table.name != "game")
    for table in tables:
        yield from (column for column in table.columns if column.name.startswith("sealed"))


def _samples(session: Session, column: Column[bytes]) -> list[bytes]:
    """What the oldest and the newest rows hold."""
    keys = list(column.table.primary_key.columns)
    query = sql_select(column).where(column.is_not(None)).limit(_LOOK)
    orders = (keys, [key.desc() for key in keys])
    return [sealed for order in orders for sealed in session.scalars(query.order_by(*order))]
