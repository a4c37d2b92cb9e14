"""No sender can cause endless answers to others, and attempts to do so do not shut anyone out."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from flask import Flask
from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.accounts.newcomers import MOST_NEW_BY_DOMAIN, MOST_NEW_BY_NETWORK, by_stranger, origin
from server.inbound.authorization.quotas import (
    MOST_ANSWERS,
    MOST_BY_DOMAIN,
    MOST_BY_NETWORK,
    MOST_TO_STRANGER,
    MOST_TO_STRANGERS,
    had_enough_questions,
)
from server.outbound.letters.help import HelpAccount, RefusalAccount
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.keys.sealing import Sealer
from server.store.letters.account import RegisterLink, Welcome
from server.store.letters.letter import LETTERS, Letter
from server.store.models import Inbox, Outbox, Player
from server.store.outbox import ActionContext
from tests.support.query_plans import query_plans
from tests.support.server.emails import PLAY, mailed, receive, write
from tests.support.server.games import TwoPlayerGame, mover
from tests.support.server.players import mail_every_turn
from tests.support.server.services import Clock
from tests.support.web.client import Browser, readable

UNASKED = frozenset(
    {
        "account_changed",
        "account_closed",
        "announced",
        "bio_removed",
        "browser_closed",
        "channel_closed",
        "clock_stands",
        "declined",
        "digest",
        "proposed",
        "invitation",
    }
    | {"overdue", "message", "reminder", "suspended"}
    | {
        "open_game_changed",
        "open_game_closed",
        "open_game_expired",
        "time_given",
        "trouble",
        "unbarred",
        "watched",
    }
    | {
        "no_place",
        "place_free",
        "round_begins",
        "series_over",
        "adjudicated_soon",
        "start_asked",
        "tournament_cancelled",
        "tournament_over",
        "waited_in_vain",
    }
)
"""Letters that are not answers to emails."""
LINKS = frozenset({"change_asked", "register_link"})
"""Letters with separate limits."""
LINK = RegisterLink("new@many.test", "New")
VICTIM = "victim@world.test"


def come(services: Services, number: int, sender: str, peer: str, text: str, source: str = "smtp") -> str:
    """Receive an email from a computer; return its final state."""
    content = f"From: {sender}\r\nTo: {PLAY}\r\nSubject: Re\r\nMessage-ID: <{number}@x.test>\r\n\r\n{text}\r\n"
    received = Received(source, peer, sender, (PLAY,), content.encode())
    services.reception().store([received])
    while services.pipeline().handle_next(services.now()):
        pass
    with reading(services.engine) as session:
        return session.exec(select(Inbox.why).order_by(col(Inbox.id).desc()).limit(1)).one()


def put_many(services: Services, many: int, letter: Letter, recipient: str, peer: str | None = None) -> None:
    """Put some letters into the outbox; `{}` in the recipient becomes a number."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        action = action if peer is None else by_stranger(action, peer)
        for number in range(many):
            action.put(recipient.format(number), letter)


def test_every_letter_declares_if_it_counts_as_an_answer() -> None:
    unasked = {name for name, letter in LETTERS.items() if not letter.is_answer and not letter.is_owed}
    assert unasked == UNASKED | LINKS
    assert not [name for name, letter in LETTERS.items() if letter.is_answer and letter.is_owed]


def test_stranger_gets_a_few_answers_a_day(services: Services, clock: Clock) -> None:
    """Twenty emails caused 600 to a person who is not a player."""
    endings = [come(services, number, VICTIM, "127.0.0.1", "rules nexus\r\nhelp") for number in range(20)]
    assert mailed(services, VICTIM) == ["answers"] * MOST_TO_STRANGER
    assert endings[-1] == "rules, help; not answered: daily limit"
    clock.advance(days=1)
    come(services, 99, VICTIM, "127.0.0.1", "help")
    assert mailed(services, VICTIM)[-1] == "help_account"


def test_stop_and_register_work_beyond_the_limit_of_answers(services: Services) -> None:
    for number in range(MOST_TO_STRANGER):
        come(services, number, VICTIM, "127.0.0.1", "help")
    come(services, 50, VICTIM, "127.0.0.1", "stop")
    assert mailed(services, VICTIM) == ["help_account"] * MOST_TO_STRANGER
    with reading(services.engine) as session:
        player = session.exec(select(Player).where(Player.email == VICTIM)).one()
        assert player.mail_stopped
    come(services, 51, VICTIM, "127.0.0.1", "register Vic")
    assert mailed(services, VICTIM)[-1] == "welcome"


