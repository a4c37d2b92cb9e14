"""The order of play in every game: dice before moves, forced passes, players leaving.

The server, records, random games and conditional moves all use this module, so they know no more about a game
than its contract. A turn::

    position, dice = begin(rules, position, roll)
    step = forced_step(rules, position, dice) or play(rules, position, moves, dice)
    result = rules.result(step.after) or forfeit(rules, step, seats)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from rules.errors import IllegalMove
from rules.game import PASS, Rules, Step
from rules.reasons import Reason
from rules.result import Result

P = TypeVar("P")
M = TypeVar("M")

Roll = Callable[[int], Sequence[int]]
"""Rolls the given number of dice."""
RollFor = Callable[[int, int], Sequence[int]]
"""Rolls a number of dice for a turn: takes the number of the turn, then the number of dice."""


def begin(rules: Rules[P, M], position: P, roll: Roll) -> tuple[P, tuple[int, ...]]:
    """Return the position with the dice of its turn rolled, and these dice; () for a turn without dice.

    Raises BadData if the rules do not accept the dice.
    """
    count = rules.dice(position)
    if not count:
        return position, ()
    dice = tuple(roll(count))
    return rules.roll(position, dice), dice


def play(rules: Rules[P, M], position: P, moves: Mapping[int, M], dice: tuple[int, ...] = ()) -> Step[P, M]:
    """Return the turn in which these legal moves, by seat, are played; `dice` are those rolled for it."""
    return Step(position, moves, rules.play(position, moves), dice=dice)


def forced_step(rules: Rules[P, M], position: P, dice: tuple[int, ...] = ()) -> Step[P, M] | None:
    """Return the turn with a pass if no other move is possible, else None.

    Also returns None while dice have to be rolled, and when the game is over.
    """
    move = rules.forced(position)
    if move is None:
        return None
    (seat,) = rules.to_move(position)
    return play(rules, position, {seat: move}, dice)


def read_move(rules: Rules[P, M], position: P, seat: int, text: str) -> M:
    """Return the move of a recorded turn: a legal move, or the pass where that is forced.

    Raises WrongMove.
    """
    forced = rules.forced(position)
    if text.strip().lower() != PASS:
        if forced is not None:
            raise IllegalMove(f"Seat {seat} has no legal move here: the only possible entry is a pass.")
        return rules.parse(position, seat, text)
    if forced is None:
        raise IllegalMove("A seat can pass only when it has no legal move, and here it has one.")
    return forced


# Leaving


def leave(rules: Rules[P, M], position: P, seat: int, reason: Reason) -> Step[P, M]:
    """Return the turn in which a seat leaves the game; the position changes only if the others play on."""
    after = rules.leave(position, seat, reason) if rules.plays_on(position) else position
    return Step(position, {}, after, left=(seat, reason))


def keeps_dice(rules: Rules[P, M], step: Step[P, M]) -> bool:
    """Return whether the dice rolled before this turn are still valid after it.

    They are if a seat has left that was not to move.
    """
    return step.left is not None and rules.to_move(step.before) == rules.to_move(step.after)


def rolled_for(rules: Rules[P, M], numbers: Sequence[int], steps: Sequence[Step[P, M]], at: int) -> int:
    """Return the number of the turn for which the dice of turn `numbers[at]` were rolled.

    It is that turn, or an earlier one that kept its dice. `numbers` are those of the turns that were not taken
    back, `steps` the turns themselves, as far as they were played.
    """
    while 0 < at <= len(steps) and keeps_dice(rules, steps[at - 1]):
        at -= 1
    return numbers[at]


def forfeit(rules: Rules[P, M], step: Step[P, M], seats: int) -> Result | None:
    """Return the result after a seat has left a game that ends then: the others win. None in other cases."""
    if step.left is None or rules.plays_on(step.before):
        return None
    left, reason = step.left
    return Result(tuple(seat for seat in range(seats) if seat != left), reason)
