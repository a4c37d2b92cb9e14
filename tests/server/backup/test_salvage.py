"""Damaged databases, from which all games that are not on damaged pages are salvaged."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlmodel import col, select

from server.backup.archive import BadBackup
from server.backup.salvaging import Salvaged, salvage
from server.cli import nabu
from server.game.integrity.log_check import check, numbers_of_games
from server.game.log import log
from server.processes.services import Services, open_services
from server.store import snapshot
from server.store.db import reading
from server.store.keys.check import WrongKey
from server.store.models import Game
from server.store.rollback import row_numbers
from tests.support.random_values import seeds
from tests.support.server.emails import receive, reply_address
from tests.support.server.games import begin, move
from tests.support.server.players import add_player
from tests.support.server.services import Clock, settings_for, sqlite_database

pytestmark = pytest.mark.slow

PAGE = 4096
MANY = 50
PLAYED_ON = 5
TYPES = ("nebuchadnezzar", "nibble", "nelaxtam")
_LEAVES = "SELECT pageno, ncell FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path"
_INTERIOR = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'internal'"
Damage = Callable[[bytes], bytes]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with fifty games of fifty players, after up to four turns."""
    return made(tmp_path_factory.mktemp("salvage"), MANY, 50)


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three games of two players."""
    return made(tmp_path_factory.mktemp("salvage"), 3, 2)


def made(folder: Path, games: int, people: int) -> Path:
    services = opened(folder, sqlite_database(folder))
    players = [add_player(services, f"p{each}@example.org", f"Player {each}") for each in range(people)]
    for number in range(games):
        which = TYPES[number % len(TYPES)]
        options = {"size": 10, "troops": 1, "sea": 0} if which == "nelaxtam" else {}
        game = begin(services, which, players[number % people], players[(number + 1) % people], **options)
        for _ in range(number % 5):
            move(services, game)
    services.close()
    snapshot.put_together(folder / "nabu.db")
    return folder / "nabu.db"


def opened(folder: Path, url: str = "") -> Services:
    return open_services(settings_for(url or f"sqlite:///{folder}/new/nabu.db"), Clock())


def salvaged(damaged: Path, folder: Path) -> Salvaged:
    before = damaged.read_bytes()
    done = salvage(settings_for(f"sqlite:///{damaged}"), damaged, folder / "new/nabu.db", Clock())
    assert damaged.read_bytes() == before
    assert [each.name for each in (folder / "new").iterdir()] == ["nabu.db"]
    return done


def damage(file: Path, page: int, change: Damage) -> None:
    with file.open("r+b") as opened_file:
        opened_file.seek((page - 1) * PAGE)
        content = opened_file.read(PAGE)
        opened_file.seek((page - 1) * PAGE)
        opened_file.write(change(content))


def zeros(page: bytes) -> bytes:
    return bytes(len(page))


def noise(page: bytes) -> bytes:
    return random.Random(5).randbytes(len(page))


def second_half(page: bytes) -> bytes:
    """Overwrite the rows, but not the header of the page."""
    return page[: PAGE // 2] + noise(page)[PAGE // 2 :]


def leaf(file: Path, table: str) -> tuple[int, int, int]:
    """Return a page of a table, and the rank of its first row and the number of its rows."""
    with closing(sqlite3.connect(file)) as database:
        leaves = database.execute(_LEAVES, (table,)).fetchall()
    middle = len(leaves) // 2
    page, rows = leaves[middle]
    return page, sum(count for _, count in leaves[:middle]), rows


def games_on(file: Path, table: str, first: int, rows: int) -> set[int]:
    """Return the games that need the rows of a table with these ranks."""
    column = {"game": "id", "player": "id"}.get(table, "game_id")
    with closing(sqlite3.connect(file)) as database:
        query = f"SELECT {column} FROM {table} ORDER BY rowid LIMIT ? OFFSET ?"  # noqa: S608 - ours
        found = {number for (number,) in database.execute(query, (rows, first))}
        if table == "player":
            seats = database.execute("SELECT game_id, player_id FROM seat").fetchall()
            return {game for game, player in seats if player in found}
    return found


def assert_goes_on(folder: Path, numbers: set[int]) -> None:
    """Check that exactly these games are in the new database, intact; play on in some, others in each test."""
    services = opened(folder)
    assert set(numbers_of_games(services.engine)) == numbers
    assert [number for number in sorted(numbers) if check(services.engine, services.sealer, number)] == []
    for number in random.Random(folder.name).sample(sorted(numbers), min(PLAYED_ON, len(numbers))):
        with reading(services.engine) as session:
            before = session.get_one(Game, number)
        if before.state == "running":
            move(services, number)
            if before.game_type != "nelaxtam":
                with reading(services.engine) as session:
                    assert session.get_one(Game, number).turn == before.turn + 1
    services.close()


@pytest.mark.long
@pytest.mark.parametrize("change", [zeros, noise, second_half], ids=lambda each: each.__name__)
@pytest.mark.parametrize("table", ["game", "entry", "seat", "player"])
def test_all_games_that_are_not_on_a_damaged_page_are_salvaged(
    world: Path, tmp_path: Path, table: str, change: Damage
) -> None:
    file = Path(shutil.copy(world, tmp_path))
    page, first, rows = leaf(world, table)
    damage(file, page, change)
    concerned = games_on(world, table, first, rows)
    assert 0 < len(concerned) < MANY // 2
    done = salvaged(file, tmp_path)
    everything = set(range(1, MANY + 1))
    if change is second_half:
        assert set(done.lost) <= concerned
    else:
        assert set(done.lost) == concerned
        assert done.damaged[table] > 0
    assert done.lost or change is second_half
    assert_goes_on(tmp_path, everything - set(done.lost))
    assert done.games == MANY - len(done.lost)


@pytest.mark.long
@pytest.mark.parametrize("table", ["entry", "seat", "game", "outbox", "sqlite_schema"])
def test_a_damaged_page_above_others_loses_no_game(world: Path, tmp_path: Path, table: str) -> None:
    file = Path(shutil.copy(world, tmp_path))
    with closing(sqlite3.connect(world)) as database:
        pages = [page for (page,) in database.execute(_INTERIOR, (table,))]
    assert pages
    for page in pages:
        damage(file, page, noise)
    assert salvaged(file, tmp_path).lost == {}
    assert_goes_on(tmp_path, set(range(1, MANY + 1)))


@pytest.mark.long
@pytest.mark.parametrize(("table", "other"), [("entry", "seat"), ("seat", "entry")])
def test_page_of_another_table_stays_with_it(world: Path, tmp_path: Path, table: str, other: str) -> None:
    """One pointer to a page is damaged and leads into the other table."""
    file = Path(shutil.copy(world, tmp_path))
    with closing(sqlite3.connect(world)) as database:
        [page, *_] = [page for (page,) in database.execute(_INTERIOR, (table,))]
    wrong, _, _ = leaf(world, other)

    def point(content: bytes) -> bytes:
        cell = int.from_bytes(content[12:14])
        return content[:cell] + wrong.to_bytes(4) + content[cell + 4 :]

    damage(file, page, point)
    done = salvaged(file, tmp_path)
    assert (done.lost, set(done.damaged) - {table}) == ({}, set())
    assert_goes_on(tmp_path, set(range(1, MANY + 1)))


def test_damaged_list_of_free_pages_loses_no_game(village: Path, tmp_path: Path) -> None:
    page, _, _ = leaf(village, "entry")
    file = Path(shutil.copy(village, tmp_path / "damaged.db"))
    damage(file, 1, lambda content: content[:32] + page.to_bytes(4) + content[36:])
    done = salvaged(file, tmp_path)
    assert (done.games, done.lost) == (3, {})


def test_damaged_name_of_an_index_loses_no_game(village: Path, tmp_path: Path) -> None:
    """SQLite writes its bytes, which are not UTF-8, into a message."""
    content = village.read_bytes()
    for old, new in (
        (b"indexix_inbox_turninbox", b"index\xcex_inbox_turninbox"),
        (b"INDEX ix_inbox_turn ", b"INDEX ix_inbox_turn)"),
    ):
        assert old in content
        content = content.replace(old, new)
    file = tmp_path / "damaged.db"
    file.write_bytes(content)
    with pytest.raises(UnicodeDecodeError), closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    done = salvaged(file, tmp_path)
    assert (done.games, done.lost) == (3, {})


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(1, of=5))
def test_games_are_intact_or_named_after_bytes_changed_anywhere(world: Path, tmp_path: Path, seed: int) -> None:
    """Each game is in the new database and intact, or it is named."""
    file, draw = Path(shutil.copy(world, tmp_path)), random.Random(seed)
    content = bytearray(file.read_bytes())
    for _ in range(200):
        content[draw.randrange(PAGE, len(content))] ^= 1 << draw.randrange(8)
    file.write_bytes(content)
    done = salvaged(file, tmp_path)
    assert_goes_on(tmp_path, set(range(1, MANY + 1)) - set(done.lost))


def test_players_reply_to_earlier_emails(village: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(village, tmp_path))
    damage(file, leaf(village, "login")[0], noise)
    earlier = opened(tmp_path, f"sqlite:///{village}")
    address = reply_address(earlier, 1, 0)
    with reading(earlier.engine) as session:
        most = session.exec(select(Game.id).order_by(col(Game.id).desc())).first() or 0
        email = log.seats(session, session.get_one(Game, 1))[0].player.email
    earlier.close()
    done = salvaged(file, tmp_path)
    assert (done.games, done.lost, done.damaged) == (3, {}, {"login": 1})
    services = opened(tmp_path)
    (answer,) = receive(services, email, address, "show")
    assert answer.letter == "show"
    ann, ben = (add_player(services, f"{name}@example.org", name) for name in ("Ann", "Ben"))
    assert begin(services, "nibble", ann, ben) > most + row_numbers.AT_LEAST
    services.close()


def test_moves_in_the_write_ahead_log_are_not_lost(village: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(village, tmp_path))
    services = opened(tmp_path, f"sqlite:///{file}")
    move(services, 1)
    with reading(services.engine) as session:
        turn = session.get_one(Game, 1).turn
    for name in ("", "-wal"):
        (tmp_path / "copy").mkdir(exist_ok=True)
        shutil.copy(f"{file}{name}", tmp_path / "copy")
    services.close()
    salvage(settings_for(f"sqlite:///{file}"), tmp_path / "copy/nabu.db", tmp_path / "new/nabu.db", Clock())
    services = opened(tmp_path)
    with reading(services.engine) as session:
        assert session.get_one(Game, 1).turn == turn
    services.close()


def test_an_existing_file_and_a_wrong_key_are_refused(village: Path, tmp_path: Path) -> None:
    settings = settings_for(f"sqlite:///{village}")
    new = tmp_path / "nabu.db"
    with pytest.raises(WrongKey):
        salvage(settings.model_copy(update={"secret_key": "x" * 32}), village, new)
    assert list(tmp_path.iterdir()) == []
    for name in ("nabu.db", "nabu.db-wal"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(BadBackup, match="never overwritten"):
            salvage(settings, village, new)
        assert (tmp_path / name).read_text() == "mine"
        (tmp_path / name).unlink()


@pytest.mark.parametrize(
    "content",
    [b"", b"not a database", bytes(3 * PAGE), noise(bytes(3 * PAGE))],
    ids=["empty", "text", "zeros", "noise"],
)
def test_a_file_without_readable_rows_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "damaged"
    file.write_bytes(content)
    with pytest.raises(BadBackup, match="has no readable rows"):
        salvage(settings_for(f"sqlite:///{file}"), file, tmp_path / "new/nabu.db", Clock())
    assert list((tmp_path / "new").iterdir()) == []


def test_the_command_names_lost_games(village: Path, tmp_path: Path) -> None:
    file, config = Path(shutil.copy(village, tmp_path)), tmp_path / "nabu.env"
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE entry SET hash = 'f' || substr(hash, 2) || 'f' WHERE game_id = 2")
        database.commit()
    config.write_text(
        f"NABU_SECRET_KEY={'k' * 32}\nNABU_MAIL_DOMAIN=games.example.org\nNABU_DATABASE_URL=sqlite:///{file}\n"
    )
    config.chmod(0o600)
    arguments = ["--config", str(config), "salvage", str(file), str(tmp_path / "new.db")]
    done = CliRunner().invoke(nabu, arguments)
    assert done.exit_code == 0, done.output
    assert "game 2 is lost: the log or what belongs to it is damaged: entry 0 does not match" in done.output
    assert "Games salvaged: 2. Lost: 1." in done.output
    again = CliRunner().invoke(nabu, arguments)
    assert again.exit_code == 1
    assert "never overwritten" in again.output
