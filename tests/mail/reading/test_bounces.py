"""Refusals: which of them mean that a mailbox does not exist, and which have the same gist."""

from __future__ import annotations

import pytest

from mail.reading.bounces import gist, is_hard


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("550 5.1.1 No such user", True),
        ("550 5.1.10 The domain takes no mail", True),
        ("550 5.2.1 This mailbox is disabled", True),
        ("550 5.4.1 Recipient address rejected: access denied", True),
        ("5.0.0 smtp; 550 5.1.1 No such user", True),
        ("smtp; 550 no such user", False),
        ("550 relay not permitted", False),
        ("5.0.0 smtp; 554 delivery error: this user has no account here", False),
        ("550 No thanks, 5.1.1.7 is on our list", False),
        ("552 5.2.2 Mailbox full", False),
        ("552 Mailbox full", False),
        ("552 5.3.4 This mail is too large", False),
        ("550 5.6.1 No such characters here", False),
        ("554 5.7.1 This looks like spam", False),
        ("554 This looks like spam", False),
        ("553 5.1.8 The domain of the sender does not exist", False),
        ("451 4.7.1 Try again later", False),
        ("It did not answer.", False),
        ("", False),
    ],
)
def test_only_a_status_about_the_mailbox_is_hard(text: str, hard: bool) -> None:
    assert is_hard(text) == hard


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5.1.1 <ann@a.example>: User unknown", "5.1.1 <ben@b.example>: User unknown"),
        ("relay not permitted (in reply to RCPT TO)", "Relay not permitted (in reply to RCPT TO)"),
        (
            "5.7.1 Rejected by mx1.a.example, see https://a.example/x?ann@a.example",
            "5.7.1 Rejected by mx2.b.example, see https://b.example/y",
        ),
        ("4.7.1 Come back in 300 seconds, id 7F3A9C", "4.7.1 Come back in 12 seconds, id 99"),
    ],
)
def test_gist_is_equal_for_all_recipients(one: str, other: str) -> None:
    assert gist(one) == gist(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("5.1.1 User unknown", "5.2.1 User unknown"), ("relay not permitted", "no such user")],
)
def test_gist_differs_for_another_status_or_text(one: str, other: str) -> None:
    assert gist(one) != gist(other)
