"""The board of Nardshir, and the legal moves of a disc with one die; only this module decides on legality.

A side is written as its discs by *place*: in hand (0), on its own points 1 to 24, off (25). So every single
move, a *hop*, goes from `start` to `start + die`. Point p of one side is point 25 - p of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

DISCS = 15
HAND, OFF = 0, 25
LAST_POINT = 24
START_QUADRANT_END = 6
BEFORE_FINAL_QUADRANT = slice(1, 19)
MOST_ON_START_POINT = 2
MOST_IN_HAND = 10
FACES = range(1, 7)
STANDSTILL = 600
"""The game is a draw after this many turns in a row without a disc borne off."""

HELD = "point {end} holds {enemies} enemy discs, and a disc may land only where there is at most one"
FULL = "point {end} holds two of your discs, the most allowed on any of your points 1 to 6"
CLOSED = "point 24 is closed while more than ten of your discs are in hand, and you have {hand} there"
NOT_HOME = "a disc goes off only when all your discs on the board are on points 19 to 24, and one is on {back}"

Side = Sequence[int]
"""The discs of one side by place, 26 numbers."""


class Hop(NamedTuple):
    """The move of one disc by one die, in the mover's own places; `hit` sends an enemy disc back to its
    hand.
    """

    start: int
    end: int
    hit: bool = False

    @property
    def die(self) -> int:
        return self.end - self.start


Turn = tuple[Hop, ...]
"""The hops of a whole turn in the order played; () is the pass."""


def obstacle(mine: Side, theirs: Side, end: int) -> str:
    """Return the rule that forbids a disc of `mine` to go to the place `end`; "" if none does."""
    if end == OFF:
        return NOT_HOME if any(mine[BEFORE_FINAL_QUADRANT]) else ""
    if theirs[OFF - end] > 1:
        return HELD
    if end <= START_QUADRANT_END and mine[end] >= MOST_ON_START_POINT:
        return FULL
    if end == LAST_POINT and mine[HAND] > MOST_IN_HAND:
        return CLOSED
    return ""


def explained(rule: str, mine: Side, theirs: Side, end: int) -> str:
    """Return the sentence for a rule that `obstacle` has returned, with the points and numbers of this move."""
    back = next((point for point in range(1, OFF) if mine[point]), OFF)
    return rule.format(end=end, enemies=theirs[OFF - end], hand=mine[HAND], back=back)


def open_ways(mine: Side, theirs: Side, dice: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each hop that is possible with one of the dice; each pair once."""
    numbers = dict.fromkeys(dice)
    for start in range(OFF):
        if not mine[start]:
            continue
        for die in numbers:
            if start + die <= OFF and not obstacle(mine, theirs, start + die):
                yield start, start + die


def can_move(mine: Side, theirs: Side, dice: Iterable[int]) -> bool:
    """Return whether any of the dice can be played."""
    return next(open_ways(mine, theirs, dice), None) is not None


def hop_between(theirs: Side, start: int, end: int) -> Hop:
    """Return the hop of a disc from `start` to `end`; it is a hit if an enemy disc is there."""
    return Hop(start, end, end < OFF and theirs[OFF - end] == 1)


def play_hop(mine: list[int], theirs: list[int], hop: Hop) -> None:
    """Carry out a hop on two lists of discs: `mine`, whose disc moves, and `theirs`, whose disc may be hit."""
    mine[hop.start] -= 1
    mine[hop.end] += 1
    if hop.hit:
        theirs[OFF - hop.end] -= 1
        theirs[HAND] += 1


def after_hop(mine: Side, theirs: Side, hop: Hop) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return both sides after the hop."""
    ours, others = list(mine), list(theirs)
    play_hop(ours, others, hop)
    return tuple(ours), tuple(others)


def dice_left(dice: Sequence[int], turn: Turn) -> tuple[int, ...]:
    """Return the dice that a turn has not used."""
    left = list(dice)
    for hop in turn:
        left.remove(hop.die)
    return tuple(left)


def whole_turns(mine: Side, theirs: Side, dice: Sequence[int]) -> Iterator[Turn]:
    """Yield all complete turns for these dice: sequences of hops until no die can be played.

    Yields only () if no die can be played. Other orders of the same hops are other turns.
    """
    ended = True
    for way in open_ways(mine, theirs, dice):
        ended = False
        hop = hop_between(theirs, *way)
        for rest in whole_turns(*after_hop(mine, theirs, hop), dice_left(dice, (hop,))):
            yield hop, *rest
    if ended:
        yield ()


def outcomes(mine: Side, theirs: Side, dice: Sequence[int]) -> list[Turn]:
    """Return one complete turn for each different result on the board."""
    ended: dict[tuple[Side, Side], Turn] = {}
    reached: dict[tuple[Side, Side, Sequence[int]], Turn] = {(tuple(mine), tuple(theirs), tuple(dice)): ()}
    while reached:
        further: dict[tuple[Side, Side, Sequence[int]], Turn] = {}
        for (ours, others, left), turn in reached.items():
            hops = [hop_between(others, *way) for way in open_ways(ours, others, left)]
            if not hops:
                ended.setdefault((ours, others), turn)
            for hop in hops:
                after = (*after_hop(ours, others, hop), dice_left(left, (hop,)))
                further.setdefault(after, (*turn, hop))
        reached = further
    return list(ended.values())


def chains(mine: Side, theirs: Side, dice: Sequence[int], start: int, end: int) -> Iterator[Turn]:
    """Yield all ways in which one disc gets from `start` to `end` with one or more of the dice."""
    for way in open_ways(mine, theirs, dice):
        if way[0] != start or way[1] > end:
            continue
        hop = hop_between(theirs, *way)
        if hop.end == end:
            yield (hop,)
            continue
        for rest in chains(*after_hop(mine, theirs, hop), dice_left(dice, (hop,)), hop.end, end):
            yield hop, *rest
