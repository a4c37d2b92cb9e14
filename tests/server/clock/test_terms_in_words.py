"""The terms of a game in plain words."""

from __future__ import annotations

from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from server.clock.spans import DAY
from server.clock.terms_in_words import example, example_deadlines, explain
from tests.support.server.time_controls import BERLIN, terms, when

NOW = when("2026-03-01 12:00")


def test_terms_of_a_sequential_game_in_words() -> None:
    game = terms("7d+1d", weekends="off", timeout="claim")
    assert [*explain(game, NOW, 2), *example(game, NOW, BERLIN)] == [
        "Each player has a time bank of 7 days, from which the time for each move is taken; each move adds 1 "
        "day, up to 14 days in total.",
        "The clock is paused on Saturdays and Sundays, in each player's own time zone.",
        "Each player has 30 days of vacation a year, during which their clock is paused.",
        "Players get back any time in which the server was down or its email did not reach them.",
        "A move that arrives within 1 hour after the deadline is still accepted.",
        "When a player is later than that, an opponent may claim the game; until one does, the late move "
        "is still accepted.",
        "For example: the game starts on Sun 1 March 2026, 13:00 Europe/Berlin (UTC+1), a player uses all the "
        "time for each move, and the reply always comes immediately. The player's first 3 deadlines are then:",
        "Wed 11 March 2026, 00:00 Europe/Berlin (UTC+1)",
        "Thu 12 March 2026, 00:00 Europe/Berlin (UTC+1)",
        "Fri 13 March 2026, 00:00 Europe/Berlin (UTC+1)",
    ]


def test_terms_of_simultaneous_orders_in_words() -> None:
    game = terms("daily 02:30", simultaneous=True, weekends="off", delay="30m", grace="0")
    begins = when("2026-03-26 12:00")
    assert [*explain(game, begins, 2), *example(game, begins, ZoneInfo("Asia/Kathmandu"))] == [
        "Orders are due every day at 02:30, Europe/Berlin time; the first such time at least 12 hours "
        "after the turn began counts.",
        "When the clocks change, 02:30 may not exist, and is then later by the time skipped, or may "
        "come twice, and then the second counts.",
        "Nothing is due on Saturdays and Sundays in Europe/Berlin.",
        "Each player has 30 days of vacation a year. A deadline during it does not count, nor "
        "one before which it took up more than half of the time.",
        "Players get back any time in which the server was down or its email did not reach them.",
        "Once all orders are in, they can still be changed for 30 minutes, but not beyond the deadline.",
        "Orders that arrive after the deadline are too late.",
        "Later orders do not count: the turn is played without them. A player who is too late 3 turns "
        "in a row loses.",
        "For example: the game starts on Thu 26 March 2026, 17:45 Asia/Kathmandu (UTC+5:45), a player uses "
        "all the time for each move, and the reply always comes immediately. The player's first 3 deadlines "
        "are then:",
        "Fri 27 March 2026, 07:15 Asia/Kathmandu (UTC+5:45)",
        "Mon 30 March 2026, 06:15 Asia/Kathmandu (UTC+5:45)",
        "Tue 31 March 2026, 06:15 Asia/Kathmandu (UTC+5:45)",
    ]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "A player who is later than that loses."),
        (
            {"timeout": "claim"},
            "When a player is later than that, an opponent may claim the game; until one does, the late "
            "move is still accepted.",
        ),
        ({"grace": "0"}, "A move that arrives after the deadline is too late."),
        ({"grace": "12h"}, "A move that arrives within 12 hours after the deadline is still accepted."),
    ],
)
def test_all_terms_of_a_sequential_game_are_described(options: dict[str, str], sentence: str) -> None:
    assert sentence in explain(terms(simultaneous=False, **options), NOW, 2)


def test_late_player_leaves_a_game_of_more_than_two() -> None:
    sentence = "A player who is later than that loses, or leaves the game if the others play on."
    assert sentence in explain(terms(simultaneous=False), NOW, 3)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"timeout": "claim"},
            "Later orders do not count: the turn is played without them. When a player is too late 3 "
            "turns in a row, an opponent may claim the game; until one does, the turn waits for the "
            "orders.",
        ),
        (
            {"misses": "1"},
            "A player who is later than that loses.",
        ),
        (
            {"misses": "1", "timeout": "claim"},
            "When a player is later than that, an opponent may claim the game; until one does, the turn "
            "waits for the orders.",
        ),
        ({"grace": "2h"}, "Orders that arrive within 2 hours after the deadline are still accepted."),
    ],
)
def test_all_terms_of_simultaneous_orders_are_described(options: dict[str, str], sentence: str) -> None:
    assert sentence in explain(terms(simultaneous=True, **options), NOW, 2)


def test_irrelevant_terms_are_not_described() -> None:
    said = " ".join(explain(terms("daily 20:00", simultaneous=True), NOW, 2))
    assert "may not exist" not in said
    assert "Saturdays" not in said
    assert "can still be changed" not in said


def test_game_without_deadlines_in_words() -> None:
    assert explain(terms("none"), NOW, 2) == ["There is no deadline."]
    assert example_deadlines(terms("none"), NOW, BERLIN) == []
    assert explain(terms("none", simultaneous=True, delay="1h"), NOW, 2) == [
        "There is no deadline.",
        "Once all orders are in, they can still be changed for 1 hour.",
    ]


@pytest.mark.parametrize(
    ("time", "steps"),
    [
        ("3d", [3 * DAY, 3 * DAY, 3 * DAY]),
        ("7d+1d", [7 * DAY, DAY, DAY]),
        ("daily 20:00", [DAY + DAY * 7 / 24, DAY, DAY]),
    ],
)
def test_example_deadlines(time: str, steps: list[object]) -> None:
    moments = example_deadlines(terms(time, simultaneous=":" in time), when("2026-03-01 12:00"), BERLIN)
    assert [later - earlier for earlier, later in pairwise([NOW, *moments])] == steps
