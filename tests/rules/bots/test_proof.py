"""Proofs find the same as a plain search of everything."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import islice
from typing import Any

import pytest

from rules.bots.players import think
from rules.bots.proof import proven
from rules.bots.thinking import Budget, Meter
from rules.registry import RULES
from rules.strengths import STRENGTHS
from tests.support.random_values import seeds
from tests.support.rules.perfect_play import GAMES, followers, late, mover, worth
from tests.support.rules.toy_games import Heap, Race, Toy, Track, Waiting

STRONGEST = -1


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("part", seeds(1, of=3))
@pytest.mark.parametrize(
    ("name", "options", "left"),
    [("nebuchadnezzar", {"size": 4}, 5), ("nibble", {}, 9), ("nibble", {"board": "hex-13"}, 9)],
)
def test_strongest_level_plays_solved_positions_perfectly(
    name: str, options: dict[str, object], left: int, part: int
) -> None:
    """Tests 20 positions, which makes 60 in all parts."""
    rules, below = RULES[name], random.Random(1).randrange
    strongest = STRENGTHS[STRONGEST].by_nodes()
    tried = hard = 0
    for position in islice(late(rules, options, left, part * GAMES), 20):
        known: dict[Any, float] = {}
        best, seat = worth(rules, position, known), mover(rules, position)
        move = think(rules, position, seat, 2, strongest, below).move
        after = rules.play(position, {seat: move})
        assert worth(rules, after, known) == best
        hard += any(worth(rules, each, known) != best for each in followers(rules, position, seat))
        tried += 1
    assert tried == 20
    assert hard > 2, "in many positions some moves are worse"


@pytest.mark.parametrize("stones", range(1, 30))
def test_exact_search_solves_a_heap(stones: int) -> None:
    found = proven(Toy(), Heap(stones), 0, Meter(Budget(100_000)))
    assert found is not None
    assert found.value == bool(stones % 4)
    if stones % 4:
        assert found.move == stones % 4


def test_exact_search_claims_nothing_unsearched() -> None:
    assert proven(Toy(), Heap(30), 0, Meter(Budget(20))) is None


def test_exact_search_returns_none_with_dice() -> None:
    assert proven(Race(), Track(die=3), 0, Meter(Budget(1000))) is None
    nelaxtam = RULES["nelaxtam"]
    start = nelaxtam.start(nelaxtam.options({}), {})
    assert proven(nelaxtam, start, 0, Meter(Budget(1000))) is None


@pytest.mark.parametrize("stones", [2, 3, 6, 9])
def test_exact_search_wins_as_soon_as_possible(stones: int) -> None:
    found = proven(Waiting(), Heap(stones), 0, Meter(Budget(100_000)))
    assert found is not None
    assert (found.move, found.value) == (min(stones, 3), 1)


@pytest.mark.parametrize("stones", [4, 7])
def test_exact_search_loses_as_late_as_possible(stones: int) -> None:
    """Without the stone that it may take, the winner would need a turn less."""
    found = proven(Waiting(), Heap(stones, to_move=1), 1, Meter(Budget(100_000)))
    assert found is not None
    assert (found.move, found.value) == (0, 0)


class Endless(Toy):
    """A game in which the heap grows for ever."""

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(position.stones + 1, 1 - position.to_move)


def test_exact_search_ends_in_endless_games() -> None:
    assert proven(Endless(), Heap(3), 0, Meter(Budget(100_000))) is None
