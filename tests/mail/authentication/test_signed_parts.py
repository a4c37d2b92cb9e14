"""The parts of a signed email that are certainly the sender's, when another person sends it on to Nabu."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import dkim as dkimpy  # type: ignore[import-untyped]
import pytest

from mail.authentication.authenticating import Trust, Verdict, authenticate
from mail.reading.message import read
from tests.support.mail import keys
from tests.support.mail.dns_zone import Zone, zone

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
PLAY = "play@games.example"
OURS = Trust(servers=frozenset({"mx.games.example"}))
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: play@games.example\r\n"
    b"Subject: hello\r\nMessage-ID: <1@x>\r\nDate: " + format_datetime(datetime.now(UTC)).encode() + b"\r\n"
    b"Content-Type: multipart/alternative; boundary=b\r\n\r\n"
    b"--b\r\nContent-Type: text/plain\r\n\r\ngames\r\n"
    b"--b\r\nContent-Type: text/html\r\n\r\n<p>games\r\n--b--\r\n"
)
ONCE = "message-id:date"
ALL = "from:to:subject:message-id:date:content-type:in-reply-to:references:cc:content-transfer-encoding"
PASS = "mx.games.example; dmarc=pass header.from=example.org"


def names(policy: str = "v=DMARC1; p=reject") -> Zone:
    made = zone(f"s1._domainkey.example.org TXT {keys.signer('example.org').record}")
    made.add("_dmarc.example.org", "TXT", policy)
    made.add("example.org", "TXT", "v=spf1 ip4:192.0.2.1 -all")
    return made


def signed(fields: str, mail: bytes = MAIL, domain: bytes = b"example.org") -> bytes:
    """Return the email with a signature of only these fields."""
    return bytes(
        dkimpy.sign(
            mail, b"s1", domain, keys.rsa_key(), include_headers=[each.encode() for each in fields.split(":")]
        )
        + mail
    )


def judged(
    mail: bytes, told: str = "", *, recipient: str = PLAY, peer: str = "", lookup: bool = True
) -> Verdict:
    """Return the verdict on an email that was sent on, or that a trusted server has checked."""
    mail = (f"Authentication-Results: {told}\r\n".encode() if told else b"") + mail
    return authenticate(
        mail, read(mail).author, now=datetime.now(UTC), trust=OURS, lookup=names() if lookup else None,
        peer=peer, mail_from="ann@example.org", recipient=recipient,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "shares"),
    [
        (ALL, {"sender", "text", "recipient", "subject", "answers", "once"}),
        (f"from:{ONCE}", {"sender", "text", "answers", "once"}),
        ("from:message-id", {"sender", "text", "answers"}),
        ("from:date", {"sender", "text", "answers"}),
        ("from:to:subject", {"sender", "text", "recipient", "subject", "answers"}),
        ("from:to", {"sender", "text", "recipient", "answers"}),
        ("from:subject", {"sender", "text", "subject", "answers"}),
    ],
)
@pytest.mark.parametrize("told", ["", PASS, PASS + "; dkim=pass header.d=example.org"])
def test_signature_proves_the_fields_that_it_covers(fields: str, shares: set[str], told: str) -> None:
    verdict = judged(signed(fields), told, lookup=not told)
    assert verdict.dmarc == "pass"
    assert {*verdict.proved} == shares


def test_email_from_the_senders_own_server_is_fully_proved() -> None:
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
def test_parts_changed_on_the_way_are_not_proved(before: bytes, after: bytes, lost: str) -> None:
    added = after.partition(b":")[0].lower()
    names = ("to", "subject", "references", "in-reply-to")
    original = signed(":".join(["from", ONCE, *(name for name in names if name.encode() != added)]))
    verdict = judged(original.replace(before, after, 1))
    assert verdict.dmarc == "pass"
    assert lost not in verdict.proved
    assert len(verdict.proved) == 5


@pytest.mark.parametrize(
    ("to", "recipient", "vouched"),
    [
        (b"To: play@games.example", "play@games.example", True),
        (b"To: Play@Games.example, ben@example.org", "play@games.example", True),
        (b"Cc: play@games.example", "play@games.example", True),
        (b"To: play+a1@games.example", "play+a1@games.example", True),
        (b"To: play+a1@games.example", "play@games.example", False),
        (b"To: play+b2@games.example", "play+a1@games.example", False),
        (b"To: play@games.example", "play+a1@games.example", False),
        (b"To: ben@example.org", "play@games.example", False),
        (b"To: ben@example.org", "play+a1@games.example", False),
        (b"X: y", "play@games.example", False),
    ],
)
def test_email_written_to_someone_else_is_not_vouched_for(to: bytes, recipient: str, vouched: bool) -> None:
    mail = MAIL.replace(b"To: play@games.example", to)
    for verdict in (
        judged(signed(ALL, mail), recipient=recipient),
        judged(mail, recipient=recipient, peer="192.0.2.1"),
        judged(mail, PASS + "; spf=pass smtp.mailfrom=ann@example.org", recipient=recipient, lookup=False),
    ):
        assert (verdict.dmarc, verdict.vouched) == ("pass", vouched)


def test_only_fields_covered_by_all_signatures_are_proved() -> None:
    """The trusted server does not report which of them was valid."""
    twice = signed("from:to", signed(ALL))
    assert "subject" not in judged(twice, PASS, lookup=False).proved
    alien = b"DKIM-Signature: v=1; d=relay.example; h=from; b=x; s=x; bh=x; a=rsa-sha256\r\n"
    assert "subject" in judged(alien + signed(ALL), PASS, lookup=False).proved
    assert "subject" not in judged(b"DKIM-Signature: none\r\n" + signed(ALL), PASS, lookup=False).proved


@pytest.mark.parametrize("how_many", [19, 20, 21, 200])
@pytest.mark.parametrize("told", [PASS, f"{PASS}; spf=fail; dkim=pass header.d=example.org"])
def test_signatures_of_other_domains_hide_nothing(how_many: int, told: str) -> None:
    """If the domain's own signature is not found, its coverage is unknown."""
    alien = b"DKIM-Signature: v=1; d=relay.example; h=from; b=x; s=x; bh=x; a=rsa-sha256\r\n" * how_many
    changed = signed(f"from:to:{ONCE}").replace(b"Subject: hello", b"Subject: stop")
    assert "subject" not in judged(alien + changed, told, lookup=False).proved


