"""Fast random games of the rules are the same as turn by turn, draw by draw."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.game import Json
from rules.games.nardshir.position import Position
from rules.playout import play_out, play_turns
from rules.registry import RULES
from tests.support.rules.every_game import every_game, sampled
from tests.support.rules.positions import nardshir, nebuchadnezzar, nexus
from tests.support.rules.random_games import AnyRules, first_position
from tests.support.rules.toy_games import Heap, Toy


class Draws:
    """Draws by a seed, with a log of questions and answers."""

    def __init__(self, seed: int) -> None:
        self._below = random.Random(seed).randrange
        self.drawn: list[tuple[int, int]] = []

    def __call__(self, limit: int) -> int:
        found = self._below(limit)
        self.drawn.append((limit, found))
        return found


def assert_same(rules: AnyRules, position: Any, seed: int, most: int = 1000) -> None:
    alone, by_turns = Draws(seed), Draws(seed)
    assert rules.playout(position, alone, most) == play_turns(rules, position, by_turns, most)
    assert alone.drawn == by_turns.drawn


own = pytest.mark.parametrize(
    ("rules", "options"),
    [
        pytest.param(rules, rules.options(variant), id="-".join([rules.name, *map(str, variant.values())]))
        for rules in RULES.values()
        for variant in rules.variants
    ],
)


@own
def test_complete_games_are_equal(rules: AnyRules, options: Json) -> None:
    for number in range(4):
        assert_same(rules, first_position(rules, options, number), number)


@pytest.mark.sample(3)
@own
def test_unfinished_games_are_equal_up_to_the_limit(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options, wanted=10):
        for most in (0, 1, 2, 3, 1000):
            assert_same(rules, step.before, most, most)


STUCK = "bbbb bbbw bbbw bbbw"
"""White has to pass, then Black wins."""
EMPTY = (0,) * 26


def seen_twice() -> tuple[str, ...]:
    """Return the memory if the position after White's pass has come up twice."""
    passed = nebuchadnezzar.after(nebuchadnezzar.position(STUCK), "pass")
    last = nebuchadnezzar.after(passed, "xd1-d3").earlier[-1]
    return last, last


@pytest.mark.parametrize(
    ("rules", "position", "reasons"),
    [
        (
            nebuchadnezzar.NEBUCHADNEZZAR,
            nebuchadnezzar.position("bbbb bbbb bbbb bbb.", to_move=0, ply=15),
            {"blocked"},
        ),
        (nebuchadnezzar.NEBUCHADNEZZAR, nebuchadnezzar.position(STUCK, ply=16), {"annihilation"}),
        (nebuchadnezzar.NEBUCHADNEZZAR, nebuchadnezzar.position(STUCK, memory=seen_twice()), {"repetition"}),
        (nexus.NEXUS, nexus.position("m13"), {"repetition"}),
        (nexus.NEXUS, nexus.replayed(nexus.position("m13"), *nexus.TO_AND_FRO), {"repetition"}),
        (nexus.NEXUS, nexus.position("m13", quiet=97), {"standstill"}),
        (nardshir.NARDSHIR, nardshir.board({}, {}, quiet=597), {"standstill"}),
        (nardshir.NARDSHIR, Position((EMPTY, EMPTY), dice=(1, 2)), {"blocked"}),
    ],
)
def test_rare_ends_are_equal(rules: AnyRules, position: Any, reasons: set[str]) -> None:
    ends = set()
    for seed in range(60):
        assert_same(rules, position, seed)
        result, _ = play_out(rules, position, Draws(seed))
        assert result
        ends.add(result.reason)
    assert reasons <= ends


@every_game
def test_every_game_type_is_played_out(rules: AnyRules, options: Json) -> None:
    for step in sampled(rules, options, wanted=3):
        draws = Draws(1)
        result, turns = play_out(rules, step.before, draws)
        assert result
        assert turns > 0
        assert play_out(rules, step.before, Draws(1)) == (result, turns)


def test_finished_game_is_not_played_on() -> None:
    assert play_out(Toy(), Heap(0), Draws(1)) == (Toy().result(Heap(0)), 0)


def test_too_long_game_has_no_result() -> None:
    assert play_out(Toy(), Heap(10), Draws(1), 2) == (None, 2)
