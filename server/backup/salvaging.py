"""Salvage the intact games of a damaged SQLite file into a new one."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Column, ColumnElement, Table, delete, select, text, update
from sqlmodel import Session, SQLModel, col
from sqlmodel import select as select_rows

from server.backup import row_check
from server.backup.archive import BadBackup
from server.backup.restoring import JOURNALS, refuse_existing, services_of
from server.backup.sqlite_pages import SCHEMA, Pages, TableForm, forms
from server.game.integrity import log_check
from server.processes.services import Services, utc_now
from server.settings import Settings
from server.store import schema
from server.store.db import writing
from server.store.keys import check
from server.store.models import Game, KnownKey, Outbox, Player, Seat
from server.store.rollback import history, row_numbers

_UNFINISHED = ".nabu-salvage-"
_PIECE = 4096
_CHECK_AT_THE_END = text("PRAGMA defer_foreign_keys = ON")
_OF_GAMES = [table for table in SQLModel.metadata.sorted_tables if "game_id" in table.columns]


@dataclass(frozen=True)
class Salvaged:
    """The result: the number of games in the new database, and the reasons for the lost ones, by number."""

    games: int
    lost: dict[int, str]
    damaged: dict[str, int]
    """The number of damaged pages and rows by table."""


def salvage(settings: Settings, damaged: Path, new: Path, now: Callable[[], datetime] = utc_now) -> Salvaged:
    """Copy the players and all games whose logs are intact into a new file, completely or not at all.

    The damaged file is only read. Raises BadBackup or WrongKey.
    """
    refuse_existing(new)
    new.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=_UNFINISHED, dir=new.parent) as work:
        copy, made = Path(work, "damaged.db"), Path(work, "nabu.db")
        _copy(damaged, copy)
        with services_of(settings, made, now) as services:
            schema.upgrade(services.engine)
        counts = _fill(made, copy, damaged)
        with services_of(settings, made, now) as services:
            check.admit(services.engine, services.sealer, now())
            lost = _keep_intact(services, counts)
            games = len(list(log_check.numbers_of_games(services.engine)))
        made.rename(new)
    return Salvaged(games, lost, counts)


def _copy(damaged: Path, copy: Path) -> None:
    """Copy a file with its journals, and merge these; parts that the disk cannot read become zeros."""
    for journal in ("", *JOURNALS):
        source = Path(f"{damaged}{journal}")
        if journal == "-shm" or not source.exists():
            continue  # SQLite derives it from the journal
        with source.open("rb") as read, Path(f"{copy}{journal}").open("wb") as written:
            for start in range(0, source.stat().st_size, _PIECE):
                try:
                    read.seek(start)
                    written.write(read.read(_PIECE))
                except OSError:
                    written.seek(start)
                    written.write(bytes(_PIECE))
    # Messages about errors contain names from the file.
    with suppress(sqlite3.DatabaseError, UnicodeDecodeError), closing(sqlite3.connect(copy)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _fill(made: Path, copy: Path, damaged: Path) -> dict[str, int]:
    """Copy all readable rows into the new file; return the number of damaged pages and rows by table."""
    tables = forms(made)
    with copy.open("rb") as file, closing(sqlite3.connect(made)) as target:
        pages = Pages.open(file)
        # A damaged list of tables does not matter: the first pages are the same in each new database.
        for kind, name, _, root, _ in pages.rows("", SCHEMA):
            if kind == "table" and isinstance(name, str) and name in tables and isinstance(root, int):
                tables[name] = replace(tables[name], root=root)
        _check_version(pages, tables.pop(schema.VERSION_TABLE))
        for name, form in tables.items():
            for row in pages.rows(name, form):
                _insert(target, name, form, row, pages)
        for name, row in pages.stray_rows(tables):
            _insert(target, name, tables[name], row, pages)
        if not target.total_changes:
            raise BadBackup(
                f"{damaged} has no readable rows: it is not a SQLite database of Nabu, or too damaged."
            )
        target.execute(f"DELETE FROM {KnownKey.__tablename__}")  # noqa: S608 - the sealed rows are more reliable
        target.commit()
    pages.lost.pop("", None)
    return pages.lost


def _check_version(pages: Pages, form: TableForm) -> None:
    for (found,) in pages.rows(schema.VERSION_TABLE, form):
        if found != schema.newest():
            raise BadBackup(
                f"The database has the schema {found!r}, but this version of Nabu has {schema.newest()}. Use "
                "the version that wrote it, then upgrade the new database."
            )


def _insert(
    target: sqlite3.Connection, name: str, form: TableForm, row: tuple[object, ...], pages: Pages
) -> None:
    columns = ", ".join(f'"{column}"' for column in form.columns[: len(row)])
    # Two rows with the same key: one of them is damaged, or a remainder of a deleted one.
    statement = f'INSERT OR IGNORE INTO "{name}" ({columns}) VALUES ({", ".join("?" * len(row))})'  # noqa: S608 - ours
    if not target.execute(statement, row).rowcount:
        pages.lost[name] = pages.lost.get(name, 0) + 1


def _keep_intact(services: Services, counts: dict[str, int]) -> dict[int, str]:
    """Delete everything that is damaged, and all games that cannot go on; return the reasons by game."""
    engine, sealer, now = services.engine, services.sealer, services.now()
    broken = list(row_check.damaged_rows(engine))
    with writing(engine) as session:
        session.execute(_CHECK_AT_THE_END)
        for each in broken:
            counts[each.table.name] = counts.get(each.table.name, 0) + 1
            this = _has_key(each.table, each.key)
            change = update(each.table).where(*this).values(each.usable) if each.usable else None
            session.execute(delete(each.table).where(*this) if change is None else change)
        for column in _sealed_columns():
            _drop_unreadable(services, session, column, counts)
        lost = _incomplete(session)
        _delete_games(session, lost)
        _delete_orphans(session)
    for number in list(log_check.numbers_of_games(engine)):
        found = log_check.check(engine, sealer, number)
        if found.lost:
            lost[number] = "; ".join(found.lost)
        elif found.derived:
            log_check.repair(engine, sealer, number, now)
    with writing(engine) as session:
        session.execute(_CHECK_AT_THE_END)
        _delete_games(session, lost)
        _delete_orphans(session)
        row_numbers.skip(session.connection(), now)
        history.raise_generation(session, now)
    return dict(sorted(lost.items()))


def _has_key(table: Table, key: tuple[object, ...]) -> list[ColumnElement[bool]]:
    return [column == value for column, value in zip(table.primary_key.columns, key, strict=True)]


def _sealed_columns() -> Iterator[Column[bytes]]:
    """Yield the columns with sealed content, except the seeds of games, which cannot be missing."""
    for table in SQLModel.metadata.sorted_tables:
        yield from (
            column for column in table.columns if column.name.startswith("sealed") and table.name != "game"
        )


def _drop_unreadable(
    services: Services, session: Session, column: Column[bytes], counts: dict[str, int]
) -> None:
    """Delete content that no key opens: in an optional column the value, otherwise the row."""
    table = column.table
    keys = list(table.primary_key.columns)
    for *key, sealed in session.execute(select(*keys, column).where(column.is_not(None))).all():
        if services.sealer.opened_by(sealed) is not None:
            continue
        counts[table.name] = counts.get(table.name, 0) + 1
        this = _has_key(table, tuple(key))
        session.execute(
            update(table).where(*this).values({column.name: None})
            if column.nullable
            else delete(table).where(*this)
        )


def _incomplete(session: Session) -> dict[int, str]:
    """Return the games whose own row or the row of one of their players is missing, with the reason."""
    games = set(session.exec(select_rows(Game.id)))
    lost: dict[int, str] = {}
    for table in _OF_GAMES:
        column = table.c.game_id
        if column.foreign_keys:
            for number in session.execute(select(column).where(column.is_not(None)).distinct()).scalars():
                if number not in games:
                    lost[number] = "its row is damaged"
    for seat in session.exec(select_rows(Seat).where(col(Seat.player_id).not_in(select_rows(Player.id)))):
        lost.setdefault(seat.game_id, f"the row of player {seat.player_id} is damaged")
    return lost


def _delete_games(session: Session, lost: dict[int, str]) -> None:
    """Delete games with everything that belongs to them, and the emails about them that were not sent."""
    for number in lost:
        for table in reversed(_OF_GAMES):
            if table.c.game_id.foreign_keys:
                session.execute(delete(table).where(table.c.game_id == number))
        session.execute(delete(Outbox).where(col(Outbox.game_id) == number, col(Outbox.state) != "sent"))
        session.execute(delete(Game).where(col(Game.id) == number))


def _delete_orphans(session: Session) -> None:
    """Delete references to missing rows: in an optional column the value, otherwise the row."""
    for table in SQLModel.metadata.sorted_tables:
        for column in table.columns:
            for key in column.foreign_keys:
                lacks = column.is_not(None) & column.not_in(select(key.column))
                session.execute(
                    update(table).where(lacks).values({column.name: None})
                    if column.nullable
                    else delete(table).where(lacks)
                )
