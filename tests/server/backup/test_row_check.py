"""`nabu admin check` names flipped bytes in rows and indexes, and rows that an index lacks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from server.backup import row_check
from server.cli import nabu
from server.processes.services import Services
from server.store import snapshot
from server.store.database_health import index_faults
from server.store.models import Player
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.server.services import environment_of

PAGE = 4096
on_sqlite = pytest.mark.parametrize("database", ["sqlite"])


@pytest.fixture
def file(services: Services, tmp_path: Path) -> Path:
    """A database with a game of two players, in one file, that nobody uses."""
    players = [add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben")]
    begin(services, "nibble", *players)
    services.engine.dispose()
    snapshot.put_together(tmp_path / "nabu.db")
    return tmp_path / "nabu.db"


def flip(file: Path, table: str, before: bytes, after: bytes) -> None:
    """Replace bytes on the pages of a table or an index."""
    with closing(sqlite3.connect(file)) as database:
        pages = [page for (page,) in database.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,))]
    content = bytearray(file.read_bytes())
    found = [place for page in pages if (place := content.find(before, (page - 1) * PAGE, page * PAGE)) >= 0]
    assert found
    content[found[0] : found[0] + len(before)] = after
    file.write_bytes(content)


def check(services: Services) -> tuple[int, str]:
    done = CliRunner().invoke(nabu, ["admin", "check"], env=environment_of(services.settings))
    return done.exit_code, done.output


def test_an_intact_database_has_no_damage(services: Services, ann: Player, ben: Player) -> None:
    begin(services, "nibble", ann, ben)
    assert list(row_check.damaged_rows(services.engine)) == []
    assert list(index_faults(services.engine)) == []
    assert check(services)[0] == 0


@on_sqlite
@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        (b"Benben", b"Bfnben", "the name does not match the forms of it that look-ups use"),
        (b"ben@example.org", b"bfn@example.org", "the main address is not one of the player's addresses"),
        (b"half, day", b"half, dqy", "reminders cannot be read"),
    ],
)
def test_a_flipped_byte_in_a_player_is_named(
    services: Services, file: Path, before: bytes, after: bytes, problem: str
) -> None:
    flip(file, "player", before, after)
    code, told = check(services)
    assert code == 1
    assert f"table player, row 2: {problem}" in told or f"table player, row 1: {problem}" in told


@on_sqlite
def test_a_flipped_byte_in_a_moment_is_named(services: Services, file: Path) -> None:
    flip(file, "game", b"2026-03-01", b"2026-93-01")
    code, told = check(services)
    assert code == 1
    assert "table game, row 1: a value cannot be read (ValueError)" in told


@on_sqlite
@pytest.mark.parametrize("index", ["sqlite_autoindex_player_1", "ix_outbox_recipient"])
def test_a_flipped_byte_in_an_index_is_named(services: Services, file: Path, index: str) -> None:
    before = {"sqlite_autoindex_player_1": (b"ben", b"bfn")}.get(
        index, (b"ben@example.org", b"bfn@example.org")
    )
    flip(file, index, *before)
    code, told = check(services)
    assert code == 1
    assert f"missing from index {index}" in told
    assert "The database is damaged." in told


@pytest.fixture
def wrong_index(services: Services) -> Iterator[str]:
    """An index of PostgreSQL whose keys are no longer those of its rows."""
    with services.engine.execution_options(writing=True).begin() as connection:
        for line in (
            "CREATE EXTENSION IF NOT EXISTS amcheck",
            "CREATE FUNCTION wrong(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'",
            "CREATE INDEX ix_wrong ON player (wrong(name))",
            "CREATE OR REPLACE FUNCTION wrong(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1 || 1'",
        ):
            connection.execute(text(line))
    yield "ix_wrong"
    with services.engine.execution_options(writing=True).begin() as connection:
        for line in ("DROP INDEX ix_wrong", "DROP FUNCTION wrong(text)", "DROP EXTENSION amcheck"):
            connection.execute(text(line))


@pytest.mark.parametrize("database", ["postgresql"])
def test_postgresql_names_an_index_that_lacks_a_row(services: Services, ann: Player, wrong_index: str) -> None:
    [fault] = index_faults(services.engine)
    assert fault.startswith(f"index {wrong_index}: ")
    assert "lacks matching index tuple" in fault
