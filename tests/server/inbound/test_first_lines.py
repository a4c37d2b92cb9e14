"""A refusal quotes the first line that is not a greeting, and cuts long lines after a word."""

from __future__ import annotations

import pytest

from rules.sentences import shortened
from tests.support.server.games import TwoPlayerGame, mover, reply


@pytest.mark.parametrize("greeting", ["Hallo,", "Hi!\n\nDear Ben,"])
def test_refusal_quotes_the_first_line_that_is_no_greeting(table: TwoPlayerGame, greeting: str) -> None:
    seat = mover(table)[0]
    (answer,) = reply(table, seat, f"{greeting}\n\nI would like the place in the middle.")
    assert "your email begins with “I would like the place in the middle.”, which is neither" in answer.words
    (answer,) = reply(table, seat, "I would like the place in the middle.")
    assert "The first line of your email is “I would like the place in the middle.”" in answer.words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("c4", "c4"),
        ("a " * 30, "a" + " a" * 29),
        (
            "I would like to play against the computer, please, with a board of four rows",
            "computer, please, with a…",
        ),
        ("x" * 61, f"{'x' * 59}…"),
    ],
)
def test_long_line_is_cut_after_a_word(text: str, shown: str) -> None:
    assert shortened(text).endswith(shown)
    assert len(shortened(text)) <= 60
