"""Proofs find the same as a plain search of everything."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import pytest

from rules.bots.players import think
from rules.bots.proof import proven
from rules.bots.thinking import Budget, Meter
from rules.registry import RULES
from rules.result import Result
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


@pytest.mark.parametrize(("stones", "seat"), [(9, 0), (7, 1)])
def test_proof_remains_if_the_budget_ends_before_the_soonest_win_is_found(stones: int, seat: int) -> None:
    start = Heap(stones, to_move=seat)
    complete = proven(Waiting(), start, seat, Meter(Budget(100_000)))
    fewest = next(nodes for nodes in range(100_000) if proven(Waiting(), start, seat, Meter(Budget(nodes))))
    found = proven(Waiting(), start, seat, Meter(Budget(fewest)))
    assert complete is not None
    assert found is not None
    assert found.visits < complete.visits
    assert found.value == complete.value == (1 if seat == 0 else 0)
    assert found.move in Waiting().moves(start, seat)


class Bushy(Toy):
    """A game of ten turns that the first seat always wins, and in which no position can be reached twice."""

    def moves(self, position: Heap, seat: int, only: str = "") -> Iterator[int]:
        return iter(range(6 if seat == 0 else 2))

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(6 * position.stones + moves[position.to_move], 1 - position.to_move)

    def result(self, position: Heap) -> Result | None:
        return Result((0,), "last-stone") if position.stones >= 6**10 else None

    def to_move(self, position: Heap) -> tuple[int, ...]:
        return () if self.result(position) else (position.to_move,)


def test_search_for_the_soonest_win_is_limited() -> None:
    """The proof tries one of six moves of the winner at each turn; to find no sooner win, all must be tried."""
    found = proven(Bushy(), Heap(1), 0, Meter(Budget(100_000)))
    assert found is not None
    assert found.value == 1
    assert found.visits < 12_000


def test_search_for_the_soonest_win_keeps_the_moves_of_positions() -> None:
    """A position has up to three moves. The proof may play them twice, and the search for all depths once."""
    played = Counter[Heap]()

    class Counted(Waiting):
        def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
            played[position] += 1
            return super().play(position, moves)

    assert proven(Counted(), Heap(12), 0, Meter(Budget(100_000)))
    assert max(played.values()) <= 3 * 3


class Endless(Toy):
    """A game in which the heap grows for ever."""

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(position.stones + 1, 1 - position.to_move)


def test_exact_search_ends_in_endless_games() -> None:
    assert proven(Endless(), Heap(3), 0, Meter(Budget(100_000))) is None
