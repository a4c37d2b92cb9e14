"""The options of a game about time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock.controls import PerMove
from server.clock.errors import BadTime
from server.clock.spans import DAY, HOUR
from server.clock.terms import OPTIONS, Consequence, Terms, Timeout
from tests.support.server.time_controls import BERLIN, terms


def test_default_terms() -> None:
    assert Terms.from_options({}, BERLIN, simultaneous=False) == Terms(
        PerMove(3 * DAY), False, weekends=True, grace=HOUR, delay=timedelta(), misses=3, timeout=Timeout.LOSE
    )


def test_all_options_of_a_game_with_simultaneous_orders() -> None:
    options = {
        "time": "mon, thu 18:00",
        "weekends": "Off",
        "grace": "12h",
        "timeout": "claim",
        "delay": "1h",
        "misses": 2,
    }
    game = Terms.from_options(options, BERLIN, simultaneous=True)
    assert game.to_json() == {
        "time": "mon,thu 18:00 Europe/Berlin",
        "weekends": "off",
        "grace": "12h",
        "timeout": "claim",
        "delay": "1h",
        "misses": "2",
        "simultaneous": True,
    }
    assert tuple(options) == OPTIONS


def test_sequential_game_stores_only_its_own_terms() -> None:
    assert terms("7d+1d").to_json() == {
        "time": "7d+1d/14d",
        "weekends": "on",
        "grace": "1h",
        "timeout": "lose",
        "simultaneous": False,
    }


@given(
    time=st.sampled_from(["3d", "7d+1d/14d", "daily 20:00 Asia/Kathmandu", "mon,sat 02:30 UTC"]),
    weekends=st.sampled_from(["on", "off"]),
    grace=st.sampled_from(["0", "12h", "1d"]),
    timeout=st.sampled_from(["lose", "claim"]),
    delay=st.sampled_from(["0", "30m"]),
    misses=st.integers(1, 9).map(str),
)
def test_terms_read_back_from_json(**options: str) -> None:
    game = Terms.from_options(options, BERLIN, simultaneous=True)
    assert game.to_json() == options | {"simultaneous": True}
    assert Terms.from_json(game.to_json()) == game


@pytest.mark.parametrize("time", ["3d", "7d+1d", "none"])
def test_terms_of_sequential_games_read_back_from_json(time: str) -> None:
    assert Terms.from_json(terms(time).to_json()) == terms(time)


NO_EFFECT = "would have no effect, because"


@pytest.mark.parametrize(
    ("options", "simultaneous", "message"),
    [
        (
            {"speed": "fast"},
            False,
            "“speed” is not an option about time; those are: time, weekends, grace, timeout, delay, misses.",
        ),
        ({"grace": "2d"}, False, "“grace” must be at most 1 day; 2 days is too long."),
        ({"grace": "soon"}, False, "“soon” is not a length of time; write 3d, 12h or 1w."),
        ({"delay": "61m"}, True, "“delay” must be at most 1 hour; 1 hour and 1 minute is too long."),
        (
            {"weekends": "some"},
            False,
            "“some” is not a choice for “weekends”; write weekends=on or weekends=off.",
        ),
        (
            {"timeout": "win"},
            False,
            "“win” is not a choice for “timeout”; write timeout=lose or timeout=claim.",
        ),
        (
            {"misses": "0"},
            True,
            "“0” is not a number of turns to miss; write misses=3, or another from 1 to 9.",
        ),
        (
            {"misses": ""},
            True,
            "“” is not a number of turns to miss; write misses=3, or another from 1 to 9.",
        ),
        (
            {"time": "daily 20:00"},
            False,
            "A fixed time is for games with simultaneous orders; write time=3d or time=7d+1d/14d.",
        ),
        ({"delay": "1h"}, False, f"“delay” {NO_EFFECT} this game has no simultaneous orders; leave it out."),
        ({"misses": "2"}, False, f"“misses” {NO_EFFECT} this game has no simultaneous orders; leave it out."),
        (
            {"time": "none", "grace": "2h"},
            True,
            f"“grace” {NO_EFFECT} there is no deadline; leave it out.",
        ),
        (
            {"time": "none", "weekends": "off"},
            True,
            f"“weekends” {NO_EFFECT} there is no deadline; leave it out.",
        ),
        (
            {"time": "sat,sun 20:00", "weekends": "off"},
            True,
            "“sat,sun 20:00 Europe/Berlin” is always on a weekend; name another day, or let time run at "
            "weekends: weekends=on.",
        ),
    ],
)
def test_impossible_terms_are_refused(options: dict[str, object], simultaneous: bool, message: str) -> None:
    with pytest.raises(BadTime) as problem:
        Terms.from_options(options, BERLIN, simultaneous=simultaneous)
    assert str(problem.value) == message


def test_option_without_effect_may_have_its_default() -> None:
    everything = {
        "time": "none",
        "weekends": "on",
        "grace": "1h",
        "delay": "0",
        "misses": "3",
        "timeout": "lose",
    }
    assert Terms.from_options(everything, BERLIN, simultaneous=False) == terms("none")


@pytest.mark.parametrize(
    ("options", "simultaneous", "misses", "follows"),
    [
        ({}, False, 0, Consequence.LOSE),
        ({"timeout": "claim"}, False, 0, Consequence.CLAIM),
        ({}, True, 0, Consequence.MISS),
        ({}, True, 1, Consequence.MISS),
        ({}, True, 2, Consequence.LOSE),
        ({"timeout": "claim"}, True, 2, Consequence.CLAIM),
        ({"misses": "1"}, True, 0, Consequence.LOSE),
    ],
)
def test_consequence_of_a_timeout(
    options: dict[str, str], simultaneous: bool, misses: int, follows: Consequence
) -> None:
    assert terms(simultaneous=simultaneous, **options).overdue(misses) is follows
