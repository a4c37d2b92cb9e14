"""The flat computer player: always a legal move, a winning one when it sees one, and within its time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import pytest

from rules.bots.flat import DEPTH, choose
from rules.chance import Chance
from rules.game import Json
from tests.support.rules.every_game import every_game, sampled
from tests.support.rules.random_games import AnyRules, random_game, seed
from tests.support.rules.toy_games import Heap, Toy
from tests.support.rules.winning_positions import won_at_once

BELOW = Chance(seed(6), "bot").below


def looks() -> Callable[[], float]:
    """A clock that advances by a second with each look: seconds are games."""
    seconds = count()
    return lambda: float(next(seconds))


class Slow(Toy):
    """A game in which every game takes a minute."""

    def __init__(self) -> None:
        self.games = 0

    def clock(self) -> float:
        return 60.0 * self.games

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        self.games += 1
        return Heap(0, 1 - position.to_move)


class Endless(Toy):
    """A game in which a heap of three can be won immediately, and every smaller one goes on for ever."""

    def play(self, position: Heap, moves: Mapping[int, int]) -> Heap:
        return Heap(0 if moves[position.to_move] == 3 else 2, 1 - position.to_move)


@pytest.mark.sample(4)
@every_game
def test_flat_player_makes_legal_moves(rules: AnyRules, options: Json) -> None:
    asked = [step.before for step in sampled(rules, options, wanted=4) if rules.forced(step.before) is None]
    for position in asked:
        for seat in rules.to_move(position):
            move = choose(rules, position, seat, BELOW, seconds=4, clock=looks())
            assert rules.parse(position, seat, rules.format(move)) == move


@won_at_once
def test_flat_player_wins_when_it_can(rules: AnyRules, position: Any) -> None:
    (seat,) = rules.to_move(position)
    after = [rules.play(position, {seat: move}) for move in rules.moves(position, seat)]
    assert not all(map(rules.result, after)), "some moves do not win"
    move = choose(rules, position, seat, BELOW, seconds=100, clock=looks())
    result = rules.result(rules.play(position, {seat: move}))
    assert result
    assert result.winners == (seat,)


def test_flat_player_leaves_the_opponent_the_worst_position() -> None:
    assert choose(Toy(), Heap(6), 0, BELOW, seconds=2000, clock=looks()) == 2


@every_game
def test_random_games_are_shorter_than_half_the_depth_limit(rules: AnyRules, options: Json) -> None:
    assert max(len(list(random_game(rules, options, number))) for number in range(3)) < DEPTH / 2


def test_unfinished_random_game_counts_as_neither_won_nor_lost() -> None:
    assert choose(Endless(), Heap(3), 0, BELOW, seconds=12, clock=looks()) == 3


def test_flat_player_stops_after_the_game_in_which_its_time_ends() -> None:
    slow = Slow()
    choose(slow, Heap(99), 0, BELOW, seconds=90, clock=slow.clock)
    assert slow.games == 2


def test_flat_player_plays_an_only_move_immediately() -> None:
    slow = Slow()
    assert choose(slow, Heap(1), 0, BELOW, seconds=600, clock=slow.clock) == 1
    assert slow.games == 0
