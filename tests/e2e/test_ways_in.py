"""Games by email that arrives in other ways than the listener: a mailbox, a maildir, a program."""

from __future__ import annotations

import logging
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import SMTPUTF8
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from sqlmodel import col, func, select

from mail.incoming.receiving import Received
from server.processes.mail_process import Mailroom
from server.processes.services import Services, open_services
from server.settings import Settings
from server.settings.loading import BadSettings
from server.store.db import reading
from server.store.engines import connect
from server.store.models import Inbox
from tests.support.e2e.games_of_two import begin_by_email, sit_down, stored_game
from tests.support.e2e.mailboxes import Person, World, text_of
from tests.support.e2e.mortal_process import Mortal
from tests.support.e2e.nabu_process import Running, start
from tests.support.machine.mail_servers import PASSWORD, Dovecot, Postfix
from tests.support.machine.waiting import await_that

NO_IDLE = "imap_capability = IMAP4rev1"  # a server that supports neither IDLE nor MOVE
LOOKS_LIKE_OURS = f"play+{'ı' * 36}@games.example.org"  # an upper-case dotless i is an I


BEGINNING = 4
"""The number of emails until a game begins: register, challenge, name, accept."""


class Mailbox:
    """A mailbox on a real server, to which Nabu's email is delivered."""

    way = "imap"

    def __init__(self, dovecot: Dovecot) -> None:
        self._user = f"nabu{uuid4().hex[:8]}"
        self._dovecot = dovecot

    @property
    def settings(self) -> dict[str, object]:
        place = f"{self._user}:{PASSWORD}@127.0.0.1:{self._dovecot.ports.imap}"
        return {"imap_url": f"imap://{place}", "imap_pause": 600}

    def put(self, message: EmailMessage) -> None:
        with smtplib.LMTP("127.0.0.1", self._dovecot.ports.lmtp) as server:
            server.sendmail(str(message["From"]), [f"{self._user}@box.example"], message.as_bytes())

    def lying(self) -> int:
        """Return the number of emails that wait to be fetched."""
        return _files(self._dovecot.mailbox(self._user))

    def handled(self) -> int:
        """Return the number of emails that are put away."""
        return _files(self._dovecot.mailbox(self._user) / ".Nabu.Handled")


class Maildir:
    """A maildir to which a mail server delivers."""

    way = "maildir"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for part in ("tmp", "new", "cur"):
            (folder / part).mkdir(parents=True)

    @property
    def settings(self) -> dict[str, object]:
        return {"maildir": str(self._folder)}

    def put(self, message: EmailMessage) -> None:
        name = uuid4().hex
        head = f"Return-Path: <{message['From']}>\n".encode()
        (self._folder / "tmp" / name).write_bytes(head + message.as_bytes().replace(b"\r\n", b"\n"))
        (self._folder / "tmp" / name).rename(self._folder / "new" / name)

    def lying(self) -> int:
        return len(list((self._folder / "new").iterdir()))

    def handled(self) -> int:
        return len(list((self._folder / "cur").iterdir()))


def _files(maildir: Path) -> int:
    return sum(len(list((maildir / part).glob("*"))) for part in ("new", "cur"))


Place = Mailbox | Maildir


class Correspondent(Person):
    """A person whose emails to Nabu go to such a place."""

    place: Place

    def send(self, message: EmailMessage) -> None:
        self.place.put(message)