def test_players_get_many_answers_and_moves_are_always_answered(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    mail_every_turn(services)
    _, email, address = mover(table)
    put_many(services, MOST_ANSWERS, HelpAccount(), email)
    assert write(services, email, "help") == []
    caused = receive(services, email, address, "show\r\na1\r\nhistory")
    assert table.game().turn == 2
    assert [each.letter for each in caused if each.to == email] == ["report"], (
        "the move is reported, and nothing else"
    )
    assert len([each for each in caused if each.to != email]) == 1


def test_strangers_of_one_computer_share_a_limit_of_answers(services: Services, clock: Clock) -> None:
    """A forger changes the address with each email; people who write from elsewhere get answers."""
    put_many(services, MOST_BY_NETWORK - 1, HelpAccount(), "victim{}@many.test", "9.9.9.9")
    come(services, 1, "one@a.test", "9.9.9.200", "help")
    come(services, 2, "two@b.test", "9.9.9.201", "help")
    come(services, 3, "three@c.test", "9.9.10.1", "help")
    assert [len(mailed(services, to)) for to in ("one@a.test", "two@b.test", "three@c.test")] == [1, 0, 1]
    clock.advance(days=1)
    come(services, 4, "two@b.test", "9.9.9.201", "help")
    assert mailed(services, "two@b.test") == ["help_account"]


def test_refusals_to_strangers_count_by_network(services: Services) -> None:
    put_many(services, MOST_BY_NETWORK, RefusalAccount("", []), "victim{}@many.test", "9.9.9.9")
    assert come(services, 1, "one@a.test", "9.9.9.200", "nonsense") == "enough refusals today"
    assert mailed(services, "one@a.test") == []


@pytest.mark.parametrize(("peer", "source"), [("127.0.0.1", "smtp"), ("9.9.9.9", "mailgun"), ("", "imap")])
def test_emails_through_other_servers_count_by_domain(services: Services, peer: str, source: str) -> None:
    """The installation's own mail server delivers all mail, so its address does not identify senders."""
    put_many(
        services, MOST_BY_DOMAIN - 1, HelpAccount(), "victim{}@many.test", peer if source == "smtp" else ""
    )
    come(services, 1, "one@many.test", peer, "help", source)
    come(services, 2, "two@many.test", peer, "help", source)
    come(services, 3, "three@other.test", peer, "help", source)
    people = ("one@many.test", "two@many.test", "three@other.test")
    assert [len(mailed(services, person)) for person in people] == [1, 0, 1]


def test_all_strangers_together_share_a_limit_of_answers(services: Services) -> None:
    with writing(services.engine) as session:
        action = by_stranger(ActionContext(session, services.sealer, services.now()), "")
        action.put("victim@many.test", HelpAccount())
        table = Outbox.__table__  # type: ignore[attr-defined]
        row = dict(session.execute(table.select()).one()._mapping)
        del row["id"]
        numbers = range(1, MOST_TO_STRANGERS)
        others = ({"key": str(n), "recipient": f"v@{n}.test", "domain": f"{n}.test"} for n in numbers)
        session.execute(table.insert(), [{**row, **other} for other in others])
    assert come(services, 1, "one@a.test", "8.8.8.8", "help").endswith("not answered: daily limit")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("9.9.9.1", "9.9.9.254", True),
        ("9.9.9.1", "9.9.10.1", False),
        ("2a00:1450:4001::1", "2a00:1450:4001:ffff::2", True),
        ("2a00:1450:4001::1", "2a00:1450:4002::1", False),
        ("::ffff:9.9.9.1", "9.9.9.7", True),
        ("10.0.0.1", "10.0.0.2", True),
        ("10.0.0.1", "100.64.0.1", False),
        ("10.0.0.1", "", False),
        ("127.0.0.1", "::1", True),
        ("unknown", "127.0.0.1", True),
    ],
)
def test_mark_is_the_same_within_a_network_and_depends_on_the_key(one: str, other: str, same: bool) -> None:
    sealer = Sealer(("k" * 32,))
    assert (origin(sealer, one) == origin(sealer, other)) is same
    assert origin(sealer, one) != origin(Sealer(("z" * 32,)), one) or origin(sealer, one) == ""


