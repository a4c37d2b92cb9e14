"""Every check of `nabu doctor`: fine on a healthy server, and wrong if exactly that part is broken."""

from __future__ import annotations

import json
import sqlite3
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, text
from sqlmodel import SQLModel, select

from mail.incoming.receiving import Received
from server.cli import nabu
from server.doctor.examination import CHECKS, examine
from server.doctor.finding import Finding, fine
from server.game.integrity import log_check
from server.outbound.relay_health import MAIL_OUT
from server.settings import Settings
from server.store import database_health
from server.store.db import writing
from server.store.mail_budgets import REPLIES
from server.store.models import Entry, Failure, Heartbeat, Intake, KnownKey, Outbox, Player, Seat
from server.store.rollback.history import guard_of
from tests.support.database.postgres import Server
from tests.support.machine.ports import free_ports
from tests.support.mail.keys import self_signed
from tests.support.server.games import begin
from tests.support.server.healthy_server import ADDRESS, DOMAIN, HealthyServer, hospital
from tests.support.server.services import Clock, environment_of, settings_for

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("failures_meant")]
HOUR = timedelta(hours=1)


@pytest.fixture
def well(settings: Settings, clock: Clock, ann: Player, ben: Player, tmp_path: Path) -> Iterator[HealthyServer]:
    """Return a healthy server with a running game."""
    with hospital(settings, clock, tmp_path) as found:
        begin(found.installation.services, "nebuchadnezzar", ann, ben, size=5)
        with writing(found.installation.services.engine) as session:
            for mail in session.exec(select(Outbox)):
                mail.state = "sent"
        yield found


def states(found: dict[str, Finding], state: str) -> set[str]:
    return {name for name, each in found.items() if each.state == state}


def test_healthy_installation_has_no_problem(well: HealthyServer) -> None:
    found = well.examine()
    assert list(found) == [check.name for check in CHECKS]
    assert states(found, "wrong") == set()
    assert states(found, "unknown") <= {"clock"}, "whether anything sets the clock of this machine"
    assert all(each.sentence for each in found.values())


def change(well: HealthyServer, *statements: str) -> None:
    """Change the database without Nabu."""
    with writing(well.installation.services.engine) as session:
        for statement in statements:
            session.execute(text(statement))


def open_settings(well: HealthyServer) -> HealthyServer:
    assert well.installation.config is not None
    well.installation.config.chmod(0o644)
    return well


def no_texts(well: HealthyServer) -> HealthyServer:
    return well.having(pages_folder=f"{well.installation.file}.gone")


def lost_database(well: HealthyServer) -> HealthyServer:
    return well.having(database_url=f"sqlite:///{well.installation.file}.gone")


def crowded(well: HealthyServer) -> HealthyServer:
    with writing(well.installation.services.engine) as session:
        session.add(Intake(day=well.clock().toordinal(), budget=REPLIES, size=91, most=100))
    return well


def full_disk(well: HealthyServer) -> HealthyServer:
    """Make the database file as large as the disk, but almost empty (sparse)."""
    assert well.installation.file is not None
    with well.installation.file.open("r+b") as file:
        file.truncate(10**13)
    return well


def large_journal(well: HealthyServer) -> HealthyServer:
    with Path(f"{well.installation.file}-wal").open("r+b") as file:
        file.truncate(300_000_000)
    return well


def old_schema(well: HealthyServer) -> HealthyServer:
    change(well, "UPDATE alembic_version SET version_num = '0001'")
    return well


def old_game(well: HealthyServer) -> HealthyServer:
    change(well, "UPDATE game SET created_at = '2000-01-01 00:00:00'")
    return well


def split_servers(well: HealthyServer) -> HealthyServer:
    guard = guard_of(well.installation.services.engine)
    assert guard is not None
    guard.trouble = "several database servers accept writes: first, second"
    return well


def other_key(well: HealthyServer) -> HealthyServer:
    with writing(well.installation.services.engine) as session:
        session.add(KnownKey(mark="another", since=well.clock()))
    return well


