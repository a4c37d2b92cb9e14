"""The contract of every game on move builders, for all games and variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from rules.chance import Chance
from rules.errors import IllegalMove
from rules.game import Json
from rules.move_builder import Choices
from tests.support.rules.every_game import assert_sentence, every_game, sampled
from tests.support.rules.random_games import AnyRules, random_game, seed

LONGEST_PATH = 200


def turns(rules: AnyRules, options: Json, number: int = 0, wanted: int = 12) -> Iterator[tuple[Any, int]]:
    """Yield positions from all over a random game, each with a seat that has to choose a move there."""
    for step in sampled(rules, options, number, wanted):
        if rules.forced(step.before) is None:
            for seat in rules.to_move(step.before):
                yield step.before, seat


@every_game
def test_every_path_of_picks_leads_to_a_legal_move(rules: AnyRules, options: Json) -> None:
    below = Chance(seed(7), "picks").below
    for position, seat in turns(rules, options):
        picks = random_picks(rules, position, seat, below)
        move = rules.choices(position, seat, picks).move
        assert rules.format(rules.parse(position, seat, move)) == move
        again = rules.picks_of(position, seat, rules.parse(position, seat, move))
        assert rules.choices(position, seat, again).move == move


def random_picks(rules: AnyRules, position: Any, seat: int, below: Callable[[int], int]) -> list[str]:
    """Return a path that ends when no picks are left, or earlier where the move is complete."""
    picks: list[str] = []
    while len(picks) < LONGEST_PATH:
        choices = rules.choices(position, seat, picks)
        assert_can_be_shown(choices)
        assert choices.picks or choices.move, picks
        if choices.picked and choices.picked[-1].lifts:
            assert choices.picked[-1].place in choices.marks, "pages drag the piece from its marked place"
            assert all(pick.place for pick in choices.picks)
        if not choices.picks or (choices.move and not below(4)):
            return picks
        picks.append(choices.picks[below(len(choices.picks))].text)
    raise AssertionError(f"still not a move: {picks}")


def assert_can_be_shown(choices: Choices) -> None:
    """Check that each pick has a unique text and label, and a unique place within its group."""
    names = {cell.name for row in choices.diagram.rows for cell in row.cells if cell.ground}
    texts = [pick.text for pick in choices.picks]
    assert len(set(texts)) == len(texts)
    labels = [pick.label for pick in choices.picks]
    assert len(set(labels)) == len(labels)
    assert all(pick.text and pick.label and pick.group for pick in choices.picks)
    placed = [(pick.group, pick.place) for pick in choices.picks if pick.place]
    assert len(set(placed)) == len(placed)
    assert {place for _, place in placed} <= names
    assert names.issuperset(choices.marks)


@every_game
def test_every_legal_move_can_be_picked(rules: AnyRules, options: Json) -> None:
    for position, seat in turns(rules, options, 3):
        for move in islice(rules.moves(position, seat), 40):
            assert_can_be_picked(rules, position, seat, move)


@every_game
def test_random_moves_can_be_picked(rules: AnyRules, options: Json) -> None:
    """Random moves are of all sorts, unlike the first ones in a list."""
    for step in random_game(rules, options, 4):
        if rules.forced(step.before) is None:
            for seat, move in step.moves.items():
                assert_can_be_picked(rules, step.before, seat, move)


def assert_can_be_picked(rules: AnyRules, position: Any, seat: int, move: Any) -> None:
    picks = rules.picks_of(position, seat, move)
    assert rules.move_builder(position, seat).then(picks)[0].move() == move


@every_game
def test_impossible_picks_are_refused_with_a_sentence(rules: AnyRules, options: Json) -> None:
    below = Chance(seed(8), "picks").below
    for position, seat in turns(rules, options, 5, wanted=4):
        picks = random_picks(rules, position, seat, below)
        for wrong in (["thanks"], ["", *picks], [*picks, "x" * 5000], [*picks[:-1], "\ud800"]):
            with pytest.raises(IllegalMove) as caught:
                rules.choices(position, seat, wrong)
            assert_sentence(str(caught.value))


@every_game
def test_only_the_seat_to_move_can_pick(rules: AnyRules, options: Json) -> None:
    steps = sampled(rules, options, wanted=3)
    seats = range(len(rules.seats(options)))
    idle = [(step.before, seat) for step in steps for seat in {*seats, -1} - set(rules.to_move(step.before))]
    for position, seat in [*idle, *((steps[-1].after, seat) for seat in seats)]:
        with pytest.raises(IllegalMove):
            rules.choices(position, seat)
