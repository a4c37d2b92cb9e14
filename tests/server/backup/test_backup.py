"""Backups of running games, and games that continue after a restore: on both databases, and across them."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

import pyrage
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DataError
from sqlmodel import Session, col, select

from mail.incoming.receiving import Received
from rules.registry import RULES
from server.accounts.login.links import Logins
from server.admin.health import health
from server.backup import archive, restoring
from server.backup.archive import BackupKey, BadBackup, Lock
from server.backup.making import make
from server.backup.restoring import Restored
from server.game.integrity.log_check import check, numbers_of_games
from server.game.log import log
from server.jobs import downtime
from server.jobs.table import CLOCK
from server.processes.services import Services, open_services
from server.store import engines, schema, snapshot
from server.store.db import reading, writing
from server.store.keys.check import WrongKey
from server.store.models import Entry, Game, Inbox, Pause, Player, Seat
from server.store.rollback import row_numbers
from server.web import create_app
from tests.stored.copies import FACTS, open_copy, unpack
from tests.support.database.postgres import Server
from tests.support.server.emails import Written, letters, receive
from tests.support.server.games import begin, deliver, submit
from tests.support.server.jobs import work_of
from tests.support.server.players import add_player
from tests.support.server.services import Clock, sqlite_database
from tests.support.web.client import logged_in

pytestmark = pytest.mark.slow

GAMES = len(RULES)
PEOPLE = ("ann", "ben", "cat", "dan")


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> Iterator[str]:
    """Return the URL of an empty database of the other kind.

    Every backup contains a SQLite file, so restoring does not depend on the database of its origin.
    """
    if database == "postgresql":
        yield f"sqlite:///{tmp_path}/restored/nabu.db"
        return
    server: Server = request.getfixturevalue("postgres")
    name = server.make_database()
    yield server.url(name)
    server.drop_database(name)


@pytest.fixture
def busy(services: Services) -> Services:
    """Return services with a game of each type, after up to four turns; one of them is over."""
    downtime.beat(services.engine, services.now())
    people = [add_player(services, f"{name}@example.org", name.title()) for name in PEOPLE]
    draw = random.Random(7).randrange
    for number, game_type in enumerate(sorted(RULES)):
        game = begin(services, game_type, people[number % 4], people[(number + 1) % 4], time="3d")
        for _ in range(number):
            move(services, game, draw)
    report = reports(services, "ann@example.org")[-1]
    told = receive(services, report.to, address(report), "resign")
    assert "resign" in told[0].words, told[0].words
    return services


def move(services: Services, number: int, draw: Callable[[int], int]) -> None:
    """Play a random move in a game, if it is running."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        if game.state != "running":
            return
        rules, position = log.rules_of(game), log.position_of(game)
        owing = session.exec(select(Seat.number).where(Seat.game_id == number, col(Seat.owes))).all()
        moves = {seat: rules.format(rules.sample(position, seat, draw)) for seat in owing}
    for seat, written in moves.items():
        submit(services, number, seat, written)


def reports(services: Services, email: str) -> list[Written]:
    """Return the emails to a player about turns of their games."""
    return [each for each in letters(services) if each.to == email and each.letter == "report"]


def address(report: Written) -> str:
    return str(report.mail["Reply-To"]).strip("<>")


def faults(services: Services) -> list[int]:
    numbers = numbers_of_games(services.engine)
    return [number for number in numbers if check(services.engine, services.sealer, number)]


def restored(
    services: Services, url: str, file: Path, key: BackupKey | None = None
) -> tuple[Services, Restored]:
    """Restore a backup into another database, and return its services."""
    settings = services.settings.model_copy(update={"database_url": url})
    done = restoring.restore(settings, file, key or BackupKey(), services.now)
    return open_services(settings, services.now), done


def entries(session: Session) -> list[tuple[int, int, str]]:
    found = session.exec(select(Entry).order_by(col(Entry.game_id), col(Entry.number)))
    return [(each.game_id, each.number, each.hash) for each in found]


