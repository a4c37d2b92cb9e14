"""Text from outside is shown in one line, without control characters and tags of signed addresses."""

from __future__ import annotations

import pytest

from server.admin.sanitize import escaped, in_a_line, untagged


def test_terminal_commands_are_removed() -> None:
    assert in_a_line(" 550 no\r\n\t\x1b[2Jsuch\x00 user\n") == "550 no [2Jsuch user"


def test_terminal_commands_are_written_as_numbers() -> None:
    assert escaped("\x1b[2Jé\u202e\x9b\ttwo\nlines \udc80") == "\\x1b[2Jé\\u202e\\x9b\ttwo\nlines \\udc80"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("553 <play+abc@games.example.org>: not yours", "553 <play@games.example.org>: not yours"),
        ("play+a+b@x.example and ann+c@y.example", "play@x.example and ann@y.example"),
        ("1 + 1, a+b, +", "1 + 1, a+b, +"),
    ],
)
def test_addresses_are_shown_without_tags(text: str, shown: str) -> None:
    assert untagged(text) == shown
