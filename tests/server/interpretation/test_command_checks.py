"""The number and the length of commands in an email: exactly the limits that the answers name."""

from __future__ import annotations

import pytest

from server.commands.account_words import BLOCK, CHALLENGE, GAMES
from server.commands.game_words import RULES, SAY
from server.commands.parser import Command
from server.commands.word import MOVE
from server.errors import BadRequest
from server.interpretation.command_checks import MOST_IN_A_MAIL, check_amount
from server.limits import LONGEST_LINE, MOST_COMMANDS, MOST_LINES

BLOCKS = [Command(BLOCK, f"player{number}") for number in range(MOST_IN_A_MAIL)]


@pytest.mark.parametrize(
    "most",
    [
        [Command(MOVE, "a" * LONGEST_LINE)],
        [Command(BLOCK, "a" * (LONGEST_LINE - len("block ")))],
        [Command(MOVE, "\n".join(["a"] * MOST_LINES))],
        [Command(SAY, "a" * LONGEST_LINE * 2)],
        [Command(SAY, "a\n" * MOST_LINES * 2)],
        [Command(MOVE, "c4")] * MOST_COMMANDS,
        BLOCKS,
        [*BLOCKS, Command(MOVE, "c4")],
        [Command(CHALLENGE, "Ben nibble")] * CHALLENGE.most,
        [Command(RULES, game_type) for game_type in ("nibble", "nexus", "nardshir")] * 2,
        [Command(GAMES)] * MOST_IN_A_MAIL,
    ],
)
def test_email_within_the_limits_is_accepted(most: list[Command]) -> None:
    check_amount(most)


@pytest.mark.parametrize(
    ("more", "answer"),
    [
        ([Command(MOVE, "a" * (LONGEST_LINE + 1))], f"at most {LONGEST_LINE} characters in {MOST_LINES} lines"),
        (
            [Command(BLOCK, "a" * (LONGEST_LINE - 5))],
            f"at most {LONGEST_LINE} characters in {MOST_LINES} lines",
        ),
        ([Command(MOVE, "\n".join(["a"] * (MOST_LINES + 1)))], f"in {MOST_LINES} lines; in your email “a"),
        ([Command(MOVE, "c4")] * (MOST_COMMANDS + 1), f"at most {MOST_COMMANDS} commands, and yours has more"),
        ([*BLOCKS, Command(GAMES)], f"has {MOST_IN_A_MAIL + 1} commands, and an email can have at most"),
        (
            [Command(CHALLENGE, "Ben nibble")] * (CHALLENGE.most + 1),
            f"has {CHALLENGE.most + 1} lines with “challenge”, and an email can have at most {CHALLENGE.most}",
        ),
        (
            [Command(RULES, game_type) for game_type in ("nibble", "nexus", "nardshir", "nelaxtam")],
            "has 4 lines with “rules”, and an email can have at most 3",
        ),
    ],
)
def test_email_beyond_the_limits_is_refused(more: list[Command], answer: str) -> None:
    with pytest.raises(BadRequest, match=answer):
        check_amount(more)
