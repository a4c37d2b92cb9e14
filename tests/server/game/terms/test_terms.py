"""The terms of a game in sentences."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from server.clock.terms import Terms
from server.game.terms.terms import GameTerms
from tests.support.server.time_controls import BERLIN

_NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("guided", True, "The game explains its rules during play, and does not count."),
        ("show_ready", False, "Players cannot see which players have sent orders."),
        ("private", True, "Only its players can see the game."),
        (
            "anonymous",
            True,
            "The players' names are hidden until the game is over: only their seats are shown.",
        ),
        ("rated", True, "The game is rated."),
        ("rated", False, "The game is not rated."),
        (
            "games",
            3,
            "This is a series of 3 games: when one is over, the next starts automatically, and the players "
            "change seats.",
        ),
    ],
)
def test_each_option_adds_its_sentence(option: str, value: object, sentence: str) -> None:
    time = Terms.from_options({}, BERLIN, simultaneous=True)
    plain = GameTerms(time).in_words(_NOW, 2)
    said = GameTerms.from_json(GameTerms(time, **{option: value}).to_json()).in_words(_NOW, 2)  # type: ignore[arg-type]
    assert sentence not in plain
    assert said[-1] == sentence
