"""Valid and invalid signatures: the example of the standard, a second implementation, and forgeries."""

from __future__ import annotations

import time
from base64 import b64encode
from datetime import UTC, datetime
from hashlib import sha256

import dkim as dkimpy  # type: ignore[import-untyped]
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from mail.authentication.checks.dkim import BadSignature, signer, signers
from mail.authentication.checks.wire import parse
from mail.outgoing.signing import Signer
from tests.support.mail import keys
from tests.support.mail.dns_zone import Zone, zone

NOW = datetime(2026, 11, 20, tzinfo=UTC)
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: play@games.example\r\nSubject: move\r\n"
    b"Date: Fri, 20 Nov 2026 09:00:00 +0000\r\n\r\nc4\r\n\r\nAnn  \r\n"
)

# The example in RFC 8463, appendix A, with the keys that it gives.
STANDARD = b"""\
DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
"""
STANDARD_ZONE = zone(
    "brisbane._domainkey.football.example.com TXT v=DKIM1; k=ed25519; "
    "p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "test._domainkey.football.example.com TXT v=DKIM1; k=rsa; "
    "p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzW"
    "RiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3"
    "rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB",
)


def published(key: Signer, record: str = "") -> Zone:
    return zone(f"{key.name} TXT {record or key.record}")


def signed_by_dkimpy(canonicalize: str, **options: bool) -> bytes:
    """Return the email signed by a second implementation, now."""
    forms = tuple(form.encode() for form in canonicalize.split("/"))
    field: bytes = dkimpy.sign(MAIL, b"s1", b"example.org", keys.rsa_key(), canonicalize=forms, **options)
    return field + MAIL


def refused(mail: bytes, names: Zone, now: datetime = NOW) -> str:
    """Return why the topmost signature does not count."""
    wire = parse(mail)
    with pytest.raises(BadSignature) as error:
        signer(wire, wire.named("dkim-signature")[0], names, now)
    return str(error.value)


def test_signatures_of_the_standards_example_are_valid() -> None:
    for mail in (STANDARD, STANDARD.replace(b"\n", b"\r\n")):
        wire = parse(mail)
        found = [signer(wire, field, STANDARD_ZONE, NOW) for field in wire.named("dkim-signature")]
        assert found == ["football.example.com"] * 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"dinner", b"supper"),
        (b"hungry", b"thirsty"),
        (b"Joe.\n", b"Joe.\n\nPS\n"),
        (b"SixPack", b"Six Pack"),
        (b"From:", b"From: Eve <eve@example.net>\nFrom:"),
        (b"To:", b"Subject: c4\nTo:"),
        (b"t=1528637909", b"t=1528637910"),
        (b"bh=2jUS", b"bh=3jUS"),
        (b"b=/gCr", b"b=/gCs"),
    ],
)
def test_changed_email_breaks_a_signature(old: bytes, new: bytes) -> None:
    only = STANDARD_ZONE.records.keys() - {("test._domainkey.football.example.com", "TXT")}
    names = Zone({key: STANDARD_ZONE.records[key] for key in only})
    assert signers(parse(STANDARD.replace(old, new)), names, NOW) == ((), ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Joe.\n", b"Joe.\n\n\n"),
        (b"yet?", b"yet?  "),
        (b"We lost the", b"We \t lost  the"),
        (b"Is dinner", b"Is\n dinner"),
        (b"From:", b"Received: from x by y\nFROM :"),
    ],
)
def test_changes_allowed_to_relays_keep_a_signature(old: bytes, new: bytes) -> None:
    wire = parse(STANDARD.replace(old, new))
    assert signers(wire, STANDARD_ZONE, NOW) == (("football.example.com",), ())


