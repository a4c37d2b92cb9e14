"""Signatures by Nabu: others accept them, and the parts that a reader sees cannot be changed."""

from __future__ import annotations

import time
from base64 import b64decode
from datetime import UTC, datetime

import dkim as dkimpy  # type: ignore[import-untyped]
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from mail.authentication.checks.dkim import signers
from mail.authentication.checks.wire import Malformed, parse
from mail.outgoing.composing import Mail, compose
from mail.outgoing.signing import BadKey, Signer
from tests.support.mail import keys
from tests.support.mail.dns_zone import Zone, zone

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
LETTER = Mail(
    sender="Nabu <play@games.example>",
    recipient="Jörg <joerg@example.org>",
    reply_to="play+k7q2@games.example",
    subject="Nibble: Ann gegen Jörg — du bist am Zug",
    text="a | b  c\n\n  1 2 3  \n" * 50,
    html="<table><tr><td>a</td></tr></table>" * 50,
    message_id="<1.2@games.example>",
    date=NOW,
    in_reply_to="<1.1@games.example>",
    references=("<1.0@games.example>", "<1.1@games.example>"),
    headers=(
        ("List-Unsubscribe", "<https://games.example/stop/k7>, <mailto:play+stop@games.example>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("Feedback-ID", "turn:nabu"),
    ),
)
MAIL = compose(LETTER)
BOTH = [Signer("games.example", "s1", keys.rsa_key()), Signer("games.example", "e1", keys.ed25519_key())]


def published(*those: Signer) -> Zone:
    return zone(*(f"{each.name} TXT {each.record}" for each in those))


@pytest.mark.parametrize("signer", BOTH, ids=["RSA", "Ed25519"])
def test_own_checks_accept_our_signatures(signer: Signer) -> None:
    mail = signer.sign(MAIL, NOW)
    assert mail.endswith(b"\r\n" + MAIL)
    assert signers(parse(mail), published(signer), NOW) == (("games.example",), ())


def test_another_program_accepts_our_signatures() -> None:
    mail = BOTH[0].sign(MAIL, NOW)
    names = published(BOTH[0])
    assert dkimpy.verify(
        mail, dnsfunc=lambda name, timeout: names(name.decode().rstrip("."), "TXT")[0].encode()
    )


def test_email_can_be_signed_with_two_keys() -> None:
    mail = BOTH[1].sign(BOTH[0].sign(MAIL, NOW), NOW)
    for signer in BOTH:
        assert signers(parse(mail), published(signer), NOW)[0] == ("games.example",)


@pytest.mark.parametrize(
    "name",
    [
        "from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references",
        "auto-submitted", "list-unsubscribe", "list-unsubscribe-post", "feedback-id",
        "mime-version", "content-type",
    ],
)  # fmt: skip
def test_signed_fields_cannot_be_changed_or_removed(name: str) -> None:
    field = parse(MAIL).named(name)[0].raw
    mail = BOTH[0].sign(MAIL, NOW)
    for changed in (field + b"x", b"X-Removed: x"):
        assert signers(parse(mail.replace(field, changed, 1)), published(BOTH[0]), NOW) == ((), ())


@pytest.mark.parametrize("name", ["From", "To", "Subject", "Date", "Reply-To", "Message-ID", "Content-Type"])
@pytest.mark.parametrize("reply_to", ["", "play+k7q2@games.example"])
def test_signed_fields_cannot_be_added_twice(name: str, reply_to: str) -> None:
    mail = MAIL if reply_to else MAIL.replace(b"Reply-To: play+k7q2@games.example\r\n", b"")
    mail = BOTH[0].sign(mail, NOW)
    for added in (
        f"{name}: x\r\n".encode() + mail,
        mail.replace(b"\r\n\r\n", f"\r\n{name}: x\r\n\r\n".encode(), 1),
    ):
        assert signers(parse(added), published(BOTH[0]), NOW) == ((), ())


def test_relays_may_add_their_own_fields_on_top() -> None:
    mail = b"Received: from a by b\r\nX-Spam: no\r\n" + BOTH[0].sign(MAIL, NOW)
    assert signers(parse(mail), published(BOTH[0]), NOW)[0] == ("games.example",)


def test_signature_is_deterministic_with_short_lines() -> None:
    mail = BOTH[0].sign(MAIL, NOW)
    assert mail == BOTH[0].sign(MAIL, NOW)
    assert max(map(len, mail.split(b"\r\n"))) <= 78


def test_record_contains_the_public_key() -> None:
    assert [signer.name for signer in BOTH] == ["s1._domainkey.games.example", "e1._domainkey.games.example"]
    assert BOTH[0].record.startswith("v=DKIM1; k=rsa; p=MII")
    kind, _, key = BOTH[1].record.partition("; p=")
    assert kind == "v=DKIM1; k=ed25519"
    assert len(b64decode(key)) == 32


def pem(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, password: bytes = b"") -> bytes:
    encryption = BestAvailableEncryption(password) if password else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        (b"", "not a private key in PEM"),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "not a private key in PEM"),
        (pem(keys.private_rsa_key(), b"secret"), "without a password"),
        (pem(ec.generate_private_key(ec.SECP256R1())), "must be Ed25519, or RSA"),
    ],
)
def test_unusable_key_is_reported_immediately(key: bytes, why: str) -> None:
    with pytest.raises(BadKey, match=why):
        Signer("games.example", "s1", key)


def test_email_with_a_broken_header_is_not_signed() -> None:
    with pytest.raises(Malformed):
        BOTH[0].sign(b"From: a@b.org\rTo: c@d.org\r\n\r\n", NOW)


def test_signing_is_fast() -> None:
    begin = time.process_time()
    for _ in range(50):
        BOTH[0].sign(MAIL, NOW)
    assert (time.process_time() - begin) / 50 < 0.01
