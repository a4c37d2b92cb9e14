"""A database that is older than the one that this machine has used before is refused."""

from __future__ import annotations

import json
import shutil
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from server.cli import nabu
from server.cli import serve as serving
from server.doctor import data
from server.doctor.installation import Installation
from server.jobs import downtime
from server.processes.alerts import Alarm
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store import schema
from server.store.db import reading, writing
from server.store.engines import connect
from server.store.rollback import history
from server.store.rollback.history import OlderDatabase, Point
from server.web import create_app
from tests.support.database.pooler import pooled
from tests.support.database.postgres import Server
from tests.support.database.replicas import Pair, running_pair
from tests.support.server.players import add_player
from tests.support.server.services import Clock, settings_for, sqlite_database


def beat(services: Services, clock: Clock) -> None:
    """Let a minute pass, in which a worker runs, and is seen by the next transaction."""
    clock.advance(minutes=1)
    downtime.beat(services.engine, services.now())
    write(services)


def write(services: Services) -> None:
    with writing(services.engine) as session:
        session.execute(text("UPDATE heartbeat SET at = at"))


@pytest.fixture
def aged(tmp_path: Path, clock: Clock) -> Iterator[Services]:
    """Return services on a SQLite file that was copied to `copy`, and used since."""
    services = open_services(settings_for(sqlite_database(tmp_path)), clock)
    beat(services, clock)
    services.close()
    shutil.copy(tmp_path / "nabu.db", tmp_path / "copy")
    beat(services, clock)
    yield services
    services.close()


def run(services: Services, folder: Path, *arguments: str, given: bytes = b"") -> Result:
    """Run a command with the database of these services."""
    config, names = folder / "nabu.env", ("secret_key", "mail_domain", "database_url")
    settings = services.settings
    config.write_text("".join(f"NABU_{name.upper()}={getattr(settings, name)}\n" for name in names))
    return CliRunner().invoke(nabu, ["--config", str(config), *arguments], input=given)


def put_back(tmp_path: Path) -> None:
    for file in tmp_path.glob("nabu.db*"):
        file.unlink()
    shutil.copy(tmp_path / "copy", tmp_path / "nabu.db")


def test_older_file_is_noticed_while_nabu_runs(aged: Services, tmp_path: Path) -> None:
    with reading(aged.engine) as session:
        session.execute(text("SELECT 1"))
    put_back(tmp_path)
    with pytest.raises(OlderDatabase, match="nabu admin skip-numbers"):
        write(aged)


def test_older_file_is_noticed_at_the_next_start(aged: Services, tmp_path: Path, clock: Clock) -> None:
    aged.close()
    put_back(tmp_path)
    again = open_services(aged.settings, clock)
    with pytest.raises(OlderDatabase):
        write(again)
    with pytest.raises(OlderDatabase), reading(again.engine) as session:
        session.execute(text("SELECT 1"))
    again.close()


def test_empty_file_is_refused(aged: Services, tmp_path: Path, clock: Clock) -> None:
    aged.close()
    (tmp_path / "nabu.db").unlink()
    again = open_services(aged.settings, clock)
    with pytest.raises(OlderDatabase):
        schema.upgrade(again.engine)
    again.close()


def test_same_file_is_accepted(aged: Services, tmp_path: Path, clock: Clock) -> None:
    aged.close()
    (tmp_path / "nabu.db").rename(tmp_path / "moved")
    (tmp_path / "moved").rename(tmp_path / "nabu.db")
    again = open_services(aged.settings, clock)
    write(again)
    again.close()


def test_administrator_can_accept_the_older_file(aged: Services, tmp_path: Path, clock: Clock) -> None:
    aged.close()
    put_back(tmp_path)
    assert isinstance(run(aged, tmp_path, "admin", "troubles").exception, OlderDatabase)
    assert run(aged, tmp_path, "admin", "skip-numbers").exit_code == 0
    again = open_services(aged.settings, clock)
    write(again)
    assert json.loads((tmp_path / "nabu.history.json").read_text())["generation"] > 0
    again.close()


def test_refused_database_causes_an_alert_and_is_not_ready(
    aged: Services, tmp_path: Path, clock: Clock
) -> None:
    aged.close()
    put_back(tmp_path)
    again = open_services(aged.settings, clock)
    told: list[str] = []

    def tell(text: str) -> bool:
        told.append(text)
        return True

    alarm = Alarm(again, tell)
    alarm.look()
    alarm.look()
    [alert] = told
    assert alert.startswith("history: The database ")
    assert "is older than the database that this machine has used before" in alert
    answer = create_app(again).test_client().get("/readyz", base_url=again.settings.base_url)
    assert (answer.status_code, answer.text) == (503, f"{alert}\n")
    assert create_app(again).test_client().get("/archive", base_url=again.settings.base_url).status_code == 503
    again.close()


