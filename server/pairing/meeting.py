"""Two players who meet in a tournament, or one who has no opponent, and what came of it."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


class Meeting(NamedTuple):
    """`first` has the first seat; `second` is None for a bye."""

    first: int
    second: int | None

    @property
    def players(self) -> tuple[int, ...]:
        """The one or two players."""
        return (self.first,) if self.second is None else (self.first, self.second)


class Played(NamedTuple):
    """A meeting that is decided: the points of each, `WIN`, `DRAW` or `LOSS`; a bye is a win.

    Both have `LOSS` where a game was abandoned. In half points, so that sums are exact.
    """

    first: int
    second: int | None
    first_points: float
    second_points: float

    def points(self, player: int) -> float:
        """What one of the two got."""
        return self.first_points if player == self.first else self.second_points

    def opponent(self, player: int) -> int | None:
        """Whom one of the two met; None for a bye."""
        return self.second if player == self.first else self.first


def bye(player: int) -> Played:
    """What a player gets who has no opponent."""
    return Played(player, None, WIN, LOSS)


def times_met(played: Iterable[Played]) -> Counter[frozenset[int]]:
    """How often each two have met."""
    return Counter(frozenset((each.first, each.second)) for each in played if each.second is not None)


def tilt(player: int, played: Iterable[Played]) -> int:
    """How many times more a player had the first seat than the second; byes do not count."""
    seats = [each.first == player for each in played if each.second is not None and player in each[:2]]
    return 2 * sum(seats) - len(seats)


def seated(one: int, other: int, played: list[Played]) -> Meeting:
    """Who of two gets the first seat: who had it less often, or else not the last time, or else `one`."""
    tilts = tilt(one, played), tilt(other, played)
    if tilts[0] != tilts[1]:
        return Meeting(one, other) if tilts[0] < tilts[1] else Meeting(other, one)
    last = next((each for each in reversed(played) if each.second is not None and one in each[:2]), None)
    return Meeting(one, other) if last is None or last.first != one else Meeting(other, one)
