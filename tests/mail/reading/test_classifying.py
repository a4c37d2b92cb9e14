"""Emails by persons and by machines, in addition to those in tests/mails."""

from __future__ import annotations

import pytest

from mail.reading.bounces import Bounce
from mail.reading.message import read

HEAD = b"From: Ben <ben@example.org>\nSubject: Re: Nibble 17\n"
REPORT = (
    b"Content-Type: multipart/report; boundary=b\n\n--b\n\nSorry.\n--b\n"
    b"Content-Type: message/delivery-status\n\n"
)


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        (b"", "reply"),
        (b"Auto-Submitted: no\n", "reply"),
        (b"Auto-Submitted: No (a person)\n", "auto"),
        (b"auto-submitted: AUTO-REPLIED; owner=x\n", "auto"),
        (b"X-Auto-Response-Suppress: All\n", "reply"),
        (b"X-Autoreply: yes\n", "auto"),
        (b"X-AutoResponder: me\n", "auto"),
        (b"X-Autoreply: No\n", "reply"),
        (b"Precedence: first-class\n", "reply"),
        (b"Precedence: JUNK\n", "list"),
        (b"List-Help: <mailto:x>\n", "list"),
        (b"Return-Path: <>\n", "auto"),
        (b"Return-Path: <ben@example.org>\n", "reply"),
        (b"x-nabu: 1\nReturn-Path: <>\n", "loop"),
    ],
)
def test_header_identifies_a_program(header: bytes, kind: str) -> None:
    reading = read(HEAD + header + b"\nc4\n")
    assert reading.kind == kind
    assert bool(reading.why) == (kind != "reply")


@pytest.mark.parametrize(
    ("header", "why"),
    [
        (b"X-Nabu: 1\n", "the header X-Nabu"),
        (b"X-Failed-Recipients: a@b.org\n", "the header X-Failed-Recipients"),
        (b"Subject: Automatic reply: Nibble 17\n", "a subject of automatic replies"),
        (b"Auto-Submitted: auto-replied\n", "Auto-Submitted: auto-replied"),
        (b"Return-Path: <>\n", "an empty return path"),
        (b"X-Autoreply: yes\n", "the header x-autoreply"),
        (b"Precedence: auto_reply\n", "Precedence: auto_reply"),
        (b"Precedence: bulk\n", "Precedence: bulk"),
        (b"List-Id: <x>\n", "the header list-id"),
        (b"Content-Type: multipart/report; boundary=b\n\n--b\n\nSorry.\n--b--\n", "a report"),
        (REPORT, "a delivery report"),
        (
            b"Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b\n"
            b"Content-Type: message/feedback-report\n\nFeedback-Type: abuse\n--b--\n",
            "a complaint report",
        ),
    ],
)
def test_evidence_for_a_program_is_named(header: bytes, why: str) -> None:
    """The administrator sees it in the list of emails."""
    head = b"From: Ben <ben@example.org>\n" if b"Subject" in header else HEAD
    assert read(head + header + b"\nc4\n").why == why


@pytest.mark.parametrize(
    ("sender", "subject", "why"),
    [
        ("noreply@example.org", "Re: Nibble", "an unattended address"),
        ("mailer-daemon@example.org", "Undelivered Mail Returned to Sender", "a report from a mail system"),
        ("play@games.example", "Re: Nibble", "it comes from this server's own address"),
    ],
)
def test_sender_that_is_a_program_is_named(sender: str, subject: str, why: str) -> None:
    mail = f"From: {sender}\nSubject: {subject}\n\nc4\n"
    assert read(mail.encode(), own="play@games.example").why == why


@pytest.mark.parametrize(("mail_from", "kind"), [("", "auto"), ("ben@example.org", "reply"), (None, "reply")])
def test_envelope_identifies_a_program(mail_from: str | None, kind: str) -> None:
    assert read(HEAD + b"\nc4\n", mail_from=mail_from).kind == kind


def test_envelope_takes_precedence_over_the_header() -> None:
    assert read(HEAD + b"Return-Path: <>\n\nc4\n", mail_from="ben@example.org").kind == "reply"


@pytest.mark.parametrize(
    ("sender", "kind"),
    [
        ("play+k7@games.example", "loop"),
        ("PLAY+K7@Games.Example", "loop"),
        ("play@games.example", "loop"),
        ("play+k7@games.example.org", "reply"),
        ("ann+games@games.example", "reply"),
        ("noreply@example.org", "auto"),
        ("no-reply-17@example.org", "auto"),
        ("norepl@example.org", "reply"),
        ("postmaster@example.org", "auto"),
    ],
)
def test_sender_identifies_a_program(sender: str, kind: str) -> None:
    raw = f"From: {sender}\nSubject: x\n\nc4\n".encode()
    assert read(raw, own="play@games.example").kind == kind


