"""If a relay refuses all email, it stays queued, no player's email stops, and the administrator is notified."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from click.testing import CliRunner
from flask import Flask
from sqlmodel import col, func, select

from mail.outgoing.delivering import Relay, RelayConnections
from server.accounts import bounces, players
from server.cli import nabu
from server.jobs import administrator_report
from server.outbound import relay_health
from server.outbound.delivery import Delivery
from server.outbound.letters.account import MailStopped
from server.processes.services import Services, utc_now
from server.store.db import reading, writing
from server.store.letters.account import Welcome
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext
from tests.support.mail.bad_relay import FAULTS, WELL, BadRelay, bad_relay
from tests.support.server.emails import letters
from tests.support.server.services import Clock, environment_of
from tests.support.web.client import logged_in

pytestmark = pytest.mark.both

PATIENCE = 0.2  # seconds of waiting for a relay that does not answer
PLAYERS = 6
FEW = ("it is silent", "450 at RCPT", "550 at RCPT, user unknown", "its encryption fails")
"""One behaviour of a relay of each kind."""
on_sqlite = pytest.mark.parametrize("database", ["sqlite"])


@pytest.fixture
def relay() -> Iterator[BadRelay]:
    with bad_relay() as relay:
        yield relay


@contextmanager
def delivery_to(services: Services, url: str, patience: float = 60.0) -> Iterator[Delivery]:
    """Return a delivery to this relay."""
    connections = RelayConnections(
        [Relay(url, hostname="games.example.org", timeout=patience) for _ in range(2)]
    )
    yield replace(services.delivery(), connections=connections)
    connections.close()


def queue(services: Services, domains: int) -> None:
    """Queue an email to each of some players at so many domains."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        for number in range(PLAYERS):
            address = f"player{number}@{'abcdef'[number % domains]}.example"
            player = players.by_email(session, address)
            if player is None:
                players.register(action, address, f"Player {number}")
            else:
                action.put_to_player(player, Welcome(player.name))


def send(delivery: Delivery, services: Services) -> None:
    while delivery.send_due(services.now()):
        pass


def states(services: Services) -> set[str]:
    """Return the states of the emails to players."""
    with reading(services.engine) as session:
        return set(session.exec(select(Outbox.state).where(col(Outbox.player_id).is_not(None))))


def suspended(services: Services) -> list[str]:
    with reading(services.engine) as session:
        return [player.name for player in session.exec(select(Player)) if player.suspended_at is not None]


@pytest.fixture
def environment(services: Services) -> dict[str, str]:
    """Return the environment variables for `nabu`."""
    return environment_of(services.settings)


def wrong_with_relay(services: Services) -> str:
    """Return the recorded problem of the relay."""
    with reading(services.engine) as session:
        known = relay_health.failure(session)
        return "" if known is None else known.what


@pytest.mark.sample(4)
@pytest.mark.slow
@on_sqlite
@pytest.mark.parametrize(
    ("fault", "domains"),
    [
        ("it is not there", PLAYERS),
        *[pytest.param(fault, PLAYERS, marks=() if fault in FEW else pytest.mark.long) for fault in FAULTS],
        *[
            pytest.param(fault, 1, marks=() if fault in FEW else pytest.mark.long)
            for fault in FAULTS
            if "at RCPT" in fault
        ],
    ],
)
def test_bad_relay_costs_no_player_and_no_email(
    services: Services, clock: Clock, relay: BadRelay, fault: str, domains: int
) -> None:
    queue(services, domains)
    relay.fault = FAULTS.get(fault, WELL)
    patience = PATIENCE if fault == "it is silent" else 60.0
    if fault == "it is not there":
        relay.close()
    with delivery_to(services, relay.url(relay.fault), patience) as delivery:
        for seconds in (0, 15, 3700, 7300, 6 * 86_400):
            clock.advance(seconds=seconds)
            send(delivery, services)
            assert (states(services), suspended(services), relay.taken) == ({"queued"}, [], [])
    assert wrong_with_relay(services)
    with writing(services.engine) as session:
        administrator_report.notify_administrator(
            ActionContext(session, services.sealer, services.now()), "administrator@example.org"
        )
    told = [letter for letter in letters(services) if letter.to == "administrator@example.org"]
    assert f"{PLAYERS} emails waiting since" in told[0].words
    relay.fault = WELL
    if fault == "it is not there":
        relay.open()
    clock.advance(hours=5)
    with delivery_to(services, relay.url()) as delivery:
        send(delivery, services)
    assert (states(services), suspended(services)) == ({"sent"}, [])
    assert sorted(set(relay.taken)) == sorted(letter.to for letter in letters(services))
    assert not wrong_with_relay(services)


GONE = "550 5.1.1 <{path}>: User unknown"


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("database", "reply", "state", "is_suspended"),
    [
        ("sqlite", GONE, "failed", True),
        ("postgresql", GONE, "failed", True),
        ("sqlite", "552 5.2.2 <{path}>: Mailbox full", "queued", False),
        ("sqlite", "550 User unknown", "queued", False),
        ("sqlite", "550 5.7.1 <{path}>: Not from you", "queued", False),
        ("sqlite", "450 4.2.1 <{path}>: Not now", "queued", False),
    ],
)
def test_single_refused_mailbox_is_at_fault_after_an_hour(
    services: Services, clock: Clock, relay: BadRelay, reply: str, state: str, is_suspended: bool
) -> None:
    relay.fault = {"player0": reply}
    with delivery_to(services, relay.url()) as delivery:
        for _ in range(3):
            queue(services, PLAYERS)
            send(delivery, services)
            assert suspended(services) == []
            clock.advance(minutes=29)
        clock.advance(minutes=4)
        send(delivery, services)
        send(delivery, services)
    assert suspended(services) == (["Player 0"] if is_suspended else [])
    with reading(services.engine) as session:
        mails = session.exec(select(Outbox.state).where(col(Outbox.recipient).startswith("player0@"))).all()
        first = session.exec(select(Player).where(Player.name == "Player 0")).one()
        assert state in mails
        assert "sent" not in mails
        assert (first.bounce_score > 0) == (is_suspended or "5.2.2" in reply)
    assert not wrong_with_relay(services)


