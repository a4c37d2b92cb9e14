"""Proofs that players can check with only their email, using an independent verifier."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest

from tests.support.e2e.games_of_two import accept_by_email, seats_in
from tests.support.e2e.mailboxes import Person, text_of
from tests.support.records import independent_verifier

Make = Callable[[str], Person]

HASH = re.compile(r"\b[0-9a-f]{64}\b")


def begin(person: Make, game_type: str) -> tuple[list[Person], list[EmailMessage]]:
    """Start a game with words for luck from Ben; return the people by seat, with its first emails."""
    ann, ben = person("ann@example.org"), person("ben@example.org")
    ann.write("register Ann")
    ann.next()
    ann.write(f"challenge ben@example.org {game_type}")
    ann.next()
    accept_by_email(ben, "Ben", "luck three wishes")
    first = {"Ann": (ann, ann.next()), "Ben": (ben, ben.next())}
    names = seats_in(first["Ann"][1])
    return [first[name][0] for name in names], [first[name][1] for name in names]


def plain(mail: EmailMessage) -> str:
    """Return the text of an email, with line breaks of this machine."""
    return text_of(mail).replace("\r\n", "\n")


def heads(mails: list[EmailMessage]) -> list[str]:
    """Return the proofs at the end of emails."""
    return [found for mail in mails for found in re.findall(r"^Proof: \d+ ([0-9a-f]{64})$", plain(mail), re.M)]


def verified(person: Person, mail: EmailMessage) -> dict[str, Any]:
    """Get the record with `verify`, check it against all emails in the mailbox, and return it."""
    person.answer(mail, "verify")
    file, _ = person.next().iter_attachments()
    text = file.get_content().decode()
    known = heads(person.world.mails_to(person.address))
    assert len(known) >= 2
    independent_verifier.check(text, tuple(known))
    record: dict[str, Any] = json.loads(text)
    return record


@pytest.mark.parametrize("game_type", ["nardshir", "nibble"])
def test_dice_and_layouts_are_verified(person: Make, game_type: str) -> None:
    people, mails = begin(person, game_type)
    people[0].answer(mails[0], "resign")
    mails = [who.next() for who in people]
    for who, mail in zip(people, mails, strict=True):
        record = verified(who, mail)
        entries = [entry["body"] for entry in record["proof"]["log"]]
        assert "three wishes" in entries[0]["luck"]
        # The invitation, or the reply to the challenge, came before anything except the seats was drawn.
        early = plain(who.world.mails_to(who.address)[0 if who.address.startswith("ben") else 1])
        assert hashlib.sha256(bytes.fromhex(entries[-1]["seed"])).hexdigest() in HASH.findall(early)
        assert entries[-1]["seed"] in plain(mail)


def test_sealed_orders_are_verified(person: Make) -> None:
    people, mails = begin(person, "nelaxtam")
    for who, mail in zip(people, mails, strict=True):
        orders = re.findall(r"^    (\S+ \S+, .+)$", plain(mail), re.M)[0]
        who.answer(mail, orders)
        if who is people[0]:
            receipt = who.next()
            assert orders.split(", ") == re.findall(r"^  \| (.+)$", plain(receipt), re.M)
    mails = [who.next() for who in people]
    (commitment,) = set(HASH.findall(plain(receipt))) - set(heads([receipt]))
    for who, mail in zip(people, mails, strict=True):
        entry = verified(who, mail)["proof"]["log"][1]
        opened = entry["body"]["opened"]
        assert opened["0"]["commitment"] == commitment
        assert [entry["hash"]] == heads([mail]), "the email after the turn binds the nonces in the record"
