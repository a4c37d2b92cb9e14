"""Only their owner can replace sealed orders; knowing the reply address is not enough."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.processes.services import Services, open_services
from server.settings import ROOT
from server.settings.loading import load
from server.store.db import reading
from server.store.models import Envelope
from server.store.tokens import ReplyToken
from tests.support.mail.dns_zone import zone
from tests.support.mail.forger import ForgedEmails, question_of
from tests.support.mail.reply_tokens import tokens_in
from tests.support.server.emails import Written
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import Clock, sqlite_database

OURS = "192.88.99.1"
VOUCHING = ("_dmarc.example.org TXT v=DMARC1; p=reject", f"example.org TXT v=spf1 ip4:{OURS} -all")
CERTAINLY = {"peer": OURS}


@pytest.fixture
def services(tmp_path: Path, clock: Clock) -> Iterator[Services]:
    """Return services with the default settings, which check senders."""
    example, database = ROOT / "deploy" / "nabu.env.example", sqlite_database(tmp_path)
    opened = open_services(load(example, secret_key="k" * 32, database_url=database), clock)
    yield opened
    opened.engine.dispose()


@pytest.fixture
def town(services: Services, clock: Clock) -> ForgedEmails:
    """Return a game with sealed orders, whose players' domain has no records about senders."""
    return ForgedEmails(TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0), clock, zone())


def sealed(town: ForgedEmails) -> str:
    """Return the orders in the envelope of the first seat; "" for none."""
    with reading(town.services.engine) as session:
        envelope = session.get(Envelope, (town.table.number, 1, 0))
        return "" if envelope is None else str(town.services.sealer.open_json(envelope.sealed)[0])


def told_to_the_other(town: ForgedEmails, mailed: list[Written]) -> str:
    """Return all text in these emails to the player of the second seat."""
    theirs = [each for each in mailed if each.to == town.table.players[1].email]
    return "\n".join(f"{each.mail['Subject']}\n{each.text}\n{each.html}" for each in theirs)


@pytest.mark.parametrize("before", ["say {}", "1 f6\nsay {}", "note {}\n\nsay Hello"])
def test_opponent_cannot_replace_orders_with_a_quoted_address(town: ForgedEmails, before: str) -> None:
    """Some email programs write the sender's address above a reply in words that Nabu does not know."""
    town.write("1 d4", to=town.reply_address())
    quoted = f"Good luck!\n\nUn messaggio di Nabu ({town.reply_address()}) diceva:"
    town.domain = zone(*VOUCHING)
    _, mailed = town.write(before.format(quoted), to=town.reply_address(), **CERTAINLY)
    town.domain = zone()
    told, tokens = told_to_the_other(town, mailed), town.services.tokens
    assert "Good luck!" in told or before.startswith("note")
    orders = sealed(town)
    for token in tokens_in(tokens, told):
        town.write("1 e5", to=f"play+{token}@games.example.org", sender=town.victim)
    assert sealed(town) == orders
    found = [tokens.read(each) for each in tokens_in(tokens, told)]
    assert {token.seat for token in found if isinstance(token, ReplyToken)} <= {1}


def test_first_orders_need_only_the_reply_address(town: ForgedEmails) -> None:
    assert town.write("1 d4", to=town.reply_address())[0].state == "done"
    assert sealed(town) == "1 d4"


@pytest.mark.parametrize("text", ["1 f6", "1 f6\nsay Hello!", "withdraw", "withdraw\n1 f6", "Hello,\n\n1 f6"])
def test_sealed_orders_change_only_after_the_owner_confirms(town: ForgedEmails, text: str) -> None:
    town.write("1 d4", to=town.reply_address())
    assert town.is_asked_back(text, to=town.reply_address())
    assert sealed(town) == "1 d4"
    _, mailed = town.write(text, to=town.reply_address())
    address, _ = question_of(mailed)
    assert "1 f6" in mailed[0].text or text == "withdraw"
    town.write("yes", to=address)
    assert sealed(town) == ("" if text == "withdraw" else "1 f6")


@pytest.mark.parametrize("text", ["say Hello!", "note c4", "show", "? 1 f6"])
def test_other_commands_need_no_confirmation(town: ForgedEmails, text: str) -> None:
    town.write("1 d4", to=town.reply_address())
    assert town.write(text, to=town.reply_address())[0].state == "done"


def test_verified_sender_replaces_orders_immediately(town: ForgedEmails) -> None:
    town.write("1 d4", to=town.reply_address())
    town.domain = zone(*VOUCHING)
    assert town.write("1 f6", to=town.reply_address(), **CERTAINLY)[0].state == "done"
    assert sealed(town) == "1 f6"


def test_orders_for_an_earlier_turn_are_refused(town: ForgedEmails) -> None:
    """They do not replace the orders that are sealed now."""
    earlier = town.reply_address()
    town.table.submit(0, "1 d4")
    town.table.submit(1, "A c4")
    town.table.submit(0, "1 hold")
    row, mailed = town.write("1 e5", to=earlier)
    assert (row.state, row.why, [each.letter for each in mailed]) == ("refused", "StaleReply", ["refusal"])


def test_questions_quote_no_reply_address(town: ForgedEmails) -> None:
    """The address may belong to another player, who wrote the email."""
    address = town.reply_address()
    _, mailed = town.write(f"resign\n\nFrom Eve <{address}>", to=address, sender="eve@example.com")
    (question,) = mailed
    assert "From Eve <[address removed]>" in question.text
    assert not any(token in address for token in tokens_in(town.services.tokens, question.text))
