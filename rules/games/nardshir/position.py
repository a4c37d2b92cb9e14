"""Positions of Nardshir, and their JSON form, which the rules page describes."""

from __future__ import annotations

from dataclasses import dataclass

from rules.errors import BadData
from rules.game import Json
from rules.games.nardshir.board import DISCS, HAND, MOST_ON_START_POINT, OFF, START_QUADRANT_END, Side
from rules.reading import items, need_exactly, whole

SEATS = ("X", "O")
KEYS = ("points", "hand", "off", "to_move", "dice", "turn", "quiet_turns")
_KEYS = f"A position of Nardshir has {', '.join(KEYS)}, and nothing else."
_LIST = "In a position of Nardshir, {what} is a list of {count}."
_FROM = "In a position of Nardshir, {what} is a whole number from {least} on."
_BETWEEN = "In a position of Nardshir, {what} is a whole number from {least} to {most}."


@dataclass(frozen=True)
class Position:
    """A position, before or after the roll.

    `discs[seat]` are 26 numbers that add up to 15, by place. No point holds discs of both seats, and no point
    of a seat's starting quadrant more than two of its discs. `dice` are the numbers to be played, a double four
    times; () before the roll and when the game is over. `turn` counts from 1; `quiet_turns` counts the turns
    since a disc was last borne off. Both include passes.
    """

    discs: tuple[tuple[int, ...], tuple[int, ...]]
    to_move: int = 0
    dice: tuple[int, ...] = ()
    turn: int = 1
    quiet_turns: int = 0

    def sides(self, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the discs of a seat, and those of the enemy, each as its own side counts places."""
        return self.discs[seat], self.discs[1 - seat]


def write_position(position: Position) -> Json:
    """Return the position as JSON."""
    return {
        "points": [list(side[1:OFF]) for side in position.discs],
        "hand": [side[HAND] for side in position.discs],
        "off": [side[OFF] for side in position.discs],
        "to_move": position.to_move,
        "dice": list(position.dice),
        "turn": position.turn,
        "quiet_turns": position.quiet_turns,
    }


def read_position(data: Json) -> Position:
    """Return the position that `write_position` wrote, without checking whether the game is over. Raises
    BadData.
    """
    need_exactly(data, KEYS, _KEYS)
    first, second = _read_side(data, 0), _read_side(data, 1)
    _check_discs(first, second)
    return Position(
        discs=(first, second),
        to_move=whole(data["to_move"], _BETWEEN, most=1, what="“to_move”"),
        turn=whole(data["turn"], _FROM, least=1, what="“turn”"),
        quiet_turns=whole(data["quiet_turns"], _FROM, what="“quiet_turns”"),
        dice=_read_dice(data["dice"]),
    )


def _read_side(data: Json, seat: int) -> tuple[int, ...]:
    points, hand, off = (items(data[key], _LIST, count=2, what=f"“{key}”")[seat] for key in KEYS[:3])
    counts = [hand, *items(points, _LIST, count=OFF - 1, what="“points” of a seat"), off]
    return tuple([whole(count, _BETWEEN, most=DISCS, what="a number of discs") for count in counts])


def _check_discs(first: Side, second: Side) -> None:
    for name, side in zip(SEATS, (first, second), strict=True):
        if sum(side) != DISCS:
            raise BadData(f"{name} must have {DISCS} discs in hand, on points and off, not {sum(side)}.")
        if max(side[1 : START_QUADRANT_END + 1]) > MOST_ON_START_POINT:
            raise BadData(f"{name} has more than {MOST_ON_START_POINT} discs on one of its points 1 to 6.")
    for point in range(1, OFF):
        if first[point] and second[OFF - point]:
            raise BadData(f"Both sides have discs on point {point} of {SEATS[0]}.")
    if first[OFF] == second[OFF] == DISCS:
        raise BadData("Only one side can have all its discs off.")


def _read_dice(value: object) -> tuple[int, ...]:
    wrong = "The dice are two different numbers, one number four times, or none."
    dice = tuple([whole(die, _BETWEEN, least=1, most=6, what="a die") for die in items(value, wrong)])
    if (len(dice), len(set(dice))) not in {(0, 0), (2, 2), (4, 1)}:
        raise BadData(wrong)
    return dice