@pytest.mark.long
def test_restore_drill_during_games_of_each_type(
    busy: Services, elsewhere: str, clock: Clock, tmp_path: Path
) -> None:
    file = make(busy.engine, tmp_path / "backups", busy.now())
    last = {name: reports(busy, f"{name}@example.org")[-1] for name in PEOPLE}
    with reading(busy.engine) as session:
        before = entries(session)
        owed = {
            (seat.game_id, seat.number): seat.grace_until
            for seat in session.exec(select(Seat).where(col(Seat.grace_until).is_not(None)))
        }
    clock.advance(hours=7)
    services, done = restored(busy, elsewhere, file)
    assert (done.games, done.running, done.emailed) == (GAMES, GAMES - 1, len(PEOPLE))
    with reading(services.engine) as session:
        assert set(before) <= set(entries(session)), "only credits were added"
    told = [each for each in letters(services) if "had to be restored" in each.words]
    assert {each.to for each in told} == {f"{name}@example.org" for name in PEOPLE}
    assert all("from a backup of 2026-03-01 12:00:00 UTC" in each.words for each in told)

    CLOCK.run(work_of(services, clock))
    with reading(services.engine) as session:
        for which, until in owed.items():
            later = session.get_one(Seat, which).grace_until
            assert until is not None
            assert later is not None
            assert later - until == timedelta(hours=7), "players get back the lost time"
    assert_all_go_on(services, last)
    services.close()


def assert_all_go_on(services: Services, last: dict[str, Written]) -> None:
    """Moves come by email, in reply to emails from before the restore, and on the web."""
    for name, report in last.items():
        answer = receive(services, f"{name}@example.org", address(report), "show")
        assert answer[0].letter == "show"
    draw = random.Random(9).randrange
    for number in list(numbers_of_games(services.engine)):
        with reading(services.engine) as session:
            game = session.get_one(Game, number)
            was_over, turn = game.state == "over", game.turn
        move(services, number, draw)
        with reading(services.engine) as session:
            assert was_over or session.get_one(Game, number).turn > turn or game.game_type == "nelaxtam"
    assert faults(services) == []
    with reading(services.engine) as session:
        ann = session.exec(select(Player).where(Player.email == "ann@example.org")).one()
    assert "Nibble" in logged_in(create_app(services), services, ann).text("/games")


def test_all_players_can_answer_the_email_after_a_restore(
    few: Services, elsewhere: str, clock: Clock, tmp_path: Path
) -> None:
    """Each move is accepted, and the emails show the deadlines as they are after the lost time."""
    receive(few, "ann@example.org", few.settings.plain_address, "digest daily 08:00")
    cat, dan = (add_player(few, f"{name}@example.org", name.title()) for name in PEOPLE[2:])
    begin(few, "nibble", cat, dan)
    begin(few, "nexus", cat, dan)
    deliver(few)
    downtime.beat(few.engine, few.now())
    file = make(few.engine, tmp_path / "backups", few.now())
    lost, draw = owing(few), random.Random(5).randrange
    for number in {number for number, _ in lost}:
        move(few, number, draw)
    clock.advance(hours=30)
    services, done = restored(few, elsewhere, file)
    assert done.emailed == len(PEOPLE)
    told = [each for each in letters(services) if "had to be restored" in each.words]
    assert {each.to for each in told} == {f"{name}@example.org" for name in PEOPLE}
    assert sum(each.letter == "report" for each in told) == len(lost)
    assert all(each.letter in ("report", "games") for each in told)
    before = owing(services)
    for (number, seat), email in before.items():
        [report] = [each for each in told if each.to == email and f"/games/{number}" in each.text]
        with reading(services.engine) as session:
            due = session.get_one(Seat, (number, seat)).deadline_at
        assert due is None or f"Due {due:%a} {due.day} {due:%B %Y}" in report.words
        receive(services, email, address(report), a_move(services, number, seat, draw))
    with reading(services.engine) as session:
        for number, seat in before:
            assert session.get_one(Game, number).turn > 1 or not session.get_one(Seat, (number, seat)).owes
    assert not {each.letter for each in letters(services)} & {"refusal", "refusal_account"}
    services.close()