@pytest.mark.parametrize("header", ["simple", "relaxed"])
@pytest.mark.parametrize("body", ["simple", "relaxed"])
@pytest.mark.parametrize("kind", ["SubjectPublicKeyInfo", "PKCS1"])
def test_signature_of_another_program_is_valid(header: str, body: str, kind: str) -> None:
    public = keys.private_rsa_key().public_key().public_bytes(Encoding.DER, getattr(PublicFormat, kind))
    record = "p=" + b64encode(public).decode()
    mail = signed_by_dkimpy(f"{header}/{body}")
    names = published(keys.signer("example.org"), record)
    assert signers(parse(mail), names, datetime.now(UTC))[0] == ("example.org",)


def test_signature_of_only_the_beginning_of_an_email_is_rejected() -> None:
    names = published(keys.signer("example.org"))
    mail = signed_by_dkimpy("relaxed/relaxed", length=True) + b"resign\r\n"
    record = names("s1._domainkey.example.org", "TXT")[0]
    assert dkimpy.verify(mail, dnsfunc=lambda name, timeout: record)
    assert "beginning" in refused(mail, names)


TEN_HOURS = 36_000
LONG = "x" * 63 + ("." + "x" * 43) * 4
"""A domain for which the name of a key has the maximum of 253 characters."""


def at(seconds: int) -> str:
    """Return the time so many seconds from now, as signatures write it."""
    return str(int(NOW.timestamp()) + seconds)


def crafted(**changes: str | None) -> bytes:
    """Return an email whose signature is arithmetically valid, with other tags; None leaves one out."""
    body_hash = b64encode(sha256(MAIL.partition(b"\r\n\r\n")[2]).digest()).decode()
    given: dict[str, str | None] = {
        "v": "1", "a": "rsa-sha256", "d": "example.org", "s": "s1", "h": "from:to:subject", "bh": body_hash,
    }  # fmt: skip
    listed = "; ".join(f"{name}={value}" for name, value in (given | changes).items() if value is not None)
    field = f"DKIM-Signature: {listed}; b=".encode()
    covered = b"".join(line for line in MAIL.splitlines(keepends=True)[:3])
    signature = keys.private_rsa_key().sign(covered + field, PKCS1v15(), SHA256())
    return field + b64encode(signature) + b"\r\n" + MAIL


def test_crafted_signature_is_valid_if_nothing_is_changed() -> None:
    wire = parse(crafted())
    assert signer(wire, wire.fields[0], published(keys.signer("example.org")), NOW) == "example.org"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"v": "2"}, "missing or wrong"),
        ({"v": None}, "missing or wrong"),
        ({"a": "rsa-sha1"}, "proves nothing"),
        ({"a": "ed25519-sha256"}, "another type"),
        ({"l": "0"}, "beginning"),
        ({"h": "to:subject"}, "does not cover the sender"),
        ({"i": "@example.com"}, "another domain"),
        ({"i": "@notexample.org"}, "another domain"),
        ({"i": "example.org"}, "another domain"),
        ({"q": "http"}, "not in the DNS"),
        ({"c": "none/none"}, "canonicalisation"),
        ({"x": at(-TEN_HOURS - 1)}, "this time"),
        ({"t": at(TEN_HOURS + 1)}, "this time"),
        ({"d": LONG + "x", "i": None}, "name of its key"),
        ({"t": "2000000000", "x": "1900000000"}, "this time"),
        ({"t": "9" * 5000}, "not a time"),
        ({"s": "other"}, "no key"),
        ({"s": "s 1"}, "name of its key"),
        ({"s": "s" * 64}, "name of its key"),
        ({"d": "example.org/x"}, "name of its key"),
        ({"bh": "%%%"}, "base64"),
        ({"bh": "AAAA"}, "body"),
        ({"z": "1; z=2"}, "two tags"),
        ({"z": "1; y"}, "list of tags"),
    ],
)
def test_signature_that_breaks_a_rule_is_rejected(changes: dict[str, str | None], why: str) -> None:
    assert why in refused(crafted(**changes), published(keys.signer("example.org")))