def clock_behind(well: HealthyServer) -> HealthyServer:
    with writing(well.installation.services.engine) as session:
        for beat in session.exec(select(Heartbeat)):
            beat.at = well.clock() + HOUR
    return well


def nobody_listens(well: HealthyServer) -> HealthyServer:
    return well.having(lmtp_listen=f"127.0.0.1:{free_ports(1)[0]}")


def silent(number: int) -> Callable[[HealthyServer], HealthyServer]:
    def keep_silent(well: HealthyServer) -> HealthyServer:
        with writing(well.installation.services.engine) as session:
            session.get_one(Heartbeat, number).at = well.clock() - HOUR
        return well

    return keep_silent


def unhandled(well: HealthyServer) -> HealthyServer:
    own = well.installation.settings.plain_address
    well.installation.services.reception().store([Received("smtp", "", "eve@example.com", (own,), b"help")])
    change(well, "UPDATE inbox SET state = 'new', due_at = '2099-01-01', received_at = '2026-03-01 09:00:00'")
    return well


def unsent(well: HealthyServer) -> HealthyServer:
    with writing(well.installation.services.engine) as session:
        mail = session.exec(select(Outbox)).all()[-1]
        mail.state, mail.due_at = "queued", well.clock() - HOUR
    return well


def fails(job: str) -> Callable[[HealthyServer], HealthyServer]:
    def fail(well: HealthyServer) -> HealthyServer:
        since = well.clock() - HOUR
        with writing(well.installation.services.engine) as session:
            session.add(Failure(job=job, what="KeyError at f, line 1", since=since, due_at=since + 9 * HOUR))
        return well

    return fail


def overdue(well: HealthyServer) -> HealthyServer:
    with writing(well.installation.services.engine) as session:
        for seat in session.exec(select(Seat)):
            seat.grace_until = well.clock() - HOUR
    return well


def relay_away(well: HealthyServer) -> HealthyServer:
    return well.having(smtp_url=f"smtp://127.0.0.1:{free_ports(1)[0]}")


def lost_mail(well: HealthyServer) -> HealthyServer:
    well.relay.brings = False
    return well.within(0.5)


def spoilt_mail(well: HealthyServer) -> HealthyServer:
    well.relay.spoils = True
    return well


def without(name: str, game_type: str) -> Callable[[HealthyServer], HealthyServer]:
    def remove(well: HealthyServer) -> HealthyServer:
        del well.zone.records[name, game_type]
        return well

    return remove


def instead(name: str, game_type: str, record: str) -> Callable[[HealthyServer], HealthyServer]:
    def write(well: HealthyServer) -> HealthyServer:
        well.zone.records[name, game_type] = [record]
        return well

    return write


def without_address(well: HealthyServer) -> HealthyServer:
    return well.having(base_url="https://nabu.invalid")


def soon_expired(well: HealthyServer) -> HealthyServer:
    folder = well.installation.config.parent if well.installation.config else Path()
    certificate = self_signed(folder, "127.0.0.1", days=1 / 8)
    well.proxy.shows(certificate)
    tls = ssl.create_default_context(cafile=certificate[0])
    return replace(well, installation=replace(well.installation, tls=tls))


def self_made(well: HealthyServer) -> HealthyServer:
    folder = well.installation.config.parent if well.installation.config else Path()
    well.proxy.shows(self_signed(folder, "127.0.0.1", days=61))
    return well


def nothing_told(well: HealthyServer) -> HealthyServer:
    well.proxy.tells = False
    return well


def rewritten_log(well: HealthyServer) -> HealthyServer:
    with writing(well.installation.services.engine) as session:
        entry = session.exec(select(Entry)).all()[-1]
        entry.hash = "0" * len(entry.hash)
    return well


