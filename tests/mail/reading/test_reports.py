"""Complaints in the forms of their senders, and return paths that identify a bounced email."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.reading.parts import parse
from mail.reading.reports import Complaint, bounce_address, bounce_key, complaint, returned
from tests.support.mail.bounces import report

ORIGINAL = (
    "Received: from games.example by provider.example\nFrom: Nabu <play@games.example>\n"
    "To: Ann <ann@provider.example>\nSubject: Nibble\nMessage-ID:\n <1.2@games.example>\n\nYour turn.\n"
)
FULL = (
    "Feedback-Type: abuse\nUser-Agent: Provider/1.0\nVersion: 1\n"
    "Original-Mail-From: <play+bounces-k7q2@games.example>\nOriginal-Rcpt-To: <Ann@Provider.example>\n"
    "Arrival-Date: Fri, 20 Nov 2026 09:00:00 +0000\n"
)
ANN = ("ann@provider.example",)
ID = "1.2@games.example"
OWN = "play@games.example"
PATH = "play+bounces-k7q2@games.example"
REMOVE = "Removal-Recipient: x@y.org\n"
BOTH = "Original-Rcpt-To: rfc822;ann@provider.example\nOriginal-Rcpt-To: ben@provider.example\n"
HEADER = report(FULL, ORIGINAL.partition("\n\n")[0], "text/rfc822-headers; charset=us-ascii")


@pytest.mark.parametrize(
    ("mail", "found"),
    [
        (report(FULL, ORIGINAL), Complaint("abuse", True, ANN, ID, PATH)),
        (HEADER, Complaint("abuse", True, ANN, ID, PATH)),
        (report(FULL), Complaint("abuse", True, ANN, "", PATH)),
        (report("Feedback-Type: abuse\n", ORIGINAL), Complaint("abuse", True, ANN, ID, "")),
        (report("Version: 1\n", ORIGINAL), Complaint("abuse", True, ANN, ID, "")),
        (report("Feedback-Type: opt-out\n" + REMOVE), Complaint("opt-out", True, ("x@y.org",), "", "")),
        (report("FEEDBACK-TYPE: Not-Spam\n", ORIGINAL), Complaint("not-spam", False, ANN, ID, "")),
        (report("Feedback-Type: auth-failure\n", ORIGINAL), Complaint("auth-failure", False, ANN, ID, "")),
        (
            report("Version: 1\n", "To: undisclosed:;\nMessage-ID: none\n\n"),
            Complaint("abuse", True, (), "", ""),
        ),
        (report(BOTH), Complaint("abuse", True, (*ANN, "ben@provider.example"), "", "")),
        (report("", f"Return-Path: <{PATH}>\n\n"), Complaint("abuse", True, (), "", PATH)),
    ],
)
def test_complaint_names_the_recipient_and_the_email(mail: bytes, found: Complaint) -> None:
    assert complaint(parse(mail)) == found


def test_complaint_may_enclose_the_email_in_base64() -> None:
    encoded = "VG86IGFubkBwcm92aWRlci5leGFtcGxlCk1lc3NhZ2UtSUQ6IDwxLjJAZ2FtZXMuZXhhbXBsZT4KCg=="
    mail = report("Version: 1\n", encoded, "message/rfc822\nContent-Transfer-Encoding: base64")
    assert complaint(parse(mail)) == Complaint("abuse", True, ANN, ID, "")


@pytest.mark.parametrize(
    "mail",
    [
        b"",
        b"From: ann@example.org\n\nI complain.\n",
        report("x: y").replace(b"message/feedback-report", b"message/delivery-status"),
        b"Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\n\nx\n--b--\n",
    ],
)
def test_other_emails_are_no_complaints(mail: bytes) -> None:
    assert complaint(parse(mail)) is None


@given(st.binary(max_size=500))
def test_reports_never_raise(noise: bytes) -> None:
    complaint(parse(noise))
    found = complaint(parse(report(FULL, ORIGINAL).replace(b"abuse\n", noise + b"\n")))
    assert found is None or found.message_id in (ID, "")


def bounce(part: str, header: str = "") -> bytes:
    return (
        f"From: MAILER-DAEMON@mx.example.org\nMessage-ID: <r@mx.example.org>\n{header}"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
        f"--b\nContent-Type: text/plain\n\nNot delivered.\n{part}--b--\n"
    ).encode()


@pytest.mark.parametrize(
    "mail",
    [
        bounce(f"--b\nContent-Type: message/rfc822\n\n{ORIGINAL}\n"),
        bounce(f"--b\nContent-Type: text/rfc822-headers\n\n{ORIGINAL}\n", "In-Reply-To: <other@x.example>\n"),
        bounce(f"--- Below this line is a copy of the message.\n\n{ORIGINAL}\n"),
        f"Subject: failure notice\n\nHi. This is the qmail-send program.\n\n> {ORIGINAL}".encode(),
        bounce("", f"In-Reply-To: <{ID}>\n"),
        bounce("", f"References: <{ID}>\n"),
    ],
)
def test_bounce_names_the_returned_email(mail: bytes) -> None:
    assert returned(parse(mail)) == ID


@pytest.mark.parametrize("mail", [b"", bounce(""), bounce("Message-ID: none\n")])
def test_bounce_may_lack_the_returned_email(mail: bytes) -> None:
    assert returned(parse(mail)) == ""


def test_crafted_report_is_not_slow() -> None:
    many = "".join(f"Original-Rcpt-To: a{number}@b.org\n" for number in range(50_000))
    first = tuple(f"a{number}@b.org" for number in range(20))
    begin = time.process_time()
    found = complaint(parse(report(many, "To: " + "a@b.org, " * 100_000 + "\n\n")))
    assert found == Complaint("abuse", True, first, "", "")
    found = complaint(parse(report("x" * 2_000_000, "Message-ID: " + "<" * 2_000_000 + "\n\n")))
    assert found == Complaint("abuse", True, (), "", "")
    assert returned(parse(b"Subject: x\n\n" + b"Message-ID: <" * 200_000)) == ""
    assert returned(parse(b"Subject: x\n\n" + b"\n\n\n>>>>" * 200_000)) == ""
    assert time.process_time() - begin < 5


@given(st.from_regex(r"[a-z0-9]{1,50}", fullmatch=True))
def test_bounce_key_survives_changes_of_case(key: str) -> None:
    address = bounce_address(key, OWN)
    assert len(address.partition("@")[0]) <= 64
    assert bounce_key(address, OWN) == bounce_key(address.upper(), OWN.title()) == key


@pytest.mark.parametrize(
    "address",
    [
        "", "play@games.example", "play+bounces-@games.example", "play+k7@games.example",
        "play+bounces-k7@example.org", "ann+bounces-k7@games.example", "play+bounces-k7+x@games.example",
        "play+bounces-k7", "play+bounces-" + "x" * 51 + "@games.example",
    ],
)  # fmt: skip
def test_other_addresses_have_no_bounce_key(address: str) -> None:
    assert bounce_key(address, OWN) == ""


@pytest.mark.parametrize("key", ["", "K7", "k+7", "k 7", "k@7", "x" * 51, "ö"])
def test_unsafe_bounce_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="not a key"):
        bounce_address(key, OWN)
