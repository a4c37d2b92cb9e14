"""Positions of Nardshir, from and to the data on the rules page."""

from __future__ import annotations

from dataclasses import dataclass

from rules.game import BadData, Json
from rules.games.nardshir.board import DISCS, HAND, MOST_ON_START_POINT, OFF, START_QUADRANT_END, Side
from rules.reading import items, need_exactly, whole

SEATS = ("X", "O")
KEYS = ("points", "hand", "off", "to_move", "dice", "turn", "quiet_turns")


@dataclass(frozen=True)
class Position:
    """A position, before or after the roll.

    `discs[seat]` are 26 numbers that add up to 15, by place. No point holds discs of both seats, and no point
    of a seat's starting quadrant more than two of its own. `dice` are the numbers to be played, a double four
    times; () before the roll and when the game is over. `turn` counts from 1, `quiet_turns` those since a disc
    was borne off; both count passes.
    """

    discs: tuple[tuple[int, ...], tuple[int, ...]]
    to_move: int = 0
    dice: tuple[int, ...] = ()
    turn: int = 1
    quiet_turns: int = 0

    def sides(self, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The seat's own discs, and those of the enemy as the enemy counts."""
        return self.discs[seat], self.discs[1 - seat]


def write_position(position: Position) -> Json:
    """The position as data."""
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
    """The position that `write_position` wrote; whether the game is over is not asked. Raises BadData."""
    need_exactly(data, KEYS, f"A position of Nardshir has {', '.join(KEYS)}, and nothing else.")
    first, second = _read_side(data, 0), _read_side(data, 1)
    _check_discs(first, second)
    return Position(
        discs=(first, second),
        to_move=_whole(data["to_move"], "“to_move”", 0, 1),
        turn=_whole(data["turn"], "“turn”", 1),
        quiet_turns=_whole(data["quiet_turns"], "“quiet_turns”", 0),
        dice=_read_dice(data["dice"]),
    )


def _whole(value: object, what: str, least: int, most: int | None = None) -> int:
    limits = f"from {least} on" if most is None else f"from {least} to {most}"
    wrong = f"In a position of Nardshir, {what} is a whole number {limits}."
    return whole(value, wrong, least=least, most=most)


def _items(value: object, what: str, count: int) -> list[object]:
    return items(value, f"In a position of Nardshir, {what} is a list of {count}.", count=count)


def _read_side(data: Json, seat: int) -> tuple[int, ...]:
    points, hand, off = (_items(data[key], f"“{key}”", 2)[seat] for key in ("points", "hand", "off"))
    counts = [hand, *_items(points, "“points” of a seat", OFF - 1), off]
    return tuple(_whole(count, "a number of discs", 0, DISCS) for count in counts)


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
    dice = tuple(_whole(die, "a die", 1, 6) for die in value) if isinstance(value, list) else (0,)
    if (len(dice), len(set(dice))) not in {(0, 0), (2, 2), (4, 1)}:
        raise BadData("The dice are two different numbers, one number four times, or none.")
    return dice