@pytest.fixture(params=["imap", "maildir"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "maildir":
        return Maildir(tmp_path / "mail")
    dovecot: Dovecot = request.getfixturevalue("dovecot")
    dovecot.restart()
    return Mailbox(dovecot)


def correspondents(world: World, place: Place) -> Callable[[str], Person]:
    def make(address: str) -> Person:
        person = Correspondent(world, address, ("", 0), "games.example.org")
        person.place = place
        return person

    return make


def play_some_turns(world: World, place: Place, settings: Settings) -> None:
    people = begin_by_email(correspondents(world, place), "nebuchadnezzar", "size=5")
    for number, move in enumerate(("c3", "a1", "e5"), start=1):
        who, mail = people[(number - 1) % 2]
        who.answer(mail, move)
        people = [(each, each.next()) for each, _ in people]
    assert [turn.body["line"]["move"] for turn in stored_game(settings)[1]] == ["c3", "a1", "e5"]
    await_that(lambda: not place.lying())
    assert_each_mail_once(place, settings, BEGINNING + 3)
    # Two processes that move one email at the same time may leave two copies.
    assert place.handled() >= BEGINNING + 3


def assert_each_mail_once(place: Place, settings: Settings, count: int) -> None:
    """Check that this many emails are stored, each once, and handled."""
    engine = connect(settings.database_url)
    with reading(engine) as session:
        rows = session.exec(select(Inbox.source, Inbox.state, Inbox.why)).all()
    engine.dispose()
    assert [(source, state) for source, state, _ in rows] == [(place.way, "done")] * count, rows


def test_game_by_email_with_a_way_in_that_notifies(world: World, place: Place, settings: Settings) -> None:
    nabu = start(settings.model_copy(update=place.settings))
    play_some_turns(world, place, settings)
    nabu.stop()
    assert place.handled() == BEGINNING + 3


def test_game_by_email_with_a_way_in_that_polls(world: World, dovecot: Dovecot, settings: Settings) -> None:
    dovecot.restart(NO_IDLE)
    place = Mailbox(dovecot)
    nabu = start(settings.model_copy(update={**place.settings, "imap_pause": 1}))
    people = sit_down(correspondents(world, place), settings, "nebuchadnezzar", size=5)
    people[0][0].answer(people[0][1], "c3")
    assert "Turn 2. " in text_of(people[0][0].next())
    # Such a server cannot move emails: they are copied and marked as deleted, and remain.
    await_that(lambda: place.handled() == 1)
    nabu.stop()


@pytest.mark.long
def test_several_processes_watch_one_way_in(world: World, place: Place, settings: Settings) -> None:
    several = [start(settings.model_copy(update=place.settings)) for _ in range(3)]
    play_some_turns(world, place, settings)
    for nabu in several:
        nabu.stop()


def test_email_to_a_wrong_address_stops_no_other_email(world: World, place: Place, settings: Settings) -> None:
    odd = EmailMessage(SMTPUTF8)
    odd["From"], odd["To"] = "x@world.test", LOOKS_LIKE_OURS
    odd.set_content("c4")
    place.put(odd)
    ann = correspondents(world, place)("ann@example.org")
    ann.write("register Ann")
    nabu = start(settings.model_copy(update=place.settings))
    assert "Welcome" in str(ann.next()["Subject"])
    await_that(lambda: not place.lying())
    nabu.stop()


@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
def test_email_to_a_wrong_address_is_not_retried_for_ever(settings: Settings, protocol: str) -> None:
    listen = {"smtp_listen": "", "lmtp_listen": "", f"{protocol}_listen": "127.0.0.1:0"}
    nabu = start(settings.model_copy(update=listen))
    with (smtplib.SMTP if protocol == "smtp" else smtplib.LMTP)(*nabu.listener) as client:
        client.ehlo()
        client.mail("x@world.test", ["SMTPUTF8"])
        assert client.rcpt(LOOKS_LIKE_OURS)[0] == 550
    nabu.stop()


@pytest.mark.long
def test_email_is_handled_once_when_killed_after_storing_it(
    world: World, place: Place, settings: Settings
) -> None:
    """Kills at each point from storing on; an email that was not put away is found again and recognised."""
    settings = settings.model_copy(update=place.settings)
    nabu = start(settings)
    people = begin_by_email(correspondents(world, place), "nebuchadnezzar", "size=9")
    nabu.stop()
    deaths, moves = 0, ("a1", "a3", "a5", "a7", "c1", "c3")
    for point, move in enumerate(moves, start=1):
        who, mail = people[(point - 1) % 2]
        mortal = Mortal(settings, [each for each, _ in people], point)
        who.answer(mail, move)
        for each, _ in people:
            mortal.wait(each, each.read + 1)
        await_that(partial(put_away, place, mortal))
        mortal.running.stop()
        deaths += mortal.died
        people = [(each, each.next()) for each, _ in people]
    assert deaths >= len(moves) // 2
    assert [turn.body["line"]["move"] for turn in stored_game(settings)[1]] == list(moves)
    assert_each_mail_once(place, settings, BEGINNING + len(moves))
    # A server may carry out the MOVE of a dead process while the next process moves the same email.
    assert place.handled() >= BEGINNING + len(moves)
    for each, _ in people:
        assert len(world.mails_to(each.address)) == each.read


def put_away(place: Place, mortal: Mortal) -> bool:
    """Restart Nabu if it has died; return whether no email is left to fetch."""
    mortal.revive()
    return not place.lying()


def test_emails_stay_in_place_during_a_database_outage(
    place: Place, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    services = open_services(settings.model_copy(update={**place.settings, "imap_pause": 1}))
    person = correspondents(World(), place)("ann@example.org")
    with services.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE inbox RENAME TO away")
    room = Mailroom(services)
    room.start()
    with caplog.at_level(logging.ERROR):
        person.write("register Ann")
        await_that(lambda: "did not store" in caplog.text)
    assert place.lying() == 1
    room.stop()
    with services.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE away RENAME TO inbox")
    room = Mailroom(services)
    room.start()
    await_that(lambda: not place.lying())
    room.stop()
    with reading(services.engine) as session:
        assert session.exec(select(func.count(col(Inbox.id)))).one() == 1
    services.close()
    assert "register" not in caplog.text, "logs contain no text of emails"


def test_unusable_maildir_is_reported_at_start(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    services = open_services(settings.model_copy(update={"maildir": str(tmp_path / "file")}))
    with pytest.raises(BadSettings, match=r"NABU_MAILDIR=.*file"):
        Mailroom(services)
    services.close()


def test_emails_stored_by_another_process_are_handled_without_a_worker(settings: Settings) -> None:
    """Emails that are stored like those of a pipe or of the web pages."""
    pipe, services = open_services(settings), open_services(settings)
    room = Mailroom(services)
    room.start()
    mail = Received(
        "pipe", "", "ann@example.org", ("play@games.example.org",), b"From: ann@example.org\n\nhelp\n"
    )
    pipe.reception().store([mail])
    await_that(lambda: handled(services))
    room.stop()
    pipe.close()
    services.close()


def handled(services: Services) -> bool:
    """Return whether all emails are handled."""
    with reading(services.engine) as session:
        return set(session.exec(select(Inbox.state))) == {"done"}


class Piped:
    """The program that a mail server starts for each email, with settings that can be changed."""

    def __init__(self, file: Path, settings: Settings) -> None:
        self._file, self._settings = file, settings
        self.work_with(settings.database_url)

    def work_with(self, database_url: str) -> None:
        settings = self._settings
        self._file.write_text(
            f"NABU_SECRET_KEY={settings.secret_key}\nNABU_MAIL_DOMAIN={settings.mail_domain}\n"
            f"NABU_DATABASE_URL={database_url}\n"
        )

    def take(self, sender: str, recipient: str, mail: bytes) -> int:
        nabu = [sys.executable, "-m", "server", "--config", str(self._file), "mail", "pipe"]
        command = [*nabu, f"--sender={sender}", "--", recipient]
        return subprocess.run(command, input=mail, capture_output=True, check=False).returncode

    def rows(self) -> list[tuple[str, str, str]]:
        engine = connect(self._settings.database_url)
        with reading(engine) as session:
            query = select(Inbox.mail_from, Inbox.recipient, Inbox.state).where(Inbox.source == "pipe")
            rows = [(sender, recipient, state) for sender, recipient, state in session.exec(query)]
        engine.dispose()
        return rows


@pytest.fixture
def piped(tmp_path: Path, settings: Settings, postfix: Postfix) -> Iterator[Piped]:
    piped = Piped(tmp_path / "nabu.env", settings)
    with postfix.piping(piped.take):
        yield piped


@pytest.mark.long
def test_turn_is_played_through_the_pipe_program_of_postfix(
    piped: Piped, postfix: Postfix, nabu: Running, person: Callable[[str], Person]
) -> None:
    (who, mail), _ = begin_by_email(person, "nebuchadnezzar", "size=5")
    who.server = ("127.0.0.1", postfix.ports.smtp)
    who.answer(mail, "c3")
    assert "Turn 2. " in text_of(who.next())
    assert piped.rows() == [(who.address, str(mail["Reply-To"]), "done")]


@pytest.mark.long
def test_postfix_keeps_emails_that_cannot_be_stored_and_returns_wrong_ones(
    piped: Piped, postfix: Postfix, world: World, settings: Settings
) -> None:
    ann = Person(world, "ann@example.org", ("127.0.0.1", postfix.ports.smtp), settings.mail_domain)
    piped.work_with("postgresql://nobody@127.0.0.1:1/none")
    ann.write("help")
    await_that(postfix.deferred)
    [reason] = postfix.deferred()
    assert reason.startswith("temporary failure")
    assert piped.rows() == []
    piped.work_with(settings.database_url)
    postfix.flush()
    await_that(lambda: not postfix.queued())
    assert piped.rows() == [("ann@example.org", "play@games.example.org", "new")]
    ann.send(ann.new_mail("play+nonsense@games.example.org", "c3", ""))
    await_that(lambda: "status=bounced (user unknown" in postfix.log())
    assert len(piped.rows()) == 1