def test_trusted_dkim_result_needs_a_signature_in_the_email() -> None:
    """Otherwise it was removed, or has an unknown form: then its coverage is unknown."""
    assert judged(MAIL, PASS + "; dkim=pass header.d=example.org", lookup=False).proved == {"sender", "text"}
    assert judged(MAIL, PASS + "; dkim=pass header.d=relay.example", lookup=False).vouched


@pytest.mark.parametrize(
    "parameters",
    [
        'boundary0=X; boundary="b"',
        "boundary*=X; boundary=b",
        "boundary*0*=X; boundary=b",
        'boundary=""; boundary=b',
    ],
)
def test_text_is_not_proved_if_programs_split_the_body_differently(parameters: str) -> None:
    """Nabu would read the text between other lines than those around the whole body."""
    mail = MAIL.replace(b"<p>games", b"--X\r\n\r\nresign\r\n--X--\r\n")
    changed = signed("from:to:subject", mail).replace(b"boundary=b", parameters.encode())
    verdict = judged(changed)
    assert verdict.dmarc == "pass"
    assert "text" not in verdict.proved or read(changed).text == "games"
    assert "text" not in verdict.proved


@pytest.mark.parametrize(("days", "once"), [(29, True), (31, False), (400, False)])
def test_old_email_may_be_a_copy_of_a_forgotten_one(days: int, once: bool) -> None:
    mail = re.sub(
        rb"Date: [^\r]+", b"Date: " + format_datetime(datetime.now(UTC) - timedelta(days)).encode(), MAIL
    )
    assert ("once" in judged(signed(ALL, mail)).proved) == once
    assert "once" in judged(mail, peer="192.0.2.1").proved, "it comes from there now"
    undated = mail.replace(b"Date: ", b"Date: some day, ")
    assert "once" not in judged(signed(ALL, undated)).proved


def test_same_parts_are_proved_without_a_policy() -> None:
    lookup = names("none")
    mail = signed(f"from:to:{ONCE}")
    verdict = authenticate(mail, read(mail).author, now=datetime.now(UTC), lookup=lookup, recipient=PLAY)
    assert (verdict.dmarc, verdict.vouched) == ("none", True)
    assert "subject" not in verdict.proved