@pytest.mark.parametrize(
    "subject",
    ["Re: Automatic reply: Nibble 17", "Nibble 17: out of office?", "On vacation until Friday", "Ausente?"],
)
def test_subject_like_an_automatic_reply_may_be_by_a_person(subject: str) -> None:
    assert read(f"From: ben@example.org\nSubject: {subject}\n\nc4\n".encode()).kind == "reply"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            b"Final-Recipient: rfc822; a@b.org\nAction: failed\nStatus: 5.1.1\n",
            (Bounce("a@b.org", "5.1.1", True, "5.1.1"),),
        ),
        (
            b"Final-Recipient: rfc822; a@b.org\nAction: failed\nStatus: 4.2.2\n",
            (Bounce("a@b.org", "4.2.2", False, "4.2.2"),),
        ),
        (
            b"Final-Recipient: rfc822; a@b.org\nAction: failed\nStatus: 5.2.2\n",
            (Bounce("a@b.org", "5.2.2", False, "5.2.2"),),
        ),
        (b"Final-Recipient: rfc822; a@b.org\nAction: delayed\nStatus: 5.4.1\n", ()),
        (b"Final-Recipient: rfc822; a@b.org\nAction: failed\n", (Bounce("a@b.org", "", False, ""),)),
        (
            b"Final-Recipient: rfc822; a@b.org\nAction: failed\nDiagnostic-Code: smtp; 550 no\n",
            (Bounce("a@b.org", "", False, "smtp; no"),),
        ),
        (b"Final-Recipient: rfc822; a@b.org\nAction: delivered\nStatus: 2.0.0\n", ()),
        (
            b"Final-Recipient: rfc822; x@y.org\nOriginal-Recipient: rfc822;<A@B.org>\n"
            b"Action: failed\nStatus: 5.0.0\n",
            (Bounce("a@b.org", "5.0.0", False, "5.0.0"),),
        ),
        (
            b"Final-Recipient: rfc822; a@b.org\nAction: failed\nStatus: 5.1.1\n\n"
            b"Final-Recipient: rfc822; c@d.org\nAction: failed\nStatus: 4.4.1\n",
            (Bounce("a@b.org", "5.1.1", True, "5.1.1"), Bounce("c@d.org", "4.4.1", False, "4.4.1")),
        ),
        (b"Final-Recipient: x400; whoever\nAction: failed\nStatus: 5.1.1\n", ()),
        (b"", ()),
    ],
)
def test_delivery_report_is_read(fields: bytes, expected: tuple[Bounce, ...]) -> None:
    reading = read(HEAD + REPORT + b"Reporting-MTA: dns; x\n\n" + fields + b"\n--b--\n", mail_from="")
    assert reading.kind == "bounce"
    assert reading.bounces == expected


def test_delivery_report_of_an_address_with_other_letters_is_read() -> None:
    """RFC 6533; some programs put more than one empty line between the recipients."""
    fields = b"Final-Recipient: rfc822; a@b.org\nAction: failed\nStatus: 5.1.1\n"
    report = REPORT.replace(b"message/delivery-status", b"message/global-delivery-status")
    reading = read(HEAD + report + fields + b"\n\n" + fields.replace(b"a@", b"c@") + b"--b--\n")
    assert (reading.kind, [each.address for each in reading.bounces]) == ("bounce", ["a@b.org", "c@b.org"])


@pytest.mark.parametrize(
    ("header", "text", "addresses"),
    [
        ("", "<a@b.org>: no such user\n c@d.org\n", ["a@b.org", "c@d.org"]),
        ("", "Your email to a@b.org was not delivered.\n", []),
        ("", "<play@games.example>:\n<Play+k7@games.example>:\n<a@b.org>:\n", ["a@b.org"]),
        ("X-Failed-Recipients: a@b.org, c@d.org\n", "We could not deliver it.\n", ["a@b.org", "c@d.org"]),
        ("X-Failed-Recipients: a@b.org\n", "c@d.org: relayed\n", ["a@b.org"]),
        ("X-Failed-Recipients: play+k7@games.example, a@b.org\n", "", ["a@b.org"]),
    ],
)
def test_report_for_people_names_the_addresses(header: str, text: str, addresses: list[str]) -> None:
    raw = f"From: mailer-daemon@b.org\nSubject: Undelivered Mail\n{header}\n{text}"
    found = read(raw.encode(), mail_from="", own="play@games.example").bounces
    assert [each.address for each in found] == addresses


def test_forwarded_report_is_no_bounce() -> None:
    inner = HEAD + REPORT + b"Final-Recipient: rfc822; a@b.org\nAction: failed\nStatus: 5.1.1\n"
    raw = (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=o\n\n--o\n\nc4\n--o\nContent-Type: message/rfc822\n\n"
        + inner
    )
    reading = read(raw)
    assert (reading.kind, reading.text, reading.bounces) == ("reply", "c4", ())
