"""The best-first search: it finds refutations, weighs dice, and stays within its budget and its memory."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from rules.bots.lookahead import Lookahead, Sight, throws
from rules.bots.thinking import Budget, Meter, Thought
from rules.registry import RULES
from rules.result import Result
from tests.support.rules.random_games import AnyRules, random_game
from tests.support.rules.toy_games import Heap, Race, Toy, Track, Waiting
from tests.support.rules.winning_positions import won_at_once

LOOKING_AHEAD = [name for name, rules in RULES.items() if rules.looks_ahead]


def thought(
    rules: AnyRules, position: Any, seat: int, *, looks: int, seats: int = 2, sight: Sight | None = None
) -> Thought[Any]:
    search = Lookahead(rules, position, seats, random.Random(1).randrange, sight)
    search.search(Meter(Budget(looks)))
    return search.thought(seat)


@pytest.mark.parametrize("name", LOOKING_AHEAD)
@pytest.mark.parametrize("looks", [1, 500])
def test_lookahead_moves_are_legal_and_deterministic(name: str, looks: int) -> None:
    rules = RULES[name]
    steps = list(random_game(rules, rules.options({}), 1))
    position = steps[len(steps) // 2].before
    (seat,) = rules.to_move(position)
    first, second = (
        thought(rules, position, seat, looks=looks, sight=Sight.for_looks(looks)) for _ in range(2)
    )
    assert first == second
    for considered in first.considered[:3]:
        assert rules.allows(position, seat, rules.format(considered.move))


@won_at_once
def test_lookahead_wins_when_it_can(rules: AnyRules, position: Any) -> None:
    (seat,) = rules.to_move(position)
    result = rules.result(rules.play(position, {seat: thought(rules, position, seat, looks=3000).move}))
    assert result
    assert result.winners == (seat,)


@pytest.mark.parametrize(("stones", "best"), [(6, 2), (7, 3), (9, 1), (10, 2)])
def test_lookahead_leaves_a_losing_heap(stones: int, best: int) -> None:
    found = thought(Toy(), Heap(stones), 0, looks=2000)
    assert found.move == best
    assert found.considered[0].value > 0.8
    assert found.considered[0].reply in (1, 2, 3)


@pytest.mark.parametrize("stones", [3, 6, 9])
def test_lookahead_wins_soon_although_every_position_looks_won(stones: int) -> None:
    assert thought(Waiting(), Heap(stones), 0, looks=500).move == 3


def test_lookahead_wins_a_game_of_three_seats_when_it_can() -> None:
    position = Track((14, 0, 19), to_move=0, die=6)
    found = thought(Race(), position, 0, looks=200, seats=3)
    assert Race().result(Race().play(position, {0: found.move}))


def test_longer_search_gets_to_many_more_positions() -> None:
    sights = {looks: Sight.for_looks(looks) for looks in (1_500, 5_000, 20_000)}
    reached = [(looks - sight.first) / sight.later for looks, sight in sights.items()]
    assert reached[1] > 2 * reached[0]
    assert reached[2] > 3 * reached[1]


def test_lookahead_weighs_dice_by_probability() -> None:
    assert [dice for dice, _ in throws(1)] == [(1,), (2,), (3,), (4,), (5,), (6,)]
    chances = dict(throws(2))
    assert len(chances) == 21
    assert chances[1, 2] == pytest.approx(2 * chances[2, 2])
    assert sum(chances.values()) == pytest.approx(1)
    search = Lookahead(Race(), Track((17, 0, 0)), 3, random.Random(1).randrange)
    search.search(Meter(Budget(13)))
    assert search.values()[0] == pytest.approx(4 / 6 + 2 / 6 / 3), "a 3 or more wins, otherwise all are equal"


class Crowd(Toy):
    """A game in which one of two hundred replies refutes every move but one."""

    def moves(self, position: Heap, seat: int, only: str = "") -> Iterator[int]:
        yield from range(200)

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        ((seat, move),) = moves.items()
        if seat == 1:
            return Heap(0 if move == position.stones else 5000, 0)
        return Heap(2000 if move == 7 else move + 1, 1)

    def evaluate(self, position: Heap) -> tuple[float, float]:
        return 0.5, 0.5


def test_lookahead_finds_the_one_refutation_among_many() -> None:
    sight = Sight(later=200, width=100)
    assert thought(Crowd(), Heap(1), 0, looks=45_000, sight=sight).move == 7


class Truce(Toy):
    """The first seat can also agree on a draw, which looks better than other moves."""

    def moves(self, position: Heap, seat: int, only: str = "") -> Iterator[int]:
        yield from super().moves(position, seat)
        if seat == 0:
            yield 0

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(-1) if not moves[position.to_move] else super().play(position, moves)

    def result(self, position: Heap) -> Result | None:
        return Result((0, 1), "agreed-draw") if position.stones < 0 else super().result(position)

    def evaluate(self, position: Heap) -> tuple[float, float]:
        return 0.45, 0.55


def test_lookahead_searches_other_moves_than_a_draw_that_looks_best() -> None:
    found = thought(Truce(), Heap(6), 0, looks=2000)
    assert found.move == 2
    assert found.considered[0].value > 0.8


def test_lookahead_respects_its_budget() -> None:
    search = Lookahead(Toy(), Heap(50), 2, random.Random(1).randrange)
    meter = Meter(Budget(100))
    search.search(meter)
    assert 100 <= meter.spent <= 103


def test_value_of_a_move_with_unsearched_replies_is_kept() -> None:
    found = thought(Crowd(), Heap(1), 0, looks=500, sight=Sight(later=200))
    assert sum(each.value < 0.1 for each in found.considered) == 1, "the replies to a second move are cut short"
    assert {each.value for each in found.considered if each.value > 0.1} == {0.5}


def test_excess_is_the_average_loss_of_moves_whose_replies_were_searched() -> None:
    found = thought(Toy(), Heap(9), 0, looks=2000)
    assert {each.visits > 1 for each in found.considered} == {True}
    assert found.excess == pytest.approx(sum(0.5 - each.value for each in found.considered) / 3)
    assert thought(Toy(), Heap(9), 0, looks=3).excess == 0


def test_lookahead_respects_its_memory_limit() -> None:
    search = Lookahead(Crowd(), Heap(1), 2, random.Random(1).randrange, Sight(later=20, most_kept=500))
    search.search(Meter(Budget(1_000_000)))
    assert 500 <= search.kept < 530


def test_lookahead_plays_an_only_move_immediately() -> None:
    meter = Meter(Budget(10_000))
    search = Lookahead(Toy(), Heap(1), 2, random.Random(1).randrange)
    search.search(meter)
    assert search.thought(0).move == 1
    assert meter.spent < 10
