"""Chains of forwarding servers, sealed by a second implementation."""

from __future__ import annotations

from collections.abc import Callable

import dkim as dkimpy  # type: ignore[import-untyped]
import pytest

from mail.authentication.checks.arc import first_results
from mail.authentication.checks.dkim import BadSignature
from mail.authentication.checks.dns import LookupFailed
from mail.authentication.checks.results import Results
from mail.authentication.checks.wire import parse
from tests.support.mail import keys
from tests.support.mail.dns_zone import Zone, zone

SEALERS = frozenset({"first.example", "second.example"})
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: play@games.example\r\nSubject: move\r\n"
    b"Date: Fri, 20 Nov 2026 09:00:00 +0000\r\nMIME-Version: 1.0\r\n\r\nc4\r\n"
)


def sealed(mail: bytes, domain: str, found: str) -> bytes:
    """Return the email as it leaves a server that sealed its results."""
    field = f"Authentication-Results: {domain}; {found}\r\n".encode()
    name = domain.encode()
    signed = [b"from", b"to", b"subject"]
    fields = dkimpy.arc_sign(field + mail, b"s1", name, keys.rsa_key(), name, include_headers=signed)
    return b"".join(fields) + mail


FIRST = sealed(MAIL, "first.example", "dmarc=pass header.from=example.org")
# The second server added a line below the text, and found the incoming chain valid.
SECOND = sealed(
    FIRST + b"-- \r\nthe list\r\n", "second.example", "arc=pass; dmarc=fail header.from=example.org"
)


def names() -> Zone:
    return zone(*(f"s1._domainkey.{domain} TXT {keys.signer(domain).record}" for domain in SEALERS))


def found(mail: bytes, sealers: frozenset[str] = SEALERS, lookup: Zone | None = None) -> Results | None:
    return first_results(parse(mail), sealers, lookup or names())


def changed(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda mail: mail.replace(old, new, 1)


@pytest.mark.parametrize("mail", [FIRST, SECOND])
def test_unbroken_chain_returns_the_results_of_the_first_server(mail: bytes) -> None:
    results = found(mail)
    assert results is not None
    assert results.server == "first.example"
    assert [result.value for result in results.of("dmarc")] == ["pass"]


def test_email_without_a_chain_has_no_results() -> None:
    assert found(MAIL) is None


@pytest.mark.parametrize("sealers", [frozenset(), frozenset({"first.example"}), frozenset({"second.example"})])
def test_chain_with_an_untrusted_server_is_rejected(sealers: frozenset[str]) -> None:
    lookup = names()
    with pytest.raises(BadSignature, match="are trusted"):
        found(SECOND, sealers, lookup)
    assert lookup.asked == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (changed(b"\r\n\r\nc4", b"\r\n\r\nc5"), "body"),
        (changed(b"Subject: move", b"Subject: resign"), "header"),
        (changed(b"ann@example.org>", b"eve@example.org>"), "header"),
        (changed(b"dmarc=pass", b"dmarc=none"), "header"),
        (changed(b"arc=pass", b"arc=fail"), "header"),
        (changed(b"cv=pass", b"cv=fail"), "found it broken"),
        (changed(b"cv=pass", b"cv=none"), "found it broken"),
        (changed(b"cv=none", b"h=from; cv=none"), "found it broken"),
        (changed(b"ARC-Seal: i=2", b"X: i=2"), "not whole"),
        (changed(b"ARC-Seal: i=2", b"ARC-Seal: i=3"), "not whole"),
        (changed(b"ARC-Seal: i=2", b"ARC-Seal: i=1"), "not whole"),
        (changed(b"ARC-Seal: i=2", b"ARC-Seal: i=x"), "not whole"),
        (changed(b"ARC-Seal: i=2", b"ARC-Seal: i=2; i=2"), "not whole"),
        (changed(b"h=from", b"h=x-from"), "sign the fields that matter"),
        (changed(b"h=from", b"h=arc-seal : from"), "sign the fields that matter"),
        (changed(b"h=from", b"l=1; h=from"), "sign the fields that matter"),
        (changed(b"bh=", b"xx="), "body"),
    ],
)
def test_changed_chain_is_rejected(change: Callable[[bytes], bytes], why: str) -> None:
    mail = change(SECOND)
    assert mail != SECOND
    with pytest.raises(BadSignature, match=why):
        found(mail)


def test_chain_copied_from_another_email_is_rejected() -> None:
    other = sealed(MAIL.replace(b"c4", b"resign"), "first.example", "dmarc=pass header.from=example.org")
    chain = FIRST[: FIRST.index(b"From:")]
    with pytest.raises(BadSignature, match="body"):
        found(chain + other[other.index(b"From:") :])


def test_too_many_sets_are_rejected_unread() -> None:
    lookup = names()
    sets = b"".join(
        b"ARC-Seal: i=%d\r\nARC-Message-Signature: i=%d\r\nARC-Authentication-Results: i=%d\r\n" % (n, n, n)
        for n in range(1, 12)
    )
    with pytest.raises(BadSignature, match="not whole"):
        found(sets + MAIL, SEALERS, lookup)
    assert lookup.asked == []


def test_unavailable_key_raises_lookup_failed() -> None:
    lookup = names()
    lookup.silent.add("s1._domainkey.first.example")
    with pytest.raises(LookupFailed):
        found(SECOND, SEALERS, lookup)
