"""The five levels, and their estimates of positions."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from rules import driver
from rules.bots.players import estimate, think
from rules.bots.thinking import Budget
from rules.chance import Chance
from rules.game import Json
from rules.strengths import LEVELS, NAMES, STRENGTHS, Strength, level_of
from tests.support.rules.every_game import every_game, sampled
from tests.support.rules.random_games import AnyRules, first_position
from tests.support.rules.toy_games import Heap, Toy


@pytest.mark.sample(4)
@every_game
def test_every_level_makes_legal_moves(rules: AnyRules, options: Json) -> None:
    below, seats = random.Random(3).randrange, len(rules.seats(options))
    asked = [step.before for step in sampled(rules, options, wanted=3) if rules.forced(step.before) is None]
    for number, position in enumerate(asked):
        strength = replace(STRENGTHS[number % len(LEVELS)], nodes=20, work=None, proves=50)
        for seat in rules.to_move(position):
            move = think(rules, position, seat, seats, strength, below).move
            assert rules.parse(position, seat, rules.format(move)) == move


def played(stones: int, error: float) -> list[int]:
    """Return 40 moves of a player with this error in a heap of so many stones."""
    below, strength = random.Random(1).randrange, Strength(100, error=error)
    return [think(Toy(), Heap(stones), 0, 2, strength, below).move for _ in range(40)]


def test_player_that_errs_often_makes_other_moves_than_the_best() -> None:
    assert set(played(5, error=0)) == {1}
    assert set(played(5, error=10)) == {1, 2, 3}
    assert 15 < played(5, error=10).count(1) < played(5, error=2).count(1) < 40


@pytest.mark.parametrize("strength", STRENGTHS)
def test_every_level_rarely_misses_a_win_with_the_next_move(strength: Strength) -> None:
    assert played(3, strength.error).count(3) >= 38


@pytest.mark.parametrize("strength", STRENGTHS[2:])
def test_higher_level_rarely_makes_a_move_that_loses_immediately(strength: Strength) -> None:
    assert played(6, strength.error).count(3) <= 4


@pytest.mark.sample(4)
@every_game
def test_errors_are_the_same_with_the_same_draws(rules: AnyRules, options: Json) -> None:
    position, seats = first_position(rules, options), len(rules.seats(options))
    position, _ = driver.begin(rules, position, lambda count: [1] * count)
    strength = Strength(5, error=3)

    def answers() -> list[str]:
        draws = (Chance(bytes(32), f"draws {number}").below for number in range(4))
        seat = rules.to_move(position)[0]
        return [rules.format(think(rules, position, seat, seats, strength, below).move) for below in draws]

    assert answers() == answers()


@pytest.mark.parametrize("strength", STRENGTHS)
def test_computer_player_moves_without_any_time(strength: Strength) -> None:
    thought = think(Toy(), Heap(9), 0, 2, strength, random.Random(1).randrange, seconds=0, clock=lambda: 0.0)
    assert thought.move in (1, 2, 3)


def test_proof_and_search_share_the_time() -> None:
    """On a clock that advances by a second with each look, a proof that fails leaves half of the time."""
    looks = itertools.count()
    strength = Strength(10**6, proves=10**6)
    think(Toy(), Heap(500), 0, 2, strength, random.Random(1).randrange, seconds=100, clock=lambda: next(looks))
    assert 90 <= next(looks) <= 110


def test_each_level_searches_more_and_errs_less_than_the_one_below() -> None:
    assert len(STRENGTHS) == len(LEVELS) == len(NAMES)
    for lower, higher in itertools.pairwise(STRENGTHS):
        assert lower.nodes < higher.nodes
        assert lower.error > higher.error
    assert STRENGTHS[-1].error == 0


@every_game
def test_estimates_add_up_to_one(rules: AnyRules, options: Json) -> None:
    seats = len(rules.seats(options))
    positions = [first_position(rules, options), *(step.before for step in sampled(rules, options, wanted=3))]
    for position in positions:
        shares = estimate(rules, position, seats, random.Random(1).randrange, Budget(20))
        assert len(shares) == seats
        assert min(shares) >= 0
        assert sum(shares) == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(
    ("text", "level"), [("1", 1), ("berossus", 5), (" Enkidu ", 2), ("0", None), ("six", None), ("", None)]
)
def test_levels_have_numbers_and_names(text: str, level: int | None) -> None:
    assert level_of(text) == level
