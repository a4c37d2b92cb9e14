"""Missing backups, and backups that cannot be restored, are noticed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import pyrage
import pytest
from click.testing import CliRunner
from sqlalchemy import text

from server.admin.health import health
from server.backup import archive, making, restoring
from server.backup.archive import BadBackup, Lock
from server.cli import nabu
from server.jobs import downtime
from server.processes.alerts import Alarm
from server.processes.services import Services
from server.store.db import reading, writing
from server.web import create_app
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock
from tests.support.web.client import Browser


def warned(services: Services) -> list[str]:
    with reading(services.engine) as session:
        return [each.sentence for each in health(session, services.now()).warnings()]


def make(services: Services, folder: Path, *, verified: bool = True) -> Path:
    """Make a backup as `nabu backup` does."""
    restores = partial(restoring.verify, services.settings, now=services.now) if verified else None
    file = making.make(services.engine, folder, services.now(), verify=restores)
    making.record(services.engine, file, services.now(), verified=verified)
    return file


def test_missing_backup_is_a_warning_once_games_exist(
    table: TwoPlayerGame, clock: Clock, tmp_path: Path
) -> None:
    services = table.services
    assert warned(services) == []
    clock.advance(hours=37)
    assert warned(services) == ["no backup has ever been made (nabu backup)"]
    make(services, tmp_path, verified=False)
    assert warned(services) == ["no backup has ever been verified (nabu backup --verify)"]
    make(services, tmp_path)
    assert warned(services) == []
    clock.advance(hours=37)
    assert warned(services) == ["the last backup was made 37 hours ago (nabu backup)"]
    clock.advance(days=40)
    make(services, tmp_path, verified=False)
    assert warned(services) == ["no backup was verified for 41 days (nabu backup --verify)"]


def test_readyz_metrics_and_alerts_show_the_backup_warning(
    table: TwoPlayerGame, clock: Clock, tmp_path: Path
) -> None:
    services, told = table.services, list[str]()
    clock.advance(days=4)
    with writing(services.engine) as session:  # nothing else is wrong
        session.execute(text("UPDATE outbox SET state = 'sent'"))
        session.execute(text("UPDATE seat SET grace_until = NULL"))
    downtime.beat(services.engine, services.now())
    browser = Browser(create_app(services))
    page = browser.get("/readyz")
    assert (page.status_code, page.text) == (
        200,
        "ready\nwarning: backup: no backup has ever been made (nabu backup)\n",
    )
    assert f"nabu_backup_age_seconds {timedelta(days=4).total_seconds()}" in browser.get("/metrics").text

    def tell(text: str) -> bool:
        told.append(text)
        return True

    alarm = Alarm(services, tell)
    alarm.look()
    alarm.look()
    assert told == ["backup: no backup has ever been made (nabu backup)"]
    file = make(services, tmp_path)
    alarm.look()
    assert told[1:] == ["backup: resolved"]
    assert browser.get("/readyz").text == "ready\n"
    metrics = browser.get("/metrics").text
    for line in ("nabu_backup_age_seconds 0.0", "nabu_backup_verified_seconds 0.0"):
        assert line in metrics
    assert f"nabu_backup_bytes {float(file.stat().st_size)}" in metrics


def test_backup_that_cannot_be_restored_does_not_count(table: TwoPlayerGame, tmp_path: Path) -> None:
    table.submit(0, "c3")
    with writing(table.services.engine) as session:
        session.execute(text("UPDATE entry SET hash = 'x' WHERE turn = 1"))
    with pytest.raises(BadBackup, match="do not match their logs"):
        make(table.services, tmp_path)
    assert list(tmp_path.glob("nabu-2*")) == []


def test_backup_that_lacks_rows_does_not_count(
    table: TwoPlayerGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(folder: Path, manifest: archive.Manifest, lock: Lock, file: Path, verify: object) -> None:
        with closing(sqlite3.connect(folder / archive.DATABASE)) as copy:
            copy.execute("DELETE FROM address")
            copy.commit()
        whole = archive.checksum(folder / archive.DATABASE)
        manifest = archive.Manifest(**{**vars(manifest), "sha256": whole})
        archive.pack(folder, manifest, lock, file, verify)  # type: ignore[arg-type]

    monkeypatch.setattr(making, "pack", lose)
    with pytest.raises(BadBackup, match="0 rows of the table address instead of 2"):
        make(table.services, tmp_path)


def test_backup_is_verified_before_it_is_encrypted(table: TwoPlayerGame, tmp_path: Path) -> None:
    settings = table.services.settings
    config, names = tmp_path / "nabu.env", ("secret_key", "mail_domain", "database_url")
    config.write_text("".join(f"NABU_{name.upper()}={getattr(settings, name)}\n" for name in names))
    public = pyrage.x25519.Identity.generate().to_public()
    arguments = ["backup", str(tmp_path / "to"), "--verify", "--to", str(public)]
    done = CliRunner().invoke(nabu, ["--config", str(config), *arguments])
    assert done.exit_code == 0, done.output
    [made] = (tmp_path / "to").glob("nabu-2*.age")
    with reading(table.services.engine) as session:
        last = health(session, table.services.now()).backup
    assert last.backup_bytes == made.stat().st_size
    assert last.verified_at == last.backup_at


def test_admin_alert_sends_the_given_text_as_an_alert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "nabu.env"
    config.write_text(f"NABU_SECRET_KEY={'k' * 32}\nNABU_MAIL_DOMAIN=games.example.org\n")
    arguments = ["--config", str(config), "admin", "alert", "nabu-backup.service failed."]
    none = CliRunner().invoke(nabu, arguments)
    assert "NABU_ALERT_URLS or NABU_ALERT_COMMAND" in none.output
    monkeypatch.setenv("NABU_ALERT_COMMAND", f"tee {tmp_path}/alert")
    assert CliRunner().invoke(nabu, arguments).exit_code == 0
    assert (tmp_path / "alert").read_text() == "nabu-backup.service failed.\n"
    monkeypatch.setenv("NABU_ALERT_COMMAND", "false")
    assert CliRunner().invoke(nabu, arguments).exit_code == 1
