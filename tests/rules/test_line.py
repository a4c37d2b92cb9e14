"""Lines of play, for all games and variants."""

from __future__ import annotations

from typing import Any

import pytest

from rules import driver
from rules.chance import Chance
from rules.errors import IllegalMove, WrongMove
from rules.game import Json, Step
from rules.line import Line
from tests.support.rules.every_game import every_game
from tests.support.rules.positions.nardshir import NARDSHIR, START, board
from tests.support.rules.positions.nebuchadnezzar import NEBUCHADNEZZAR
from tests.support.rules.positions.nebuchadnezzar import position as discs
from tests.support.rules.random_games import AnyRules, first_position, random_game, seed

MOST_TURNS = 60
WHITE_IS_STUCK = discs("bbbb bbbw bbbw bbbw", ply=21)
HELD = board({}, {22: 2, 20: 2})
"""X cannot land on either of the points to which 3 and 5 lead."""


def parts_of(rules: AnyRules, step: Step[Any, Any]) -> list[str]:
    """Return the parts of a line that make this turn."""
    dice = ["roll " + " ".join(map(str, step.dice))] if step.dice else []
    if driver.forced_step(rules, step.before) is not None:
        return dice
    return [*dice, *(rules.format(step.moves[seat]) for seat in sorted(step.moves))]


@every_game
def test_line_follows_a_game(rules: AnyRules, options: Json) -> None:
    line: Line[Any, Any] = Line(rules, first_position(rules, options))
    played = list(random_game(rules, options))[:MOST_TURNS]
    for step in played:
        line = line.follow(parts_of(rules, step))
    steps = line.steps[: len(played)]
    assert [(step.moves, step.dice) for step in steps] == [(step.moves, step.dice) for step in played]
    assert steps[-1].after == played[-1].after
    assert Line(rules, first_position(rules, options)).follow(line.parts) == line


@pytest.mark.sample(4)
@every_game
def test_line_can_be_picked_to_its_end(rules: AnyRules, options: Json) -> None:
    line: Line[Any, Any] = Line(rules, first_position(rules, options))
    below = Chance(seed(5), "lines").below
    for _ in range(MOST_TURNS):
        picks: list[str] = []
        choices = line.choices()
        while choices.picks and not (choices.move and not below(3)):
            picks.append(choices.picks[below(len(choices.picks))].text)
            choices = line.choices(picks)
        if not choices.move:
            assert line.result is not None
            break
        assert line.seat in (line.rules.to_move(line.position) or (None,)) or choices.move.startswith("roll ")
        line = line.then(choices.move)
        assert line.parts[-1] == choices.move


@every_game
def test_orders_of_one_seat_follow_those_of_another(rules: AnyRules, options: Json) -> None:
    position = first_position(rules, options)
    if not rules.simultaneous:
        return
    line: Line[Any, Any] = Line(rules, position)
    below = Chance(seed(6), "orders").below
    for number, seat in enumerate(rules.to_move(position)):
        assert (line.seat, len(line.steps)) == (seat, 0), number
        line = line.then(rules.format(rules.sample(position, seat, below)))
    assert len(line.steps) == 1


def test_forced_passes_are_automatic() -> None:
    line = Line(NEBUCHADNEZZAR, WHITE_IS_STUCK)
    assert line.seat == 1, "as it was given"
    rolled = Line(NARDSHIR, HELD).then("roll 3 5")
    assert (rolled.parts, len(rolled.steps), rolled.steps[0].dice) == (("roll 3 5",), 1, (3, 5))
    assert rolled.seat is None, "the other one rolls"


@pytest.mark.parametrize(
    "part", ["", "1/4", "roll", "roll 3", "roll 7 1", "roll 3 5 5", "roll \u0663 5", "Roll 3 5"]
)
def test_dice_are_rolled_first(part: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        Line(NARDSHIR, START).then(part)
    assert str(refused.value).endswith((".", "[3]"))


def test_possible_dice_are_offered() -> None:
    choices = Line(NARDSHIR, START).choices()
    assert len(choices.picks) == 21
    assert {"roll 1 1", "roll 3 5"} <= {pick.text for pick in choices.picks}
    assert Line(NARDSHIR, START).choices(["roll 3 5"]).move == "roll 3 5"


def test_nothing_can_follow_the_end() -> None:
    over = Line(NARDSHIR, board({25: 15}, {}))
    assert (over.choices().picks, over.choices().move) == ((), "")
    with pytest.raises(WrongMove, match="over at that point"):
        over.then("roll 3 5")