def owing(services: Services) -> dict[tuple[int, int], str]:
    """Return the seats that owe a move, with the addresses of their players."""
    with reading(services.engine) as session:
        query = select(Seat, Player).where(Seat.player_id == Player.id, col(Seat.owes))
        return {(seat.game_id, seat.number): player.email for seat, player in session.exec(query)}


def a_move(services: Services, number: int, seat: int, draw: Callable[[int], int]) -> str:
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        rules = log.rules_of(game)
        return rules.format(rules.sample(log.position_of(game), seat, draw))


@pytest.mark.parametrize("is_first", [True, False])
def test_restore_does_not_count_as_a_running_worker(
    few: Services, clock: Clock, tmp_path: Path, is_first: bool
) -> None:
    """Nor is the time until Nabu starts lost to the players, or given back twice."""
    if not is_first:
        downtime.beat(few.engine, few.now())
    made = few.now()
    file = make(few.engine, tmp_path / "backups", made)
    clock.advance(hours=7)
    services, _ = restored(few, f"sqlite:///{tmp_path}/restored/nabu.db", file)
    with reading(services.engine) as session:
        assert health(session, services.now()).worker_at == (None if is_first else made)
    clock.advance(hours=2)
    downtime.beat_and_credit(work_of(services, clock))
    with reading(services.engine) as session:
        outages = [(each.start_at, each.end_at) for each in session.exec(select(Pause).order_by(col(Pause.id)))]
    hour = timedelta(hours=1)
    assert outages == ([] if is_first else [(made, made + 7 * hour), (made + 7 * hour, made + 9 * hour)])
    services.close()


def test_email_from_before_the_restore_is_recognized(few: Services, elsewhere: str, tmp_path: Path) -> None:
    report = reports(few, "ann@example.org")[-1]
    receive(few, report.to, address(report), "resign")
    with reading(few.engine) as session:
        row = session.exec(select(Inbox)).one()
    raw = few.sealer.open(row.sealed or b"")
    services, _ = restored(few, elsewhere, make(few.engine, tmp_path, few.now()))
    services.reception().store([Received("smtp", "127.0.0.1", row.mail_from, (row.recipient,), raw)])
    with reading(services.engine) as session:
        assert len(session.exec(select(Inbox)).all()) == 1
    services.close()


@pytest.mark.long
def test_backups_are_consistent_while_moves_are_played(busy: Services, tmp_path: Path) -> None:
    stop, draw = threading.Event(), random.Random(3).randrange
    failed: list[BaseException] = []

    def play() -> None:
        try:
            while not stop.is_set():
                for number in list(numbers_of_games(busy.engine)):
                    move(busy, number, draw)
        except BaseException as error:
            failed.append(error)

    player = threading.Thread(target=play)
    player.start()
    made = [make(busy.engine, tmp_path, busy.now() + timedelta(seconds=each)) for each in range(3)]
    stop.set()
    player.join()
    assert failed == []
    counts = []
    for number, file in enumerate(made):
        services, _ = restored(busy, f"sqlite:///{tmp_path}/{number}/nabu.db", file)
        assert faults(services) == []
        with reading(services.engine) as session:
            counts.append(len(entries(session)))
        services.close()
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_no_number_is_used_twice_after_a_restore(few: Services, elsewhere: str, tmp_path: Path) -> None:
    """Games started after a backup are lost, and replies to emails about them reach no other game."""
    file = make(few.engine, tmp_path / "backups", few.now())
    lost = begun_by(few, "cat@example.org", "dan@example.org")
    report = reports(few, "cat@example.org")[-1]
    with reading(few.engine) as session:
        cat = session.exec(select(Player).where(Player.email == "cat@example.org")).one()
    stop = Logins(few.settings.secret_keys).write_stop(cat.id or 0)
    services, _ = restored(few, elsewhere, file)
    other = begun_by(services, "cat@example.org", "dan@example.org")
    assert other > lost
    (answer,) = receive(services, report.to, address(report), "resign")
    assert "lost in a restore" in answer.words
    assert "register NAME" in answer.words or "write: games" in answer.words
    with reading(services.engine) as session:
        assert session.get_one(Game, other).state == "running"
        assert Logins(few.settings.secret_keys).read_stop(session, stop) is None
        ended = session.exec(select(Inbox).order_by(col(Inbox.id).desc())).first()
        assert ended is not None
        assert (ended.state, ended.why) == ("refused", "the game was lost")
        ann = session.exec(select(Player).where(Player.email == "ann@example.org")).one()
        assert ann.login_serial >= row_numbers.AT_LEAST, "cookies of lost logins open no later login"
    services.close()