def test_mailbox_refused_without_status_is_given_up_after_days(
    services: Services, clock: Clock, relay: BadRelay
) -> None:
    relay.fault = {"player0": "550 User unknown"}
    queue(services, PLAYERS)
    with delivery_to(services, relay.url()) as delivery:
        send(delivery, services)
        clock.advance(days=services.settings.give_up_days)
        queue(services, PLAYERS)
        send(delivery, services)
        clock.advance(hours=5)
        send(delivery, services)
    assert states(services) == {"sent", "failed", "queued"}
    assert suspended(services) == []
    with reading(services.engine) as session:
        assert session.exec(select(func.max(Player.bounce_score))).one() == bounces.SOFT


def test_emails_go_out_as_soon_as_the_relay_accepts_them(
    services: Services, clock: Clock, relay: BadRelay
) -> None:
    relay.fault = FAULTS["550 at RCPT, without a status"]
    queue(services, PLAYERS)
    with delivery_to(services, relay.url()) as delivery:
        for _ in range(8):
            send(delivery, services)
            clock.advance(hours=3)
        send(delivery, services)
        relay.fault = WELL
        clock.advance(minutes=6)
        with writing(services.engine) as session:
            ActionContext(session, services.sealer, services.now()).put("new@a.example", MailStopped())
        send(delivery, services)
    assert states(services) == {"sent"}
    assert len(relay.taken) == PLAYERS + 1


def test_administrator_and_players_see_that_emails_are_not_sent(
    services: Services, clock: Clock, relay: BadRelay, environment: dict[str, str], app: Flask, ann: Player
) -> None:
    relay.fault = FAULTS["550 at MAIL"]
    browser = logged_in(app, services, ann)
    with delivery_to(services, relay.url()) as delivery:
        send(delivery, services)
        assert "emails are delayed" not in browser.text("/games")
        clock.advance(minutes=16)
        assert "emails are delayed" in browser.text("/games")
        listed = CliRunner().invoke(nabu, ["admin", "troubles"], env=environment)
        assert "mail out  550 Sender rejected" in listed.output


def test_given_up_emails_are_sent_again(
    services: Services, clock: Clock, relay: BadRelay, environment: dict[str, str]
) -> None:
    queue(services, PLAYERS)
    with writing(services.engine) as session:
        for mail in session.exec(select(Outbox)):
            mail.state, mail.error, mail.failing_since = "failed", "550 no", services.now()
        session.exec(select(Outbox).where(Outbox.id == 2)).one().state = "returned"
    listed = CliRunner().invoke(nabu, ["admin", "resend"], env=environment)
    assert [line.split()[0] for line in listed.output.splitlines()] == [str(n + 1) for n in range(PLAYERS)]
    assert "player0@a.example  550 no" in listed.output
    for arguments, taken in ((["2"], 1), (["--to", "Player0@a.example"], 2), (["--all"], PLAYERS)):
        done = CliRunner().invoke(nabu, ["admin", "resend", *arguments], env=environment)
        assert done.exit_code == 0
        clock.time = utc_now()  # the command uses the system clock
        with delivery_to(services, relay.url()) as delivery:
            send(delivery, services)
        assert len(relay.taken) == taken
    nothing = CliRunner().invoke(nabu, ["admin", "resend", "2"], env=environment)
    assert (nothing.exit_code, "no such email" in nothing.output) == (1, True)


@on_sqlite
def test_administrator_stops_emails_to_an_address(services: Services, environment: dict[str, str]) -> None:
    queue(services, 1)
    for address in ("Player0@a.example", "nobody@e.example"):
        assert CliRunner().invoke(nabu, ["admin", "stop", address], env=environment).exit_code == 0
    with reading(services.engine) as session:
        stopped = {player.email for player in session.exec(select(Player)) if player.mail_stopped}
    assert stopped == {"player0@a.example", "nobody@e.example"}
    wrong = CliRunner().invoke(nabu, ["admin", "stop", "nobody"], env=environment)
    assert (wrong.exit_code, "not an email address" in wrong.output) == (1, True)


@on_sqlite
def test_stopped_players_get_emails_again(services: Services, environment: dict[str, str]) -> None:
    queue(services, PLAYERS)
    with writing(services.engine) as session:
        for player in session.exec(select(Player)):
            bounces.bounced(session, services.now(), player, hard=True)
    listed = CliRunner().invoke(nabu, ["admin", "unsuspend"], env=environment)
    assert len(listed.output.splitlines()) == PLAYERS
    resume = ["player", "--resume"]
    for words, left in (
        ([*resume, "player 3"], 5),
        ([*resume, "player4@e.example"], 4),
        (["unsuspend", "--all"], 0),
    ):
        assert CliRunner().invoke(nabu, ["admin", *words], env=environment).exit_code == 0
        assert len(suspended(services)) == left
    assert [letter.letter for letter in letters(services, PLAYERS)] == ["games"] * PLAYERS
    nobody = CliRunner().invoke(nabu, ["admin", *resume, "player 3"], env=environment)
    assert (nobody.exit_code, "are not stopped" in nobody.output) == (1, True)
