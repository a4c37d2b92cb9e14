"""A signed mail that somebody else sends on to us: what of it is certainly its sender's."""

from __future__ import annotations

from datetime import UTC, datetime

import dkim as dkimpy  # type: ignore[import-untyped]
import pytest

from mail.authenticating import Trust, Verdict, authenticate
from mail.reading import read
from tests.mail import keys
from tests.mail.zone import Zone, zone

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
PLAY = "play@games.example"
OURS = Trust(servers=frozenset({"mx.games.example"}))
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: play@games.example\r\n"
    b"Subject: hello\r\nMessage-ID: <1@x>\r\n"
    b"Content-Type: multipart/alternative; boundary=b\r\n\r\n"
    b"--b\r\nContent-Type: text/plain\r\n\r\ngames\r\n"
    b"--b\r\nContent-Type: text/html\r\n\r\n<p>games\r\n--b--\r\n"
)
ALL = "from:to:subject:message-id:content-type:in-reply-to:references:cc:content-transfer-encoding"
PASS = "mx.games.example; dmarc=pass header.from=example.org"


def names(policy: str = "v=DMARC1; p=reject") -> Zone:
    made = zone(f"s1._domainkey.example.org TXT {keys.signer('example.org').record}")
    made.add("_dmarc.example.org", "TXT", policy)
    made.add("example.org", "TXT", "v=spf1 ip4:192.0.2.1 -all")
    return made


def signed(fields: str, mail: bytes = MAIL, domain: bytes = b"example.org") -> bytes:
    """The mail with a signature of just these fields."""
    return bytes(
        dkimpy.sign(
            mail, b"s1", domain, keys.rsa_key(), include_headers=[each.encode() for each in fields.split(":")]
        )
        + mail
    )


def judged(
    mail: bytes, told: str = "", *, recipient: str = PLAY, peer: str = "", lookup: bool = True
) -> Verdict:
    """The verdict on a mail that somebody passed on, or our own server has looked at."""
    mail = (f"Authentication-Results: {told}\r\n".encode() if told else b"") + mail
    return authenticate(
        mail, read(mail).author, now=datetime.now(UTC), trust=OURS, lookup=names() if lookup else None,
        peer=peer, mail_from="ann@example.org", recipient=recipient,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "shares"),
    [
        (ALL, {"sender", "text", "recipient", "subject", "answers"}),
        ("from:to:subject", {"sender", "text", "recipient", "subject", "answers"}),
        ("from:to", {"sender", "text", "recipient", "answers"}),
        ("from:subject", {"sender", "text", "subject", "answers"}),
    ],
)
@pytest.mark.parametrize("told", ["", PASS, PASS + "; dkim=pass header.d=example.org"])
def test_a_signature_proves_what_it_covers(fields: str, shares: set[str], told: str) -> None:
    verdict = judged(signed(fields), told, lookup=not told)
    assert verdict.dmarc == "pass"
    assert {*verdict.proved} == shares


def test_a_mail_from_the_senders_own_server_is_proved_as_a_whole() -> None:
    for verdict in (
        judged(MAIL, peer="192.0.2.1"),
        judged(signed("from"), peer="192.0.2.1"),
        judged(signed("from"), PASS + "; spf=pass smtp.mailfrom=b@mail.example.org", lookup=False),
        judged(MAIL, PASS, lookup=False),
    ):
        assert verdict.vouched
        assert {"subject", "answers"} <= verdict.proved


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        (b"Subject: hello", b"Subject: stop", "subject"),
        (b"To: play", b"To: ben@example.org\r\nTo: play", "recipient"),
        (b"Message-ID", b"References: <a@x>\r\nMessage-ID", "answers"),
        (b"Message-ID", b"In-Reply-To: <a@x>\r\nMessage-ID", "answers"),
        (b"boundary=b", b"boundary=c", "text"),
        (b"multipart/alternative; boundary=b", b"text/html", "text"),
        (b"multipart/alternative; boundary=b", b"text/plain; charset=utf-7", "text"),
        (b"multipart/alternative; boundary=b", b"text/plain; format=flowed", "text"),
        (b"Content-Type: multipart", b"Content-Transfer-Encoding: base64\r\nContent-Type: multipart", "text"),
    ],
)
def test_what_is_changed_on_the_way_is_proved_no_more(before: bytes, after: bytes, lost: str) -> None:
    added = after.partition(b":")[0].lower()
    names = ("to", "subject", "references", "in-reply-to")
    original = signed(":".join(["from", *(name for name in names if name.encode() != added)]))
    verdict = judged(original.replace(before, after, 1))
    assert verdict.dmarc == "pass"
    assert lost not in verdict.proved
    assert len(verdict.proved) == 4


@pytest.mark.parametrize(
    ("to", "recipient", "vouched"),
    [
        (b"To: play@games.example", "play@games.example", True),
        (b"To: Play@Games.example, ben@example.org", "play@games.example", True),
        (b"Cc: play@games.example", "play@games.example", True),
        (b"To: play+a1@games.example", "play+a1@games.example", True),
        (b"To: play+a1@games.example", "play@games.example", True),
        (b"To: play+b2@games.example", "play+a1@games.example", False),
        (b"To: play@games.example", "play+a1@games.example", False),
        (b"To: ben@example.org", "play@games.example", False),
        (b"To: ben@example.org", "play+a1@games.example", False),
        (b"X: y", "play@games.example", False),
    ],
)
def test_a_mail_that_was_written_to_somebody_else_is_not_vouched_for(
    to: bytes, recipient: str, vouched: bool
) -> None:
    mail = MAIL.replace(b"To: play@games.example", to)
    for verdict in (
        judged(signed(ALL, mail), recipient=recipient),
        judged(mail, recipient=recipient, peer="192.0.2.1"),
        judged(mail, PASS + "; spf=pass smtp.mailfrom=ann@example.org", recipient=recipient, lookup=False),
    ):
        assert (verdict.dmarc, verdict.vouched) == ("pass", vouched)


def test_of_several_signatures_that_counts_which_all_cover() -> None:
    """Our server does not tell which of them was good."""
    twice = signed("from:to", signed(ALL))
    assert "subject" not in judged(twice, PASS, lookup=False).proved
    alien = b"DKIM-Signature: v=1; d=relay.example; h=from; b=x; s=x; bh=x; a=rsa-sha256\r\n"
    assert "subject" in judged(alien + signed(ALL), PASS, lookup=False).proved
    assert "subject" not in judged(b"DKIM-Signature: none\r\n" + signed(ALL), PASS, lookup=False).proved


def test_without_a_policy_the_same_is_proved() -> None:
    lookup = names("none")
    mail = signed("from:to")
    verdict = authenticate(mail, read(mail).author, now=datetime.now(UTC), lookup=lookup, recipient=PLAY)
    assert (verdict.dmarc, verdict.vouched) == ("none", True)
    assert "subject" not in verdict.proved