BREAKAGES: list[tuple[str, Callable[[HealthyServer], HealthyServer], str]] = [
    ("settings", open_settings, "others on this machine can read it"),
    ("settings", no_texts, "with the texts of the pages does not exist"),
    ("database", lost_database, "does not exist"),
    ("disk", full_disk, "Only "),
    ("journal", large_journal, "300 MB"),
    ("schema", old_schema, "The database has schema 0001"),
    ("history", split_servers, "Several database servers accept writes"),
    ("key", other_key, "a key that the settings do not name"),
    ("clock", clock_behind, "a time in the future"),
    ("ports", nobody_listens, "LMTP on 127.0.0.1:"),
    ("worker", silent(1), "No worker has run for 60 minutes"),
    ("mail in", silent(2), "No process has accepted mail for 60 minutes"),
    ("mail budget", crowded, "Today's budget for incoming mail (replies) is almost used up"),
    ("inbox", unhandled, "An incoming email has waited for 3 hours"),
    ("outbox", unsent, "An outgoing email has waited for 60 minutes"),
    ("mail out", fails(MAIL_OUT), "The relay has refused all emails for 60 minutes"),
    ("deadlines", overdue, "A deadline passed 60 minutes ago"),
    ("failures", fails("digest"), "1 games or players fail again and again"),
    ("backup", old_game, "No backup has ever been made"),
    ("relay", relay_away, "Connection refused"),
    ("round trip", lost_mail, "did not come back"),
    ("MX", without(DOMAIN, "MX"), "has no MX record"),
    ("MX", without(f"mx.{DOMAIN}", "A"), "has no address"),
    ("SPF", without(DOMAIN, "TXT"), "no SPF record"),
    ("SPF", instead(DOMAIN, "TXT", "v=spf1 ip4:192.0.2.7 -all"), f"does not allow {ADDRESS}: fail"),
    ("DKIM", without(f"nabu._domainkey.{DOMAIN}", "TXT"), "does not contain the key"),
    ("DKIM", spoilt_mail, "breaks their signatures"),
    ("DMARC", without(f"_dmarc.{DOMAIN}", "TXT"), "no DMARC record"),
    ("reverse name", without("2.113.0.203.in-addr.arpa", "PTR"), "has no name"),
    ("reverse name", instead("2.113.0.203.in-addr.arpa", "PTR", "other.example.org"), "another address"),
    ("certificate", without_address, "nabu.invalid has no address"),
    ("certificate", soon_expired, "expires in 2 hours"),
    ("certificate", self_made, "do not trust 127.0.0.1"),
    ("proxy", nothing_told, "All visitors seem to come from 127.0.0.9"),
    ("games", rewritten_log, "1 of 1 have faults: 1."),
]


def test_every_check_has_a_test_that_breaks_it() -> None:
    assert {name for name, _, _ in BREAKAGES} == {check.name for check in CHECKS}


@pytest.mark.sample(7)
@pytest.mark.parametrize(("name", "break_it", "told"), BREAKAGES)
def test_only_the_broken_check_reports_a_problem(
    well: HealthyServer, name: str, break_it: Callable[[HealthyServer], HealthyServer], told: str
) -> None:
    found = break_it(well).examine()
    assert found[name].state == "wrong", found[name]
    assert told in found[name].sentence
    assert found[name].fix
    after = {name}  # checks that are possible only after this is fixed
    for check in CHECKS:
        if after & set(check.after):
            after.add(check.name)
    also = {"reverse name"} if (name, told) == ("MX", "has no address") else set()
    assert states(found, "wrong") - {name} <= also
    assert states(found, "unknown") <= {*after, "clock", "DKIM"}


def test_cause_of_a_failing_database_is_named(well: HealthyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_health, "PATIENCE", 0.0)
    with closing(sqlite3.connect(str(well.installation.file))) as other:
        other.execute("BEGIN IMMEDIATE")
        found = next(found for check, found in examine(well.installation) if check.name == "database")
    assert (found.state, found.sentence) == ("wrong", "Another program has locked the file of the database.")
    assert "fuser" in found.fix


def test_processes_are_reported_with_their_last_activity(well: HealthyServer) -> None:
    found = well.examine()
    assert found["worker"].sentence == "last active at 2026-03-01 12:00:00 UTC"
    assert found["mail in"].sentence.startswith("last active at 2026-03-01 ")