def test_serve_sends_an_alert_and_waits_for_the_newer_database(
    aged: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aged.close()
    shutil.copy(tmp_path / "nabu.db", tmp_path / "newer")
    put_back(tmp_path)
    monkeypatch.setattr(serving, "_AGAIN", 0.0)
    # The command is the administrator, who reads the alert and puts the newer file back.
    monkeypatch.setenv("NABU_ALERT_COMMAND", f"cp {tmp_path}/newer {tmp_path}/nabu.db")
    for name in ("secret_key", "mail_domain", "database_url"):
        monkeypatch.setenv(f"NABU_{name.upper()}", getattr(aged.settings, name))
    services = serving._open_newest(None)
    write(services)
    services.close()


def test_no_email_is_stored_in_a_refused_database(aged: Services, tmp_path: Path) -> None:
    aged.close()
    put_back(tmp_path)
    mail = b"From: ann@example.org\r\nSubject: games\r\n\r\ngames\r\n"
    done = run(aged, tmp_path, "mail", "pipe", "play@games.example.org", given=mail)
    assert done.exit_code == 75


def test_damaged_memory_is_ignored(aged: Services, tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "nabu.history.json").write_text("{")
    again = open_services(aged.settings, clock)
    write(again)
    assert json.loads((tmp_path / "nabu.history.json").read_text())["beats"] == 2
    again.close()


def test_another_server_counts_as_older_unless_accepted() -> None:
    known = Point(generation=5, timeline=3, beats=70, server="a")
    assert Point(5, 1, 71, "b").is_before(known)
    assert Point(5, 4, 71, "b").is_before(known), "its promotions are those of another server"
    assert not Point(6, 1, 0, "b").is_before(known)
    assert not Point(5, 4, 60, "a").is_before(known), "a replica that was promoted may lack some beats"
    assert Point(5, 3, 69, "a").is_before(known)


def test_each_transaction_is_checked_behind_a_pooler(
    postgres: Server, postgres_template: str, clock: Clock
) -> None:
    """The pooler may have gone on to another server, which no new connection shows."""
    name = postgres.make_database(postgres_template)
    with pooled(postgres, name) as url:
        services = open_services(settings_for(url), clock)
        beat(services, clock)
        beat(services, clock)
        direct = connect(postgres.url(name))
        with direct.begin() as connection:
            connection.execute(text("UPDATE databaseage SET beats = 1"))
        with pytest.raises(OlderDatabase):
            write(services)
        services.close()
        direct.dispose()
    postgres.drop_database(name)


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with running_pair() as found:
        engine = connect(found.url)
        schema.upgrade(engine)
        engine.dispose()
        yield found


@pytest.mark.long
def test_restarted_old_primary_is_refused(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(history, "_LOOK", 0.0)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    running, settings = open_services(settings_for(pair.url), clock), settings_for(pair.url)
    add_player(running, "ann@example.org", "Ann")
    pair.lose_the_first()
    for attempt in range(3):  # its connections are lost one by one
        try:
            add_player(running, "ben@example.org", "Ben")
        except Exception:
            assert attempt < 2
        else:
            break
    pair.start_the_first_again()
    running.engine.dispose()  # as after any lost connection
    add_player(running, "cleo@example.org", "Cleo")
    assert names(pair, pair.second) == ["Ann", "Ben", "Cleo"]
    assert names(pair, pair.first) == ["Ann"]

    fresh = open_services(settings, clock)
    with reading(fresh.engine) as session:
        told = history.split(session.connection())
    assert told.startswith("several database servers accept writes: ")
    assert f"Nabu uses {pair.second}, the newest" in told
    fresh.close()

    of_old = settings_for(f"postgresql+psycopg://{pair.user}@/nabu?host={pair.first}")
    lone = open_services(of_old, clock)
    with pytest.raises(OlderDatabase):
        write(lone)
    lone.close()
    running.close()

    monkeypatch.delenv("STATE_DIRECTORY")
    with pair.slow_second(3):
        forgetful = open_services(settings, clock)
        add_player(forgetful, "dora@example.org", "Dora")
    assert names(pair, pair.second) == ["Ann", "Ben", "Cleo", "Dora"]
    forgetful.close()


def names(pair: Pair, place: Path) -> list[object]:
    """Return the names of all players on one server."""
    return pair.say(place, "SELECT name FROM player WHERE NOT computer ORDER BY id")


def test_memory_is_beside_the_database_or_in_the_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def file_of(url: str) -> Path | None:
        settings: Settings = settings_for(url)
        return settings.history_file

    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert file_of("sqlite:////var/lib/nabu/nabu.db") == Path("/var/lib/nabu/nabu.history.json")
    assert file_of("postgresql://nabu@/nabu") is None
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/nabu:/var/lib/more")
    assert file_of("postgresql://nabu@/nabu") == Path("/var/lib/nabu/nabu.history.json")


def test_the_doctor_names_a_missing_write_ahead_log(tmp_path: Path, clock: Clock) -> None:
    services = open_services(settings_for(sqlite_database(tmp_path)), clock)
    beat(services, clock)
    beat(services, clock)
    shutil.copy(tmp_path / "nabu.db", tmp_path / "copy")
    services.close()
    put_back(tmp_path)
    again = open_services(services.settings, clock)
    found = data.database(Installation(again, None, lambda *_: (), "", ssl.create_default_context(), 0))
    again.close()
    assert found.state == "wrong"
    assert "it was moved without its write-ahead log (the file with -wal" in found.sentence
    assert f"If {tmp_path}/nabu.db-wal is missing, stop Nabu and put it back" in found.fix