def test_only_configured_mail_servers_are_trusted(services: Services) -> None:
    """A private or carrier-grade peer counted as the installation's own, and so had no limit."""
    named = services.settings.model_copy(update={"own_networks": "127.0.0.0/8,10.1.0.0/16"})
    reception = replace(services, settings=named).reception()
    peers = ["10.1.0.7", "10.2.0.7", "100.64.0.7", "127.0.0.1"]
    mails = [Received("smtp", peer, "a@a.test", ("play@games.example.org",), peer.encode()) for peer in peers]
    reception.store(mails)
    with reading(services.engine) as session:
        assert [row.peer for row in session.exec(select(Inbox).order_by(col(Inbox.id)))] == [
            "", "10.2.0.7", "100.64.0.7", ""
        ]  # fmt: skip


def test_many_sign_ups_by_email_do_not_block_others(services: Services) -> None:
    put_many(services, MOST_NEW_BY_NETWORK, Welcome("New"), "new{}@many.test", "9.9.9.9")
    come(services, 1, "one@a.test", "9.9.9.200", "register One")
    come(services, 2, "two@b.test", "8.8.8.8", "register Two")
    assert mailed(services, "one@a.test") == ["refusal_account"]
    assert mailed(services, "two@b.test") == ["welcome"]


def register(app: Flask, peer: str, email: str) -> str:
    """Return the page's refusal of a person at a computer who wants to sign up; "" if the email is sent."""
    browser = Browser(app)
    browser.client.environ_base["REMOTE_ADDR"] = peer
    answer = browser.send("/register", name="Zoe", email=email)
    return "" if answer.status_code == 303 else readable(answer)


def test_many_requested_links_do_not_block_others(
    services: Services, app: Flask, clock: Clock, ann: Player
) -> None:
    """Sixty in an hour used up the limit, wherever they came from."""
    put_many(services, 60, LINK, "new{}@many.test", "9.9.9.9")
    refused = "Try again in an hour, or email play@games.example.org with the line: register NAME"
    assert refused in register(app, "9.9.9.77", "one.more@world.test")
    assert refused in register(app, "9.9.9.77", ann.email), "it does not reveal who is a player"
    assert register(app, "8.8.8.8", "last@world.test") == ""
    assert mailed(services, "last@world.test") == ["register_link"]
    clock.advance(minutes=61)
    assert register(app, "9.9.9.77", "one.more@world.test") == ""


def test_links_to_one_domain_are_limited(services: Services, app: Flask) -> None:
    for number in range(MOST_NEW_BY_DOMAIN // 20):
        put_many(services, 20, LINK, f"new{number}.{{}}@many.test", f"9.9.{number}.9")
    assert "Try again in an hour" in register(app, "8.8.8.8", "last@many.test")
    assert register(app, "8.8.8.8", "last@world.test") == ""


def test_links_count_equally_for_players(services: Services, app: Flask, ann: Player) -> None:
    """Otherwise the answer to one request too many would reveal who is a player."""
    put_many(services, MOST_NEW_BY_NETWORK - 1, LINK, "new{}@many.test", "9.9.9.9")
    assert register(app, "9.9.9.9", ann.email) == ""
    assert register(app, "9.9.9.9", "last@world.test") != ""


def test_trusted_proxy_is_not_limited_as_one_network(services: Services, app: Flask) -> None:
    put_many(services, MOST_NEW_BY_NETWORK * 2, LINK, "new{}@many.test", "127.0.0.1")
    assert register(app, "127.0.0.1", "last@world.test") == ""
    assert origin(services.sealer, "127.0.0.1") == ""


def test_limits_of_a_day_read_no_older_emails(services: Services) -> None:
    """A player may have got a thousand emails in a month."""
    with reading(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ask = partial(had_enough_questions, action, "ann@example.org", None)
        plans = query_plans(services.engine, ask)
    steps = [step.text for plan in plans if "outbox.recipient = ?" in plan.statement for step in plan.steps]
    assert steps
    assert [step for step in steps if "recipient=? AND created_at>?" not in step] == []
