"""The tree search: it plays any game, wins if it finds a win, and stays within its budget and its memory."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from rules.bots.players import think
from rules.bots.thinking import MOST_WEIGHED, Budget, Meter, Thought
from rules.bots.tree import Manner, Tree
from rules.game import Json
from rules.registry import RULES
from rules.strengths import STRENGTHS, Strength
from tests.support.rules.every_game import every_game, sampled
from tests.support.rules.random_games import AnyRules, first_position
from tests.support.rules.toy_games import Heap, Race, Toy, Track, Waiting
from tests.support.rules.winning_positions import won_at_once


def thought(
    rules: AnyRules, position: Any, seat: int, *, nodes: int, seats: int = 2, seed: int = 0, kept: int = 10_000
) -> Thought[Any]:
    tree = Tree(rules, position, seats, random.Random(seed).randrange, Manner(most_kept=kept))
    tree.search(Meter(Budget(nodes)))
    return tree.thought(seat)


@pytest.mark.sample(4)
@every_game
def test_tree_search_moves_are_legal_and_deterministic(rules: AnyRules, options: Json) -> None:
    seats = len(rules.seats(options))
    asked = [step.before for step in sampled(rules, options, wanted=3) if rules.forced(step.before) is None]
    for position in asked:
        for seat in rules.to_move(position):
            first, second = (thought(rules, position, seat, nodes=25, seats=seats) for _ in range(2))
            assert first == second
            for considered in first.considered[:3]:
                text = rules.format(considered.move)
                assert rules.parse(position, seat, text) == considered.move


@won_at_once
def test_tree_search_wins_when_it_can(rules: AnyRules, position: Any) -> None:
    (seat,) = rules.to_move(position)
    after = [rules.play(position, {seat: move}) for move in rules.moves(position, seat)]
    assert not all(map(rules.result, after)), "some moves do not win"
    result = rules.result(rules.play(position, {seat: thought(rules, position, seat, nodes=300).move}))
    assert result
    assert result.winners == (seat,)


class Plenty(Waiting):
    """A game in which one of forty moves wins, and all others look as good."""

    def moves(self, position: Heap, seat: int, only: str = "") -> Iterator[int]:
        yield from range(40) if seat == 0 else (0,)

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(0 if moves.get(0) == 23 else 1000 + position.stones, 1 - position.to_move)


@pytest.mark.parametrize("nodes", [30, 300])
def test_tree_search_wins_now_although_every_position_looks_won(nodes: int) -> None:
    assert thought(Plenty(), Heap(1000), 0, nodes=nodes).move == 23


def test_tree_search_wins_soon_although_every_position_looks_won() -> None:
    assert thought(Waiting(), Heap(6), 0, nodes=300).move == 3


class Orders(Toy):
    """A game of one turn in which both seats give one of a thousand secret orders.

    The first seat wins with one in fifty of its orders.
    """

    def to_move(self, position: Heap) -> tuple[int, ...]:
        return (0, 1) if position.stones else ()

    def moves(self, position: Heap, seat: int, only: str = "") -> Iterator[int]:
        yield from range(1000)

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(0, to_move=int(moves[0] % 50 == 0))


def test_hundreds_of_orders_are_compared_before_some_are_considered() -> None:
    found = thought(Orders(), Heap(1), 0, nodes=30)
    assert sum(each.visits > 0 for each in found.considered) < 10
    assert len({each.move for each in found.considered}) == len(found.considered) == MOST_WEIGHED
    assert found.move % 50 == 0


class Wide(Toy):
    """A game with 225 moves, of which one has the best estimate."""

    def moves(self, position: Heap, seat: int, only: str = "") -> Iterator[int]:
        yield from range(1, 226)

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(1000 + moves[position.to_move], 1 - position.to_move)

    def evaluate(self, position: Heap) -> tuple[float, float]:
        return (0.9, 0.1) if position.stones == 1123 else (0.5, 0.5)


def test_all_moves_of_a_large_board_are_compared_before_some_are_considered() -> None:
    found = thought(Wide(), Heap(1000), 0, nodes=400)
    assert sum(each.visits > 1 for each in found.considered) < 10
    assert found.move == 123


@pytest.mark.parametrize("nodes", [1, 30, 400])
def test_computer_player_that_errs_chooses_between_as_many_moves_at_each_level(nodes: int) -> None:
    considered = thought(Wide(), Heap(1000), 0, nodes=nodes).considered
    assert len({each.move for each in considered}) == len(considered) == MOST_WEIGHED
    assert considered[0].move == 123
    assert {each.value for each in considered if each.visits == 1} <= {0.5}


@pytest.mark.parametrize("strength", STRENGTHS[:3])
@pytest.mark.parametrize("options", [{"size": 8}, {"size": 15}])
def test_low_level_considers_several_moves_of_a_large_board(strength: Strength, options: Json) -> None:
    """Even if a position has more moves than a level searches positions, it must compare some of them."""
    rules = RULES["nebuchadnezzar"]
    position = first_position(rules, rules.options(options))
    found = think(rules, position, 0, 2, replace(strength, error=0), random.Random(1).randrange)
    assert 3 <= sum(each.visits > 1 for each in found.considered) <= 20
    assert strength.nodes <= found.nodes < 1.2 * strength.nodes


@pytest.mark.parametrize(("stones", "best"), [(6, 2), (7, 3), (9, 1), (10, 2)])
def test_tree_search_leaves_a_losing_heap(stones: int, best: int) -> None:
    found = thought(Toy(), Heap(stones), 0, nodes=2000)
    assert found.move == best
    assert found.considered[0].value > 0.8
    assert found.considered[0].reply in (1, 2, 3)


def test_tree_search_maximizes_for_each_of_three_seats() -> None:
    found = thought(Race(), Track((14, 0, 19), to_move=0, die=6), 0, nodes=200, seats=3)
    assert Race().result(Race().play(Track((14, 0, 19), to_move=0, die=6), {0: found.move}))


def test_tree_search_rolls_missing_dice() -> None:
    tree = Tree(Race(), Track((19, 0, 0)), 3, random.Random(1).randrange)
    tree.search(Meter(Budget(300)))
    shares = tree.values()
    assert shares[0] > 0.8
    assert sum(shares) == pytest.approx(1, abs=0.01)


class Guess(Toy):
    """A game that always has the same estimate."""

    def evaluate(self, position: Heap) -> tuple[float, float]:
        return 0.6, 0.4


class HalfGuess(Guess):
    """The same, with random games counting as much as the estimate."""

    playout_share = 0.5


def test_tree_search_uses_the_estimate_of_the_rules() -> None:
    shares = Tree(Guess(), Heap(9), 2, random.Random(1).randrange).values()
    assert shares == pytest.approx((0.6, 0.4), abs=0.01)


def test_weight_of_random_games_comes_from_the_rules() -> None:
    below = random.Random(1).randrange
    found = {round(Tree(HalfGuess(), Heap(9), 2, below).values()[0], 2) for _ in range(40)}
    assert found == {0.3, 0.8}


def test_tree_search_respects_its_budget() -> None:
    tree = Tree(Toy(), Heap(50), 2, random.Random(1).randrange)
    meter = Meter(Budget(100))
    tree.search(meter)
    assert meter.spent == 100


def test_clock_ends_tree_search() -> None:
    moments: Callable[[], float] = iter(range(1000)).__next__
    meter = Meter(Budget(seconds=5), moments)
    Tree(Toy(), Heap(50), 2, random.Random(1).randrange).search(meter)
    assert 0 < meter.spent <= 5


def test_tree_search_plays_well_within_its_memory_limit() -> None:
    tree = Tree(Toy(), Heap(30), 2, random.Random(1).randrange, Manner(most_kept=50))
    meter = Meter(Budget(3000))
    tree.search(meter)
    assert 50 <= tree.kept < 70
    assert meter.spent < 60
    assert thought(Toy(), Heap(6), 0, nodes=3000, kept=400).move == 2


class Lone(Toy):
    """A game that counts how often a move was played in the search."""

    def __init__(self) -> None:
        self.played = 0

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        self.played += 1
        return super().play(position, moves)


def test_tree_search_plays_an_only_move_immediately() -> None:
    game_type = Lone()
    assert thought(game_type, Heap(1), 0, nodes=10_000).move == 1
    assert game_type.played < 10


def test_processor_time_ends_tree_search() -> None:
    seconds: Callable[[], float] = iter(range(1000)).__next__
    meter = Meter(Budget(work=5), work_clock=seconds)
    Tree(Toy(), Heap(50), 2, random.Random(1).randrange).search(meter)
    assert 0 < meter.spent <= 5


def test_processor_time_is_measured() -> None:
    meter = Meter(Budget(nodes=10_000_000, work=0.02))
    while not meter.is_empty:
        meter.spend()
    assert meter.spent < 10_000_000


def test_budget_has_positions_or_seconds() -> None:
    with pytest.raises(ValueError, match="nodes or seconds"):
        Budget()
