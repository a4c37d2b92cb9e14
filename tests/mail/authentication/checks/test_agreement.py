"""Agreement of Nabu's signature checks with dkimpy's, for any email that both can read."""

from __future__ import annotations

from datetime import UTC, datetime

import dkim as dkimpy  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.authentication.checks.dkim import signers
from mail.authentication.checks.wire import parse
from tests.support.examples import examples
from tests.support.mail import keys
from tests.support.mail.dns_zone import zone

KEY = keys.signer("example.org")
NAMES = zone(f"{KEY.name} TXT {KEY.record}")
END = b"\r\n"  # the end of every email by SMTP; without it the two differ, and so may others
subjects = st.text(" \tc4", max_size=12).map(str.encode)
bodies = st.lists(st.sampled_from([b" ", b"\t", b"\r\n", b"\n", b"c4", b".", b"\xff"]), max_size=12).map(
    b"".join
)
forms = st.sampled_from([b"simple", b"relaxed"])


def mail(subject: bytes, body: bytes) -> bytes:
    return (
        b"From: Ann <ann@example.org>\r\nTo: play@games.example\r\nSubject:"
        + subject
        + b"\r\n\r\n"
        + body
        + END
    )


def agreed(raw: bytes) -> bool:
    """Return the verdict of both on the email, which must be the same."""
    ours = signers(parse(raw), NAMES, datetime.now(UTC))[0] == ("example.org",)
    assert dkimpy.verify(raw, dnsfunc=lambda name, timeout: KEY.record) == ours
    return ours


@pytest.mark.slow
@examples(150)
@given(st.tuples(subjects, bodies), st.tuples(subjects, bodies), forms, forms)
def test_signatures_accept_the_changes_that_other_programs_accept(
    before: tuple[bytes, bytes], after: tuple[bytes, bytes], header: bytes, body: bytes
) -> None:
    field = dkimpy.sign(
        mail(*before), b"s1", b"example.org", keys.rsa_key(), canonicalize=(header, body),
        include_headers=[b"from", b"to", b"subject"],
    )  # fmt: skip
    assert agreed(field + mail(*before))
    agreed(field + mail(*after))


@given(subjects, bodies, bodies)
def test_other_programs_accept_our_signatures(subject: bytes, body: bytes, other: bytes) -> None:
    signed = KEY.sign(mail(subject, body), datetime.now(UTC))
    assert agreed(signed)
    agreed(signed.removesuffix(body + END) + other + END)
