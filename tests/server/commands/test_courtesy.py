"""The words around a move that are for the other players."""

from __future__ import annotations

import pytest

from server.commands.courtesy import Courtesy


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("i9, please", ""),
        ("My move: i9, please. Good luck!", "Good luck!"),
        ("Hi Ben, i9 please! Thanks, good luck", "Thanks, good luck"),
        ("i9 (good luck!)", "good luck!"),
        ("Thanks! i9, good luck, Ben!", "Thanks! good luck, Ben!"),
        ("i9 (hoffentlich gut)", "hoffentlich gut"),
    ],
)
def test_words_around_a_move_are_said_without_please(line: str, said: str) -> None:
    (found,) = {polite.said for polite in Courtesy(frozenset({"ben"})).around(line) if polite.text == "i9"}
    assert found == said
