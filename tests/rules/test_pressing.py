"""Presses on places of the board, for all games and variants."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rules.chance import Chance
from rules.drawing.diagram import Diagram
from rules.errors import IllegalMove
from rules.game import Json
from rules.move_builder import Choices, Pick, alone
from rules.pressing import pressed
from rules.registry import rules_named
from tests.support.rules.every_game import assert_sentence, every_game, sampled
from tests.support.rules.random_games import AnyRules, first_position, seed
from tests.support.rules.toy_games import Heap, Toy


@pytest.mark.sample(3)
@every_game
def test_press_picks_or_explains_why_not(rules: AnyRules, options: Json) -> None:
    below = Chance(seed(3), "presses").below
    for step in sampled(rules, options, 0, 2):
        if rules.forced(step.before) is not None:
            continue
        seat, picks = rules.to_move(step.before)[0], tuple[str, ...]()
        for _ in range(4):
            choices = rules.choices(step.before, seat, picks)
            offered = alone(choices.picks)
            places = sorted({cell.name for row in choices.diagram.rows for cell in row.cells if cell.name})
            for place in {places[below(len(places))] for _ in range(4)}:
                if place in offered:
                    assert pressed(rules, step.before, seat, picks, place) == (*picks, offered[place].text)
                    continue
                try:
                    instead = pressed(rules, step.before, seat, picks, place)
                except IllegalMove as problem:
                    assert_sentence(str(problem))
                else:
                    kept = instead[:-1]
                    assert picks in (kept, kept[:-1]) or kept == picks[: len(kept)]
                    assert rules.choices(step.before, seat, instead).picked[-1].place == place
            if not choices.picks:
                break
            picks = (*picks, choices.picks[below(len(choices.picks))].text)


def test_refusal_of_a_press_is_that_of_a_written_move() -> None:
    """A press gives the same reason as the move in writing, with the picks before it."""
    rules = rules_named("nibble")
    position = first_position(rules, rules.options({}))
    with pytest.raises(IllegalMove, match=r"e5 .* has no exposed side; a block can be taken when"):
        pressed(rules, position, 0, (), "e5")


def test_press_elsewhere_replaces_the_pick() -> None:
    rules = rules_named("nebuchadnezzar")
    position = first_position(rules, rules.options({"size": 5}))
    assert pressed(rules, position, 0, ("c3",), "d4") == ("d4",)
    assert pressed(rules, position, 0, ("c3",), "c3") == ("c3",)
    after = rules.play(position, {0: rules.parse(position, 0, "c3")})
    with pytest.raises(IllegalMove, match="c3 holds an enemy disc"):
        pressed(rules, after, 1, (), "c3")


def test_press_on_a_target_picks_the_only_piece_that_can_go_there() -> None:
    rules = rules_named("nelaxtam")
    start = first_position(rules, rules.options({"size": 10, "troops": 2, "sea": 0}))
    landings = enumerate(("1 c5, 2 e5", "A h1, B h3"))
    position = rules.play(start, {seat: rules.parse(start, seat, text) for seat, text in landings})
    assert pressed(rules, position, 0, (), "b4") == ("1", "sw")
    assert pressed(rules, position, 0, ("1",), "e5") == ("2",)
    assert pressed(rules, position, 0, ("2", "n"), "c4") == ("2", "n", "1", "s")
    for picks, place in (((), "d5"), (("2",), "b4"), ((), "a1")):
        with pytest.raises(IllegalMove):
            pressed(rules, position, 0, picks, place)


class TwoPieces(Toy):
    """Piece a can go to c in these ways, and piece b by a move."""

    def __init__(self, *ways: str) -> None:
        self._ways = {"a": ways, "b": ("move",)}

    def choices(self, position: Heap, seat: int, picks: Sequence[str] = ()) -> Choices:
        offered = [Pick(piece, piece, piece, "piece", lifts=True) for piece in self._ways]
        if picks:
            offered = [Pick(way, "c", way, way) for way in self._ways[picks[0]] if len(picks) == 1]
        return Choices((), tuple(offered), (), "", lambda: Diagram(()))


def test_press_does_not_choose_between_ways_of_two_pieces() -> None:
    assert pressed(TwoPieces(), Heap(5), 0, (), "c") == ("b", "move")
    with pytest.raises(IllegalMove):
        pressed(TwoPieces("move", "hit"), Heap(5), 0, (), "c")


def test_one_press_does_not_lose_many_picks() -> None:
    rules = rules_named("nelaxtam")
    position = first_position(rules, rules.options({"size": 10, "troops": 5}))
    picks: tuple[str, ...] = ()
    while (choices := rules.choices(position, 0, picks)).picks:
        picks = (*picks, choices.picks[0].text)
    with pytest.raises(IllegalMove, match=r"cannot|Troop|holds"):
        pressed(rules, position, 0, picks, choices.picked[0].place)