def begun_by(services: Services, *emails: str) -> int:
    """Return a game of new players."""
    people = [add_player(services, email, email.partition("@")[0].title()) for email in emails]
    return begin(services, "nebuchadnezzar", *people, size=5)


@pytest.fixture
def few(tmp_path: Path, services: Services) -> Services:
    """Return services with one game."""
    people = [add_player(services, f"{name}@example.org", name.title()) for name in PEOPLE[:2]]
    move(services, begin(services, "nebuchadnezzar", *people, size=5), random.Random(1).randrange)
    return services


on_sqlite = pytest.mark.parametrize("database", ["sqlite"])


@on_sqlite
def test_backup_can_be_read_without_nabu(few: Services, tmp_path: Path) -> None:
    file = make(few.engine, tmp_path / "backups", few.now())
    assert file.name == "nabu-20260301T120000Z.tar.gz"
    assert file.stat().st_mode & 0o777 == 0o600
    with tarfile.open(file) as opened:
        opened.extractall(tmp_path / "out", filter="data")
    told = json.loads((tmp_path / "out/manifest.json").read_text())
    assert (told["format"], told["schema"]) == ("nabu-backup/1", schema.newest())
    assert told["rows"]["game"] == 1
    with reading(few.engine) as session:
        game, number, head = entries(session)[-1]
    assert (tmp_path / "out/heads.txt").read_text() == f"{game} {number} {head}\n"
    assert [each.name for each in (tmp_path / "backups").iterdir() if not each.name.startswith(".")] == [
        file.name
    ]


@on_sqlite
def test_age_decrypts_a_backup_for_its_key(few: Services, tmp_path: Path) -> None:
    identity = pyrage.x25519.Identity.generate()
    file = make(few.engine, tmp_path, few.now(), Lock((str(identity.to_public()),)))
    key = tmp_path / "key.txt"
    key.write_text(f"# created: now\n{identity}\n")
    opened = subprocess.run(["age", "-d", "-i", str(key), str(file)], capture_output=True, check=True).stdout
    assert opened.startswith(b"\x1f\x8b")
    services, done = restored(few, f"sqlite:///{tmp_path}/out/nabu.db", file, BackupKey((str(identity),)))
    assert done.games == 1
    services.close()


@pytest.mark.long  # to try a passphrase takes a second, on purpose
@on_sqlite
def test_only_its_passphrase_decrypts_a_backup(few: Services, tmp_path: Path) -> None:
    """All keys are tried on one backup, as encrypting takes as long as each guess of the passphrase."""
    file = make(few.engine, tmp_path, few.now(), Lock(passphrase="correct horse"))
    place = f"sqlite:///{tmp_path}/out/nabu.db"
    for key, told in (
        (BackupKey(), "is encrypted. Add --identity FILE or --passphrase-file FILE"),
        (BackupKey(passphrase="wrong"), "This key does not decrypt"),
        (BackupKey(("AGE-SECRET-KEY-1",)), "A secret key of age must look like AGE-SECRET-KEY-1…"),
        (BackupKey((str(pyrage.x25519.Identity.generate()),)), "This key does not decrypt"),
    ):
        with pytest.raises(BadBackup, match=told):
            restored(few, place, file, key)
        assert list((tmp_path / "out").iterdir()) == []
    services, _ = restored(few, place, file, BackupKey(passphrase="correct horse"))
    services.close()


@on_sqlite
def test_invalid_key_is_refused(few: Services, tmp_path: Path) -> None:
    with pytest.raises(BadBackup, match="A public key of age must look like age1…"):
        make(few.engine, tmp_path / "backups", few.now(), Lock(("age1",)))
    assert [each.name for each in (tmp_path / "backups").iterdir()] == [".nabu-backups.lock"]


