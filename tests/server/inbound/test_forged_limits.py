"""Emails with a forged sender do not use up the limits of the real person or of others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask

from server.accounts import players
from server.accounts.login.links import MOST_LINKS
from server.accounts.newcomers import MOST_NEW_BY_DOMAIN
from server.inbound.authorization.quotas import (
    MOST_DOUBTFUL,
    MOST_DOUBTFUL_REFUSALS,
    MOST_QUESTIONS,
    MOST_REFUSALS,
    MOST_TO_STRANGER,
)
from server.processes.services import Services
from server.store.db import writing
from server.store.outbox import ActionContext
from server.web import create_app
from tests.support.mail.dns_zone import zone
from tests.support.mail.forger import ForgedEmails
from tests.support.server.emails import PLAY, mailed
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock
from tests.support.web.client import Browser

HERS = "192.88.99.1"
"""The only computer that her domain confirms as sender."""
ZOE = "zoe@example.org"


@pytest.fixture
def checking(services: Services) -> Services:
    """Return services that check senders."""
    return replace(services, settings=services.settings.model_copy(update={"check_senders": "true"}))


@pytest.fixture
def town(checking: Services, clock: Clock) -> ForgedEmails:
    return ForgedEmails(
        TwoPlayerGame(checking, "nebuchadnezzar", size=5, time="none"),
        clock,
        zone(f"example.org TXT v=spf1 ip4:{HERS} ?all"),
    )


@pytest.fixture
def app(checking: Services) -> Flask:
    return create_app(checking)


def forge(town: ForgedEmails, many: int, text: str, sender: str = "", answers: str = "") -> None:
    """Receive some emails in her name without any proof that they are hers."""
    for _ in range(many):
        town.write(text, sender=sender, answers=answers)


def invite(town: ForgedEmails, email: str, *, stopped: bool = False) -> None:
    """Invite a person who has never signed up."""
    with writing(town.services.engine) as session:
        action = ActionContext(session, town.services.sealer, town.services.now())
        players.invite(action, email, PLAY).mail_stopped = stopped


@pytest.mark.parametrize("text", ["login", "login\nhelp"])
def test_login_links_are_limited_by_email_as_on_the_web(town: ForgedEmails, clock: Clock, text: str) -> None:
    """150 forged emails caused 150 links to a player."""
    before = mailed(town.services, town.victim)
    forge(town, MOST_LINKS + 3, text)
    links = mailed(town.services, town.victim)[len(before) :]
    assert links.count("login_link") + links.count("answers") == MOST_LINKS
    clock.advance(minutes=61)
    forge(town, 1, text)
    assert len(mailed(town.services, town.victim)[len(before) :]) == len(links) + 1


def test_login_links_by_email_and_web_share_a_limit(town: ForgedEmails, app: Flask) -> None:
    for _ in range(MOST_LINKS - 1):
        Browser(app).send("/login", email=town.victim)
    forge(town, 3, "login")
    assert mailed(town.services, town.victim).count("login_link") == MOST_LINKS


def test_player_who_wants_no_email_gets_no_links_for_forged_requests(town: ForgedEmails) -> None:
    invite(town, ZOE, stopped=True)
    forge(town, 20, "login", sender=ZOE)
    assert mailed(town.services, ZOE) == []


@pytest.mark.slow
def test_login_links_count_as_answers(town: ForgedEmails) -> None:
    invite(town, ZOE)
    forge(town, 60, "login", sender=ZOE)
    assert mailed(town.services, ZOE) == ["login_link"] * MOST_TO_STRANGER


@pytest.mark.slow
def test_forged_requests_for_links_block_no_domain(town: ForgedEmails, app: Flask) -> None:
    """105 of them in the name of an invited person used up the limit for an hour."""
    people = [f"guest{number}@example.org" for number in range(-(-MOST_NEW_BY_DOMAIN // 4))]
    for person in people:
        invite(town, person)
        forge(town, 4, "login", sender=person)
    assert Browser(app).send("/register", name="Zoe", email=ZOE).location == "/sent"
    assert mailed(town.services, ZOE) == ["register_link"]


def test_forged_nonsense_does_not_use_up_the_owners_answers(town: ForgedEmails) -> None:
    """Ten forged emails suppressed the refusals of her own mistakes."""
    for number in range(MOST_DOUBTFUL_REFUSALS + 2):
        forge(town, 1, f"nonsense {number}")
    assert mailed(town.services, town.victim).count("refusal_account") == 5
    forge(town, 3, "nonsense")
    row, (answer,) = town.write("nonsense", peer=HERS)
    assert (row.state, answer.letter) == ("refused", "refusal_account")


def test_forged_nonsense_in_a_game_does_not_use_up_the_owners_answers(town: ForgedEmails) -> None:
    _, (answer,) = town.write("show", to=town.reply_address())
    message_id = str(answer.mail["Message-ID"]).strip()
    forge(town, MOST_REFUSALS + 2, "nonsense", answers=message_id)
    assert mailed(town.services, town.victim).count("refusal") == 5
    row, (answer,) = town.write("a9", to=town.reply_address())
    assert (row.state, answer.letter) == ("refused", "refusal")


def test_forged_questions_do_not_use_up_the_owners_answers(town: ForgedEmails) -> None:
    forge(town, MOST_DOUBTFUL + 5, "help")
    assert mailed(town.services, town.victim).count("help_account") == MOST_DOUBTFUL
    _, (answer,) = town.write("help", peer=HERS)
    assert answer.letter == "help_account"


def test_forged_emails_do_not_use_up_the_owners_questions(town: ForgedEmails) -> None:
    for number in range(MOST_QUESTIONS + 1):
        row, _ = town.write(f"name Loser{number}")
    assert row.why == "daily limit of questions whether an email is theirs"
    row, (question,) = town.write("resign", to=town.reply_address())
    assert (row.state, question.letter) == ("asked", "asked")


@pytest.mark.both
def test_forgery_in_a_strangers_name_does_not_use_up_their_answers(town: ForgedEmails) -> None:
    forge(town, MOST_TO_STRANGER + 1, "help", sender=ZOE)
    assert mailed(town.services, ZOE) == ["help_account"] * MOST_TO_STRANGER
    _, (answer,) = town.write("help", sender=ZOE, peer=HERS)
    assert answer.letter == "help_account"


def test_links_requested_on_the_web_do_not_use_up_the_owners_answers(
    town: ForgedEmails, app: Flask, clock: Clock
) -> None:
    for page in ("/login", "/register"):
        for _ in range(MOST_DOUBTFUL):
            Browser(app).send(page, email=town.victim, name="Zoe")
            clock.advance(minutes=30)
    _, (answer,) = town.write("help", peer=HERS)
    assert answer.letter == "help_account"


def test_sign_up_form_sends_players_a_login_link_and_strangers_a_sign_up_link(
    town: ForgedEmails, app: Flask
) -> None:
    before = [mailed(town.services, each) for each in (town.victim, ZOE)]
    for address in (town.victim, ZOE):
        Browser(app).send("/register", email=address, name="Zoe")
    after = [mailed(town.services, each) for each in (town.victim, ZOE)]
    assert [new[len(old) :] for old, new in zip(before, after, strict=True)] == [
        ["login_link"],
        ["register_link"],
    ]
