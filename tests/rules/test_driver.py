"""Playing any game forward: the contract of the driver."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rules import driver
from rules.errors import IllegalMove
from rules.game import PASS
from rules.games.nardshir.position import Position
from rules.reasons import Reason
from rules.result import Result
from tests.support.rules.positions.nardshir import NARDSHIR, START, board
from tests.support.rules.positions.nexus import NEXUS
from tests.support.rules.positions.nexus import start as rings

HELD = board({}, {22: 2, 20: 2}, 3, 5)
"""X cannot land on either of the points that its dice lead to."""


def three_and_five(count: int) -> Sequence[int]:
    """A roll."""
    return (3, 5)[:count]


def test_dice_are_rolled_when_the_rules_need_them() -> None:
    position, dice = driver.begin(NARDSHIR, START, three_and_five)
    assert (position, dice) == (NARDSHIR.roll(START, (3, 5)), (3, 5))


def test_dice_are_not_rolled_twice() -> None:
    rolled = NARDSHIR.roll(START, (3, 5))
    assert driver.begin(NARDSHIR, rolled, lambda _: pytest.fail("rolled twice")) == (rolled, ())


def test_turn_contains_its_dice() -> None:
    rolled, dice = driver.begin(NARDSHIR, START, lambda _: (4, 4))
    move = NARDSHIR.parse(rolled, 0, "hand/4 hand/4 4/8 4/8")
    step = driver.play(NARDSHIR, rolled, {0: move}, dice)
    assert (step.dice, rolled.dice) == ((4, 4), (4, 4, 4, 4))


def test_forced_pass_is_a_turn_with_its_dice() -> None:
    step = driver.forced_step(NARDSHIR, HELD, (3, 5))
    assert step is not None
    assert {seat: NARDSHIR.format(move) for seat, move in step.moves.items()} == {0: PASS}
    assert (step.dice, NARDSHIR.to_move(step.after)) == ((3, 5), (1,))


@pytest.mark.parametrize("position", [START, NARDSHIR.roll(START, (3, 5)), board({25: 15}, {})])
def test_no_forced_turn_before_the_roll_with_a_move_or_after_the_end(position: Position) -> None:
    assert driver.forced_step(NARDSHIR, position) is None


def test_pass_is_read_only_where_it_is_forced() -> None:
    assert driver.read_move(NARDSHIR, HELD, 0, " Pass\n") == ()
    with pytest.raises(
        IllegalMove, match=r"^Seat 0 has no legal move here: the only possible entry is a pass\.$"
    ):
        driver.read_move(NARDSHIR, HELD, 0, "hand/3 hand/5")
    with pytest.raises(
        IllegalMove, match=r"^A seat can pass only when it has no legal move, and here it has one\.$"
    ):
        driver.read_move(NARDSHIR, NARDSHIR.roll(START, (3, 5)), 0, PASS)


def test_seat_that_leaves_loses_if_the_others_do_not_play_on() -> None:
    step = driver.leave(NARDSHIR, HELD, 1, Reason.RESIGNED)
    assert (step.before, step.after, step.left) == (HELD, HELD, (1, Reason.RESIGNED))
    assert driver.forfeit(NARDSHIR, step, 2) == Result((0,), Reason.RESIGNED)


def test_others_play_on_where_the_rules_say_so() -> None:
    step = driver.leave(NEXUS, rings(3), 1, Reason.TIMEOUT)
    assert NEXUS.seats_out(step.after) == (1,)
    assert driver.forfeit(NEXUS, step, 3) is None


def test_dice_stay_when_another_seat_leaves() -> None:
    assert driver.keeps_dice(NEXUS, driver.leave(NEXUS, rings(3), 1, Reason.RESIGNED))
    assert not driver.keeps_dice(NEXUS, driver.leave(NEXUS, rings(3), 0, Reason.RESIGNED))
    passed = driver.forced_step(NARDSHIR, HELD, (3, 5))
    assert passed is not None
    assert not driver.keeps_dice(NARDSHIR, passed)