@pytest.mark.parametrize("i", ["ann@example.org", "@mail.EXAMPLE.org"])
@pytest.mark.parametrize(("t", "x"), [(None, None), (None, at(-TEN_HOURS)), (at(TEN_HOURS), None)])
def test_signature_may_be_for_a_subdomain_and_wrong_by_ten_hours(i: str, t: str | None, x: str | None) -> None:
    wire = parse(crafted(i=i, t=t, x=x))
    assert signer(wire, wire.fields[0], published(keys.signer("example.org")), NOW) == "example.org"


def test_key_name_may_have_the_maximum_length_of_names() -> None:
    assert len(f"s1._domainkey.{LONG}") == 253
    wire = parse(crafted(d=LONG))
    assert signer(wire, wire.fields[0], published(keys.signer(LONG)), NOW) == LONG


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("v=DKIM1; p=", "withdrawn"),
        ("v=DKIM1; k=rsa; p=AAAA", "not a key"),
        ("v=DKIM1; k=rsa; p=%", "base64"),
        ("v=DKIM2; {p}", "another type"),
        ("k=ed25519; {p}", "another type"),
        ("s=other; {p}", "not for signatures"),
        ("h=sha1; {p}", "not for signatures"),
        ("t=y:s; {p}", "not for subdomains"),
        ("{p} {p}", "base64"),
        ("n=" + "x" * 4000 + "; {p}", "not a key, or"),
        ("nothing with a key", "no key"),
    ],
)
def test_unusable_key_record_is_rejected(record: str, why: str) -> None:
    key = keys.signer("example.org").record.rpartition("; ")[2]
    names = published(keys.signer("example.org"), record.replace("{p}", key))
    assert why in refused(crafted(i="@mail.example.org"), names)


@pytest.mark.parametrize("record", ["s=email; h=sha1:sha256; {p}", "v=DKIM1; t=y; n=note; {p};", "t=s; {p}"])
def test_key_with_extra_tags_is_accepted(record: str) -> None:
    key = keys.signer("example.org").record.rpartition("; ")[2]
    wire = parse(crafted())
    names = published(keys.signer("example.org"), record.replace("{p}", key))
    assert signer(wire, wire.fields[0], names, NOW) == "example.org"


def test_too_short_and_too_long_keys_are_rejected() -> None:
    for bits in (512, 16384):
        modulus = (1 << bits) - 1
        numbers = rsa.RSAPublicNumbers(65537, modulus).public_key()
        public = numbers.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        names = published(keys.signer("example.org"), "p=" + b64encode(public).decode())
        assert "too short" in refused(crafted(), names)


def test_unavailable_key_is_reported_as_undecided() -> None:
    names = published(keys.signer("example.org"))
    names.silent.add("s1._domainkey.example.org")
    assert signers(parse(crafted()), names, NOW) == ((), ("example.org",))


def test_no_lookup_for_an_email_with_a_changed_body() -> None:
    names = published(keys.signer("example.org"))
    assert signers(parse(crafted() + b"resign\r\n"), names, NOW) == ((), ())
    assert names.asked == []


def test_only_the_topmost_signatures_are_checked() -> None:
    names = published(keys.signer("example.org"))
    mail = crafted()
    assert signers(parse(b"DKIM-Signature: v=1\r\n" * 7 + mail), names, NOW)[0] == ("example.org",)
    assert signers(parse(b"DKIM-Signature: v=1\r\n" * 8 + mail), names, NOW)[0] == ()


@pytest.mark.parametrize(
    "value",
    [
        b";b" + b"\r\n " * 20_000 + b"!",
        b";b=" + b"\r\n " * 20_000,
        b"a=b;" * 20_000,
        b";" * 90_000,
        b"h=" + b":" * 90_000,
    ],
    ids=["blanks", "a long signature", "tags", "semicolons", "names"],
)
def test_crafted_fields_are_not_slow(value: bytes) -> None:
    mail = b"DKIM-Signature: v=1; d=example.org; s=s1; bh=x; x=1; a=rsa-sha256; " + value + b"\r\n" + MAIL
    begin = time.process_time()
    assert signers(parse(mail), Zone(), NOW) == ((), ())
    assert time.process_time() - begin < 5
