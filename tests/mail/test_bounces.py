"""Which refusals say that an address takes no mail."""

from __future__ import annotations

import pytest

from mail.bounces import is_hard


@pytest.mark.parametrize(
    ("text", "hard"),
    [
        ("550 5.1.1 No such user", True),
        ("550 5.1.10 The domain takes no mail", True),
        ("550 5.2.1 This mailbox is disabled", True),
        ("550 5.4.1 Recipient address rejected: access denied", True),
        ("smtp; 550 no such user", True),
        ("5.0.0 smtp; 554 delivery error: this user has no account here", True),
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
def test_only_what_is_said_of_the_address_is_hard(text: str, hard: bool) -> None:
    assert is_hard(text) == hard
