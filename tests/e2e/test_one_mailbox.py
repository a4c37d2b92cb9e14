"""Nabu with a single mailbox at a provider: fetched by IMAP, sent through the provider's server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from uuid import uuid4

import pytest
from sqlmodel import col, select

from server.settings import Settings
from server.store.db import reading
from server.store.engines import connect
from server.store.models import Inbox, Player
from tests.support.e2e.games_of_two import begin_by_email, stored_game
from tests.support.e2e.mailboxes import Person, World, open_world, text_of
from tests.support.e2e.nabu_process import start
from tests.support.machine.mail_servers import PASSWORD, Dovecot, Postfix
from tests.support.machine.waiting import await_that


class Customer(Person):
    """A person who writes to the mailbox. Some mail programs ignore Reply-To and reply to From."""

    plain: str
    knows_reply_to = True

    def write(self, text: str, subject: str = "") -> None:
        self.send(self.new_mail(self.plain, text, subject))

    def answer_to(self, mail: EmailMessage, text: str) -> EmailMessage:
        answer = super().answer_to(mail, text)
        if not self.knows_reply_to:
            answer.replace_header("To", str(mail["From"]))
        return answer


@pytest.fixture
def world(postfix: Postfix) -> Iterator[World]:
    """The world, to which the provider delivers."""
    with open_world(postfix.ports.sink) as (world, _):
        yield world


@pytest.fixture(params=["nabu", "strict"])
def settings(
    request: pytest.FixtureRequest, settings: Settings, postfix: Postfix, dovecot: Dovecot
) -> Settings:
    """Settings for a provider that lets Nabu send from `NAME+…@`, and for one that does not."""
    dovecot.restart()
    name = f"{request.param}{uuid4().hex[:8]}"
    login = f"{name}:{PASSWORD}@127.0.0.1"
    mailbox = {
        "mail_name": name,
        "mail_domain": "box.example",
        "imap_url": f"imap://{login}:{dovecot.ports.imap}",
        "smtp_url": f"smtp://{login}:{postfix.ports.submission}",
        "smtp_listen": "",
    }
    return settings.model_copy(update=mailbox)


@pytest.fixture
def person(world: World, settings: Settings, postfix: Postfix) -> Iterator[Callable[[str], Person]]:
    """A function that creates people; Ann's mail program ignores Reply-To."""

    def make(address: str) -> Person:
        customer = Customer(world, address, ("127.0.0.1", postfix.ports.smtp), settings.mail_domain)
        customer.plain = settings.plain_address
        customer.knows_reply_to = not address.startswith("ann@")
        return customer

    nabu = start(settings)
    yield make
    nabu.stop()


def return_paths(settings: Settings, log: str) -> bool:
    """Return whether the provider accepts return paths with `NAME+…@`."""
    return re.search(rf"qmgr\[\d+\]: \w+: from=<{settings.mail_name}\+bounces-", log) is not None


@pytest.mark.long
def test_complete_game_uses_one_mailbox(
    person: Callable[[str], Person], settings: Settings, postfix: Postfix
) -> None:
    people = begin_by_email(person, "nebuchadnezzar", "size=5")
    for number, text in enumerate(("c3", "a1", "e5", "resign")):
        who, mail = people[number % 2]
        who.answer(mail, text)
        people = [(one, one.next()) for one, _ in people]
    assert all("The game is over" in text_of(mail) for _, mail in people)
    game, turns = stored_game(settings)
    assert game.state == "over"
    assert [turn.body["line"].get("move") for turn in turns] == ["c3", "a1", "e5", None]
    assert return_paths(settings, postfix.log()) == settings.mail_name.startswith("nabu")
    assert_all_done(settings)


@pytest.mark.long
def test_bounce_counts_only_if_its_return_path_proves_it(
    world: World, person: Callable[[str], Person], settings: Settings
) -> None:
    world.unknown.add("gone@example.org")
    ann = person("ann@example.org")
    ann.write("register Ann\nchallenge gone@example.org nibble")
    await_that(lambda: any(why.startswith("bounce: not") for why in whys(settings)))
    # Without such a return path a bounce proves nothing, so it stops no player's email.
    proved = settings.mail_name.startswith("nabu")
    assert bounced(settings) == ["gone@example.org"] * proved
    assert_all_done(settings)


def bounced(settings: Settings) -> list[str]:
    engine = connect(settings.database_url)
    with reading(engine) as session:
        found = list(session.exec(select(Player.email).where(col(Player.bounced_at).is_not(None))))
    engine.dispose()
    return found


def whys(settings: Settings) -> list[str]:
    """Return the outcome of each incoming email."""
    engine = connect(settings.database_url)
    with reading(engine) as session:
        found = list(session.exec(select(Inbox.why)))
    engine.dispose()
    return found


def assert_all_done(settings: Settings) -> None:
    """Check that every email arrived by IMAP and was handled."""
    engine = connect(settings.database_url)
    with reading(engine) as session:
        rows = session.exec(select(Inbox.source, Inbox.state, Inbox.why)).all()
    engine.dispose()
    assert {(source, state) for source, state, _ in rows} == {("imap", "done")}, rows