def changed(file: Path, tmp_path: Path, change: Callable[[Path], None]) -> Path:
    """Return a backup with changed content, packed again."""
    with tarfile.open(file) as opened:
        opened.extractall(tmp_path / "changed", filter="data")
    change(tmp_path / "changed")
    other = tmp_path / "changed.tar.gz"
    with tarfile.open(other, "w:gz") as written:
        for each in (tmp_path / "changed").iterdir():
            written.add(each, each.name)
    return other


def other_format(folder: Path) -> None:
    told = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**told, "format": "nabu-backup/9"}))


def later_schema(folder: Path) -> None:
    told = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**told, "schema": "9999"}))


def other_database(folder: Path) -> None:
    with (folder / "nabu.db").open("r+b") as content:
        content.seek(4096)
        content.write(b"x")


def other_head(folder: Path) -> None:
    (folder / "heads.txt").write_text("1 1 0000\n")


def no_heads(folder: Path) -> None:
    (folder / "heads.txt").write_text("Hello\n")


def no_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


@on_sqlite
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (other_format, "has the format “nabu-backup/9”"),
        (later_schema, "with the schema 9999, but this version has"),
        (other_database, "the checksum of its database is wrong"),
        (other_head, "1 games in the backup do not match their logs: 1"),
        (no_heads, "the heads of its logs cannot be read"),
        (no_manifest, "is not a backup of Nabu, or is incomplete"),
    ],
)
def test_changed_backup_is_not_restored(
    few: Services, tmp_path: Path, change: Callable[[Path], None], told: str
) -> None:
    file = changed(make(few.engine, tmp_path, few.now()), tmp_path, change)
    place = tmp_path / "out/nabu.db"
    with pytest.raises(BadBackup, match=told):
        restored(few, f"sqlite:///{place}", file)
    assert not place.exists()
    services, _ = restored(few, f"sqlite:///{place}", next(tmp_path.glob("nabu-*.tar.gz")))
    services.close()


@on_sqlite
def test_refused_backup_leaves_postgresql_empty(few: Services, tmp_path: Path, elsewhere: str) -> None:
    good = make(few.engine, tmp_path, few.now())
    with pytest.raises(BadBackup, match="do not match their logs"):
        restored(few, elsewhere, changed(good, tmp_path, other_head))
    settings = few.settings.model_copy(update={"database_url": elsewhere, "secret_key": "x" * 32})
    with pytest.raises(WrongKey):
        restoring.restore(settings, good, BackupKey())
    services, _ = restored(few, elsewhere, good)
    services.close()


@on_sqlite
def test_half_of_a_backup_is_not_restored(few: Services, tmp_path: Path) -> None:
    file = make(few.engine, tmp_path, few.now())
    file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(BadBackup, match="is incomplete"):
        restored(few, f"sqlite:///{tmp_path}/out/nabu.db", file)


@on_sqlite
def test_existing_database_is_not_overwritten(few: Services, tmp_path: Path, database_url: str) -> None:
    file = make(few.engine, tmp_path, few.now())
    before = Path(database_url.removeprefix("sqlite:///")).read_bytes()
    with pytest.raises(BadBackup, match="already exists"):
        restored(few, database_url, file)
    assert Path(database_url.removeprefix("sqlite:///")).read_bytes() == before


@on_sqlite
@pytest.mark.parametrize("journal", ["-wal", "-shm", "-journal"])
def test_leftover_journal_prevents_a_restore(few: Services, tmp_path: Path, journal: str) -> None:
    file = make(few.engine, tmp_path, few.now())
    (tmp_path / "out").mkdir()
    left = tmp_path / f"out/nabu.db{journal}"
    left.write_bytes(b"x")
    with pytest.raises(BadBackup, match=f"nabu.db{journal} already exists"):
        restored(few, f"sqlite:///{tmp_path}/out/nabu.db", file)
    assert left.read_bytes() == b"x"


