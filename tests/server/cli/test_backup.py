"""`nabu backup`, `nabu restore`, and the backup before an upgrade: complete runs, and killed ones."""

from __future__ import annotations

import random
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyrage
import pytest
from click.testing import CliRunner, Result

from server.cli import nabu
from server.game.integrity.log_check import numbers_of_games
from server.store import schema
from server.store.engines import connect
from server.store.rollback import row_numbers
from tests.stored.copies import unpack
from tests.support.forks import FORKS

KEY = "k" * 32
_MOMENTS = 6


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return the settings of a database of this version with many games."""
    file = tmp_path / "nabu.env"
    file.write_text(
        f"NABU_SECRET_KEY={KEY}\nNABU_MAIL_DOMAIN=games.example.org\n"
        f"NABU_DATABASE_URL=sqlite:///{tmp_path}/data/nabu.db\n"
    )
    file.chmod(0o600)
    (tmp_path / "data").mkdir()
    unpack(tmp_path / "data/nabu.db")
    return file


def run(config: Path, *arguments: str) -> Result:
    return CliRunner().invoke(nabu, ["--config", str(config), *arguments])


def games(file: Path) -> int:
    engine = connect(f"sqlite:///{file}")
    try:
        return len(list(numbers_of_games(engine)))
    finally:
        engine.dispose()


def revision(file: Path) -> str:
    engine = connect(f"sqlite:///{file}")
    with engine.connect() as connection:
        found = schema.revision_of(connection)
    engine.dispose()
    return found


@pytest.mark.long  # trying a passphrase takes a second, on purpose
def test_backup_is_restored_to_the_same_data(config: Path, tmp_path: Path) -> None:
    assert run(config, "db", "upgrade", "--no-backup").exit_code == 0
    (tmp_path / "passphrase").write_text("correct horse\n")
    made = run(config, "backup", str(tmp_path / "out"), "--passphrase-file", str(tmp_path / "passphrase"))
    assert made.exit_code == 0, made.output
    file = made.output.strip()
    assert re.fullmatch(rf"{tmp_path}/out/nabu-\d{{8}}T\d{{6}}Z\.tar\.gz\.age", file)
    count = games(tmp_path / "data/nabu.db")
    (tmp_path / "data").rename(tmp_path / "lost")
    refused = run(config, "restore", file)
    assert refused.exit_code == 1
    assert "is encrypted" in refused.output
    done = run(config, "restore", file, "--passphrase-file", str(tmp_path / "passphrase"))
    assert done.exit_code == 0, done.output
    assert f"Games: {count}, of which " in done.output
    assert "players get an email with the state of their games" in done.output
    assert games(tmp_path / "data/nabu.db") == count


@pytest.mark.slow
@pytest.mark.usefixtures("next_schema")
def test_upgrade_makes_a_backup_first(config: Path, tmp_path: Path) -> None:
    before = revision(tmp_path / "data/nabu.db")
    assert before < schema.newest()
    assert run(config, "db", "upgrade").exit_code == 0
    assert revision(tmp_path / "data/nabu.db") == schema.newest()
    [made] = (tmp_path / "data/backups").glob("nabu-*")
    assert run(config, "db", "upgrade").exit_code == 0
    assert [*(tmp_path / "data/backups").glob("nabu-*")] == [made], "there was nothing to upgrade"
    (tmp_path / "data/nabu.db").unlink()
    assert run(config, "restore", str(made)).exit_code == 0
    assert revision(tmp_path / "data/nabu.db") == schema.newest()


@pytest.mark.slow
@pytest.mark.usefixtures("next_schema")
def test_backups_are_encrypted_for_the_recipient_in_the_settings(config: Path, tmp_path: Path) -> None:
    identity = pyrage.x25519.Identity.generate()
    (tmp_path / "key").write_text(f"{identity}\n")
    with config.open("a") as settings:
        settings.write(f"NABU_BACKUP_RECIPIENTS={identity.to_public()}\n")
    assert run(config, "db", "upgrade").exit_code == 0
    assert run(config, "backup").exit_code == 0
    (tmp_path / "data/nabu.db").rename(tmp_path / "lost.db")
    made = sorted((tmp_path / "data/backups").glob("nabu-*"))
    assert [each.name.endswith(".tar.gz.age") for each in made] == [True, True]
    for each in made:
        assert run(config, "restore", str(each), "--identity", str(tmp_path / "key")).exit_code == 0
        (tmp_path / "data/nabu.db").unlink()


@pytest.mark.slow
@pytest.mark.usefixtures("next_schema")
def test_last_backups_before_upgrades_are_kept_separately(config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data/backups"
    folder.mkdir()
    before = [folder / f"nabu-upgrade-2025010{day}T000000Z.tar.gz" for day in range(1, 6)]
    nightly = [folder / f"nabu-2025010{day}T000000Z.tar.gz.age" for day in range(1, 6)]
    for each in (*before, *nightly):
        each.write_bytes(b"")
    assert run(config, "db", "upgrade").exit_code == 0
    [made] = set(folder.glob("nabu-upgrade-*")) - set(before)
    assert {*folder.glob("nabu-*")} == {made, *before[-2:], *nightly}
    nightly_made = run(config, "backup", "--keep", "2").output.strip()
    assert {*folder.glob("nabu-*")} == {made, *before[-2:], nightly[-1], Path(nightly_made)}


@pytest.mark.slow
@pytest.mark.usefixtures("next_schema")
def test_upgrade_is_refused_if_no_backup_can_be_written(config: Path, tmp_path: Path) -> None:
    before = revision(tmp_path / "data/nabu.db")
    (tmp_path / "data/backups").write_text("in its place")
    with pytest.raises(Exception, match=r"No backup could be written into .+ nabu db upgrade --no-backup"):
        CliRunner().invoke(nabu, ["--config", str(config), "db", "upgrade"], catch_exceptions=False)
    assert revision(tmp_path / "data/nabu.db") == before
    assert run(config, "db", "upgrade", "--no-backup").exit_code == 0
    assert revision(tmp_path / "data/nabu.db") == schema.newest()


@pytest.mark.slow
def test_new_database_is_not_backed_up(tmp_path: Path, config: Path) -> None:
    (tmp_path / "data/nabu.db").unlink()
    assert run(config, "db", "upgrade").exit_code == 0
    assert not (tmp_path / "data/backups").exists()


def killed(config: Path, seconds: float, *arguments: str) -> None:
    """Run a command in a process that has imported everything, and kill it after some seconds."""
    process = FORKS.Process(target=run, args=(config, *arguments))
    process.start()
    process.join(seconds)
    process.kill()
    process.join()


@pytest.mark.long
def test_killed_backup_or_restore_leaves_no_incomplete_file(config: Path, tmp_path: Path) -> None:
    assert run(config, "db", "upgrade", "--no-backup").exit_code == 0
    draw = random.Random(5)
    began = time.monotonic()
    whole = Path(run(config, "backup", str(tmp_path / "whole")).output.strip())
    takes = time.monotonic() - began
    count = games(tmp_path / "data/nabu.db")
    for _ in range(_MOMENTS):
        killed(config, draw.uniform(0, 1.5 * takes), "backup", str(tmp_path / "out"))
    (tmp_path / "data").rename(tmp_path / "kept")
    for file in (tmp_path / "out").glob("nabu-*"):
        assert run(config, "restore", str(file)).exit_code == 0
        (tmp_path / "data/nabu.db").unlink()
    began = time.monotonic()
    assert run(config, "restore", str(whole)).exit_code == 0
    takes = time.monotonic() - began
    (tmp_path / "data/nabu.db").unlink()
    for _ in range(_MOMENTS):
        killed(config, draw.uniform(0, 1.5 * takes), "restore", str(whole))
        if (tmp_path / "data/nabu.db").exists():
            assert games(tmp_path / "data/nabu.db") == count
            (tmp_path / "data/nabu.db").unlink()
    assert run(config, "restore", str(whole)).exit_code == 0
    assert run(config, "backup", str(tmp_path / "out")).exit_code == 0
    assert not list((tmp_path / "out").glob(".nabu-backup-*/"))
    assert not list((tmp_path / "data").glob(".nabu-restore-*/"))


def test_missing_database_is_reported(config: Path, tmp_path: Path) -> None:
    (tmp_path / "data/nabu.db").unlink()
    done = run(config, "backup")
    assert done.exit_code == 1
    assert "There is nothing to back up" in done.output
    assert list((tmp_path / "data").iterdir()) == []


def test_key_and_passphrase_together_are_refused(config: Path, tmp_path: Path) -> None:
    (tmp_path / "passphrase").write_text("x")
    done = run(config, "backup", "--to", "age1x", "--passphrase-file", str(tmp_path / "passphrase"))
    assert done.exit_code == 2
    assert "not both" in done.output


def test_all_players_get_the_state_of_their_games_by_email(tmp_path: Path, config: Path) -> None:
    assert run(config, "db", "upgrade", "--no-backup").exit_code == 0
    asked = run(config, "admin", "standings", "A disk failed.")
    assert asked.exit_code == 1, "nobody has answered yes"
    assert "players will get emails that begin with:\nA disk failed.\n" in asked.output
    assert "emailed all players" not in run(config, "admin", "log").output
    done = run(config, "admin", "standings", "--yes", "A disk failed.")
    assert done.exit_code == 0
    count = int(done.output.split()[0])
    assert count > 5
    assert "emailed all players the state of their games" in run(config, "admin", "log").output
    assert "Give a reason" in run(config, "admin", "standings", " ").output


def test_maintenance_is_planned(tmp_path: Path, config: Path) -> None:
    assert run(config, "db", "upgrade", "--no-backup").exit_code == 0
    start = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=2)
    begins = f"{start:%Y-%m-%d %H:%M}"
    end = start + timedelta(hours=3)
    arguments = ["admin", "maintenance", "--from", begins, f"{end:%H:%M}", "A new disk."]
    effect = (
        f"All clocks will be paused from {begins} until {end:%Y-%m-%d %H:%M} UTC. This cannot be cancelled.\n"
    )
    asked = run(config, *arguments)
    assert asked.exit_code == 1
    assert asked.output.startswith(effect)
    assert "Continue? [y/N]" in asked.output
    assert "planned maintenance" not in run(config, "admin", "log").output
    done = run(config, *arguments, "--yes")
    assert done.exit_code == 0
    assert done.output == f"{effect}All clocks are paused from {begins} until {end:%Y-%m-%d %H:%M} UTC.\n"
    assert f"planned maintenance, {begins}" in run(config, "admin", "log").output
    wrong = run(config, "admin", "maintenance", "25:00", "A new disk.")
    assert wrong.exit_code == 1
    assert "“25:00” is not a time of day; write 00:00 to 23:59." in wrong.output


def test_numbers_are_skipped(tmp_path: Path, config: Path) -> None:
    assert run(config, "db", "upgrade", "--no-backup").exit_code == 0
    done = run(config, "admin", "skip-numbers")
    assert "get numbers that were never used before" in done.output
    assert "skipped numbers" in run(config, "admin", "log").output
    engine = connect(f"sqlite:///{tmp_path}/data/nabu.db")
    with engine.connect() as connection:
        assert row_numbers.last(connection, "game") >= max(numbers_of_games(engine)) + row_numbers.AT_LEAST
    engine.dispose()
