"""The terms of a game in plain words."""

from __future__ import annotations

from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from server.clock.spans import DAY
from server.clock.words import example, example_deadlines, what_holds
from tests.server.clock.samples import BERLIN, terms, when

NOW = when("2026-03-01 12:00")


def test_a_sequential_game() -> None:
    game = terms("7d+1d", weekends="off", timeout="claim")
    assert [*what_holds(game, NOW), *example(game, NOW, BERLIN)] == [
        "Each player has 7 days in the bank, from which the time for each move is taken; each move adds 1 "
        "day, up to 14 days in all.",
        "Time stands still on Saturdays and Sundays, in each player's own time zone.",
        "Each player has 30 days of vacation a year, in which their time stands still.",
        "A player is given back the time in which the server was down or its mail did not reach them.",
        "A move that comes within 1 hour after the deadline is still taken.",
        "When a player is later than that, an opponent may claim the game; until one does, the late move "
        "is still taken.",
        "For example: the game begins on Sun 1 March 2026, 13:00 Europe/Berlin (UTC+1), and a player uses "
        "all their time for each move and is answered at once. Then their first 3 deadlines are:",
        "Wed 11 March 2026, 00:00 Europe/Berlin (UTC+1)",
        "Thu 12 March 2026, 00:00 Europe/Berlin (UTC+1)",
        "Fri 13 March 2026, 00:00 Europe/Berlin (UTC+1)",
    ]


def test_a_game_with_simultaneous_orders() -> None:
    game = terms("daily 02:30", simultaneous=True, weekends="off", delay="30m", grace="0")
    begins = when("2026-03-26 12:00")
    assert [*what_holds(game, begins), *example(game, begins, ZoneInfo("Asia/Kathmandu"))] == [
        "Orders are due every day at 02:30, Europe/Berlin time; the first such moment at least 12 hours "
        "after the turn began counts.",
        "When clocks are changed, 02:30 may not exist, and is then later by what is skipped, or come "
        "twice, and then the second counts.",
        "Nothing is due on Saturdays and Sundays in Europe/Berlin.",
        "Each player has 30 days of vacation a year. A moment in it does not count, nor one "
        "before which it took more than half of the time.",
        "A player is given back the time in which the server was down or its mail did not reach them.",
        "Once all orders are in, they can still be changed for 30 minutes, but not beyond the deadline.",
        "Orders that come after the deadline are too late.",
        "A turn is played without the orders that are later than that. A player who is too late 3 turns "
        "in a row has lost, or leaves the game where the others play on.",
        "For example: the game begins on Thu 26 March 2026, 17:45 Asia/Kathmandu (UTC+5:45), and a player "
        "uses all their time for each move and is answered at once. Then their first 3 deadlines are:",
        "Fri 27 March 2026, 07:15 Asia/Kathmandu (UTC+5:45)",
        "Mon 30 March 2026, 06:15 Asia/Kathmandu (UTC+5:45)",
        "Tue 31 March 2026, 06:15 Asia/Kathmandu (UTC+5:45)",
    ]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "A player who is later than that has lost, or leaves the game where the others play on."),
        (
            {"timeout": "claim"},
            "When a player is later than that, an opponent may claim the game; until one does, the late "
            "move is still taken.",
        ),
        ({"grace": "0"}, "A move that comes after the deadline is too late."),
        ({"grace": "12h"}, "A move that comes within 12 hours after the deadline is still taken."),
    ],
)
def test_what_is_said_of_a_sequential_game(options: dict[str, str], sentence: str) -> None:
    assert sentence in what_holds(terms(simultaneous=False, **options), NOW)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"timeout": "claim"},
            "A turn is played without the orders that are later than that. When a player is too late 3 "
            "turns in a row, an opponent may claim the game; until one does, the turn waits for the "
            "orders.",
        ),
        (
            {"misses": "1"},
            "A player who is later than that has lost, or leaves the game where the others play on.",
        ),
        (
            {"misses": "1", "timeout": "claim"},
            "When a player is later than that, an opponent may claim the game; until one does, the turn "
            "waits for the orders.",
        ),
        ({"grace": "2h"}, "Orders that come within 2 hours after the deadline are still taken."),
    ],
)
def test_what_is_said_of_simultaneous_orders(options: dict[str, str], sentence: str) -> None:
    assert sentence in what_holds(terms(simultaneous=True, **options), NOW)


def test_nothing_is_said_that_does_not_concern_the_game() -> None:
    said = " ".join(what_holds(terms("daily 20:00", simultaneous=True), NOW))
    assert "may not exist" not in said
    assert "Saturdays" not in said
    assert "can still be changed" not in said


def test_a_game_without_deadlines() -> None:
    assert what_holds(terms("none"), NOW) == ["There is no deadline."]
    assert example_deadlines(terms("none"), NOW, BERLIN) == []
    assert what_holds(terms("none", simultaneous=True, delay="1h"), NOW) == [
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
def test_the_example(time: str, steps: list[object]) -> None:
    moments = example_deadlines(terms(time, simultaneous=":" in time), when("2026-03-01 12:00"), BERLIN)
    assert [later - earlier for earlier, later in pairwise([NOW, *moments])] == steps