@on_sqlite
def test_damaged_backup_raises_no_error_other_than_bad_backup(few: Services, tmp_path: Path) -> None:
    content = make(few.engine, tmp_path, few.now()).read_bytes()
    draw = random.Random(11)
    for number in range(60):
        place = draw.randrange(len(content))
        damaged = tmp_path / f"{number}.tar.gz"
        flipped = content[place] ^ (1 << draw.randrange(8))
        damaged.write_bytes(content[:place] + bytes([flipped]) + content[place + 1 :])
        folder = tmp_path / str(number)
        folder.mkdir()
        with suppress(BadBackup):  # the changed byte may be one without meaning
            archive.unpack(damaged, BackupKey(), folder)


@pytest.mark.parametrize("database", ["postgresql"])
def test_backup_is_not_restored_into_a_postgresql_database_with_data(
    few: Services, tmp_path: Path, database_url: str
) -> None:
    file = make(few.engine, tmp_path, few.now())
    with pytest.raises(BadBackup, match="The PostgreSQL database is not empty"):
        restored(few, database_url, file)


def test_data_refused_by_postgresql_leave_it_empty(postgres: Server, tmp_path: Path) -> None:
    file = Path(sqlite_database(tmp_path).removeprefix("sqlite:///"))
    with closing(sqlite3.connect(file)) as copy:
        copy.execute("INSERT INTO knownkey (mark, since) VALUES ('a' || char(0), '2026-03-01 12:00:00')")
        copy.commit()
    name = postgres.make_database()
    engine = engines.connect(postgres.url(name))
    with pytest.raises(DataError):
        snapshot.fill(engine, file)
    assert snapshot.is_empty(engine)
    engine.dispose()
    postgres.drop_database(name)


@on_sqlite
def test_restore_needs_the_key_of_the_backup(few: Services, tmp_path: Path) -> None:
    file, place = make(few.engine, tmp_path, few.now()), tmp_path / "out/nabu.db"
    settings = few.settings.model_copy(update={"database_url": f"sqlite:///{place}", "secret_key": "x" * 32})
    with pytest.raises(WrongKey):
        restoring.restore(settings, file, BackupKey())
    assert not place.exists()


@on_sqlite
def test_number_of_backups_is_limited(few: Services, tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups/nabu-notes.txt").write_text("mine")
    for day in range(5):
        make(few.engine, tmp_path / "backups", few.now() + timedelta(days=day), keep=2)
    found = sorted(each.name for each in (tmp_path / "backups").glob("nabu-*"))
    assert found == ["nabu-20260304T120000Z.tar.gz", "nabu-20260305T120000Z.tar.gz", "nabu-notes.txt"]
    last = make(few.engine, tmp_path / "backups", few.now() - timedelta(days=9), keep=1)
    assert [*(tmp_path / "backups").glob("nabu-2*")] == [last], "whatever the clock says"


@on_sqlite
def test_damaged_database_is_reported_and_not_backed_up(
    few: Services, tmp_path: Path, database_url: str
) -> None:
    with writing(few.engine) as session:
        session.execute(text("PRAGMA writable_schema = ON"))
        session.execute(text("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'ix_inbox_turn'"))
    few.engine.dispose()
    with pytest.raises(BadBackup, match="The database is damaged"):
        make(few.engine, tmp_path / "backups", few.now())


@pytest.mark.long
@pytest.mark.usefixtures("next_schema")
def test_older_backup_is_upgraded_to_this_version(tmp_path: Path, elsewhere: str) -> None:
    unpack(tmp_path / "left.db")
    engine = engines.connect(f"sqlite:///{tmp_path}/left.db")
    clock = Clock()
    file = make(engine, tmp_path / "backups", clock())
    engine.dispose()
    assert json.loads(_manifest(file))["schema"] < schema.newest()
    of_then = open_copy(sqlite_database(tmp_path), "smtp://127.0.0.1:9", clock)
    services, done = restored(of_then, elsewhere, file)
    of_then.close()
    assert set(FACTS["games"].values()) <= set(numbers_of_games(services.engine))
    assert done.running > 20
    assert faults(services) == []
    services.close()


def _manifest(file: Path) -> bytes:
    with tarfile.open(file) as opened:
        found = opened.extractfile("manifest.json")
        assert found is not None
        return found.read()
