"""Check that every row of the database can be read, and that the parts of a player's row match each other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Engine, LargeBinary, Table, select, tuple_
from sqlmodel import Session, SQLModel, col
from sqlmodel import select as select_rows

from mail.addresses import BadAddress, normalise
from server.accounts import players
from server.accounts.names import shape
from server.clock.digests import read_digest
from server.clock.errors import BadTime
from server.clock.reminders import read_reminders
from server.store import db
from server.store.models import Address, Player

_BATCH = 500


@dataclass(frozen=True)
class BadRow:
    """A row with a damaged value."""

    table: Table
    key: tuple[Any, ...]
    """The values of its primary key."""
    problem: str
    usable: Mapping[str, Any] = field(default_factory=dict)
    """Values with which the row can be used, the defaults of damaged preferences; empty if it cannot."""

    def __str__(self) -> str:
        return f"table {self.table.name}, row {' '.join(map(str, self.key))}: {self.problem}"


def damaged_rows(engine: Engine) -> Iterator[BadRow]:
    """Yield all rows with a damaged value, in batches, without a long transaction."""
    for table in SQLModel.metadata.sorted_tables:
        last: tuple[Any, ...] | None = None
        while True:
            with db.reading(engine) as session:
                keys = _next_keys(session, table, last)
                found = list(_unreadable(session, table, keys))
                if table.name == Player.__tablename__:
                    unreadable = {row.key for row in found}
                    whole = [key[0] for key in keys if key not in unreadable]
                    found += _mismatched(session, whole)
            yield from found
            if not keys:
                break
            last = keys[-1]


def _next_keys(session: Session, table: Table, last: tuple[Any, ...] | None) -> list[tuple[Any, ...]]:
    columns = list(table.primary_key.columns)
    query = select(*columns).order_by(*columns).limit(_BATCH)
    if last is not None:
        query = query.where(tuple_(*columns) > last)
    return [tuple(row) for row in session.execute(query)]


def _unreadable(session: Session, table: Table, keys: Sequence[tuple[Any, ...]]) -> Iterator[BadRow]:
    """Yield the rows among these that cannot be read; they are read one by one only if reading all fails."""
    if not keys:
        return
    columns = list(table.primary_key.columns)
    # Any bytes can be read, and keys decrypt them or do not: `log_check` and the letters find that.
    read = [column for column in table.columns if not isinstance(column.type, LargeBinary)]
    try:
        session.execute(select(*read).where(tuple_(*columns).between(keys[0], keys[-1]))).all()
    except ValueError as error:
        if len(keys) == 1:
            yield BadRow(table, keys[0], f"a value cannot be read ({type(error).__name__})")
            return
        half = len(keys) // 2
        for some in (keys[:half], keys[half:]):
            yield from _unreadable(session, table, some)


def _mismatched(session: Session, numbers: Sequence[int]) -> Iterator[BadRow]:
    """Yield the players among these whose name, address or time zone is damaged."""
    addresses = select_rows(Address.player_id, Address.email).where(col(Address.player_id).in_(numbers))
    known = set(session.exec(addresses).all())
    found = select_rows(Player).where(col(Player.id).in_(numbers)).order_by(col(Player.id))
    for player in session.exec(found):
        problem = _problem(player, known)
        usable = {} if problem else _defaults_of_damaged(player)
        if problem or usable:
            problem = problem or f"{' and '.join(usable)} cannot be read"
            yield BadRow(SQLModel.metadata.tables["player"], (player.id,), problem, usable)


def _problem(player: Player, known: set[tuple[int, str]]) -> str:
    if (player.name_key, player.name_shape) != (player.name.casefold(), shape(player.name)):
        return "the name does not match the forms of it that look-ups use"
    if player.email and (player.id, player.email) not in known:
        return "the main address is not one of the player's addresses"
    try:
        if player.email and normalise(player.email) != player.email:
            return "the main address is not written as Nabu writes it"
    except BadAddress:
        return "the main address is not an email address"
    return ""


def _defaults_of_damaged(player: Player) -> dict[str, Any]:
    """Return the default values of the columns that contain no time zone, reminders or digest."""
    found: dict[str, Any] = {}
    readers: dict[str, Callable[[], object]] = {
        "zone": lambda: players.zone(player),
        "reminders": lambda: read_reminders(player.reminders),
        "digest": lambda: read_digest(player.digest, ZoneInfo("UTC")),
    }
    for column, read in readers.items():
        try:
            read()
        except (BadTime, KeyError, ValueError):
            found[column] = Player.__table__.c[column].default.arg  # type: ignore[attr-defined]
    return found