def test_missing_backup_is_reported_with_the_time_when_it_is_needed(well: HealthyServer) -> None:
    assert well.examine()["backup"] == fine(
        "none yet; needed from 2026-03-03 00:00 UTC, when the oldest game is 36 hours old"
    )


def test_players_without_games_are_reported(well: HealthyServer) -> None:
    with writing(well.installation.services.engine) as session:
        for table in reversed(SQLModel.metadata.sorted_tables):
            if "game_id" in table.columns or table.name == "game":
                session.execute(delete(table))
    found = well.examine()
    assert (found["games"].state, found["games"].sentence) == ("unknown", log_check.NO_GAMES)
    assert found["backup"] == fine("none yet; needed once there are games")


def test_emails_to_paused_domains_are_reported_without_a_problem(well: HealthyServer, clock: Clock) -> None:
    with writing(well.installation.services.engine) as session:
        mail = session.exec(select(Outbox)).all()[-1]
        mail.state, mail.due_at, mail.attempts = "paused", clock() - 5 * HOUR, 0
    found = well.examine()["outbox"]
    assert (found.state, "1 waits, as its domain is paused" in found.sentence) == ("fine", True)


def test_relay_is_not_called_fine_before_it_has_accepted_an_email(well: HealthyServer, clock: Clock) -> None:
    assert well.examine()["mail out"].sentence == "no email has been refused yet"
    with writing(well.installation.services.engine) as session:
        session.add(Failure(job=MAIL_OUT, what="Connection refused", since=clock(), due_at=clock()))
    found = well.within(30).examine()["mail out"]
    assert (found.state, found.sentence) == (
        "unknown",
        f"the relay has refused all emails since {clock():%H:%M} UTC; Nabu retries them",
    )


def test_relay_that_has_accepted_emails_is_fine(well: HealthyServer) -> None:
    with writing(well.installation.services.engine) as session:
        for mail in session.exec(select(Outbox)):
            mail.attempts = 1
    assert well.examine()["mail out"].sentence == "the relay accepts emails"


def test_mail_check_is_unknown_if_no_listener_has_ever_run(well: HealthyServer) -> None:
    change(well, "DELETE FROM heartbeat WHERE id = 2")
    assert well.examine()["mail in"].state == "unknown"


def test_doctor_creates_nothing(tmp_path: Path) -> None:
    config = tmp_path / "nabu.env"
    config.write_text(
        f"NABU_SECRET_KEY={'k' * 32}\nNABU_MAIL_DOMAIN={DOMAIN}\nNABU_DATABASE_URL=sqlite:///{tmp_path}/x.db"
    )
    config.chmod(0o600)
    done = CliRunner().invoke(nabu, ["--config", str(config), "doctor", "--json"])
    assert done.exit_code == 1
    [told] = json.loads(done.output)
    assert (told["check"], told["state"]) == ("database", "wrong")
    assert "nabu db upgrade" in told["fix"]
    assert not (tmp_path / "x.db").exists()


def test_doctor_prints_a_line_for_each_check(well: HealthyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = well.installation.settings
    monkeypatch.delenv("NABU_CONFIG", raising=False)
    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)
    done = CliRunner().invoke(nabu, ["doctor", "--patience", "9"])
    lines = done.output.splitlines()
    assert done.exit_code == 1, "at least, no authority has signed the certificate"
    assert [line.split("  ")[0] for line in lines if not line.startswith(" ")] == [
        check.name for check in CHECKS
    ]
    assert "ports         fine   web on 127.0.0.1:" in done.output
    assert "certificate   WRONG  Browsers do not trust 127.0.0.1: self-signed certificate." in done.output


def test_doctor_checks_postgresql(
    postgres: Server, postgres_template: str, clock: Clock, tmp_path: Path
) -> None:
    with (
        postgres.without_rows(postgres_template, SQLModel.metadata.tables) as name,
        hospital(settings_for(postgres.url(name)), clock, tmp_path) as well,
    ):
        found = well.examine()
        assert found["database"].sentence.startswith("PostgreSQL ")
        assert states(found, "wrong") == set()
        assert states(found, "unknown") - {"clock"} == {"disk", "journal", "games"}
