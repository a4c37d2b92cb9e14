"""The five levels, and their estimates of positions."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from rules.bots.players import estimate, think
from rules.bots.thinking import Budget
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


def test_low_level_overlooks_moves() -> None:
    below = random.Random(1).randrange
    moves = [think(Toy(), Heap(3), 0, 2, Strength(100, overlooks=0.5), below).move for _ in range(40)]
    assert set(moves) == {1, 2, 3}
    assert 10 < moves.count(3) < 30
    assert {think(Toy(), Heap(3), 0, 2, Strength(100), below).move for _ in range(10)} == {3}


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


def test_each_level_searches_more_than_the_one_below() -> None:
    assert len(STRENGTHS) == len(LEVELS) == len(NAMES)
    nodes = [strength.nodes for strength in STRENGTHS]
    assert nodes == sorted(set(nodes))


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
