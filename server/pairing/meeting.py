"""A meeting of two players in a tournament, or a bye, and its result."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


class Meeting(NamedTuple):
    """A meeting; `first` has the first seat; `second` is None for a bye."""

    first: int
    second: int | None

    @property
    def players(self) -> tuple[int, ...]:
        """The one or two players."""
        return (self.first,) if self.second is None else (self.first, self.second)


class Played(NamedTuple):
    """A meeting with a result: the points of each, `WIN`, `DRAW` or `LOSS`; a bye is a win.

    Both have `LOSS` if a game was abandoned. The points are in half points, so that sums are exact.
    """

    first: int
    second: int | None
    first_points: float
    second_points: float

    def points(self, player: int) -> float:
        """Return the points of one of the two."""
        return self.first_points if player == self.first else self.second_points

    def opponent(self, player: int) -> int | None:
        """Return the opponent of one of the two; None for a bye."""
        return self.second if player == self.first else self.first


def bye(player: int) -> Played:
    """Return the result of a player without an opponent."""
    return Played(player, None, WIN, LOSS)


def times_met(played: Iterable[Played]) -> Counter[frozenset[int]]:
    """Return how often each two players have met, by pair."""
    return Counter(frozenset((each.first, each.second)) for each in played if each.second is not None)


def tilt(player: int, played: Iterable[Played]) -> int:
    """Return how often a player had the first seat minus how often the second; byes do not count."""
    seats = [each.first == player for each in played if each.second is not None and player in each[:2]]
    return 2 * sum(seats) - len(seats)


def seated(one: int, other: int, played: list[Played]) -> Meeting:
    """Return a meeting of two players, of whom one gets the first seat.

    It is the one who had it less often in all meetings `played`; if both had it equally often, the one who did
    not have it in the last meeting of `one`; otherwise `one`.
    """
    tilts = tilt(one, played), tilt(other, played)
    if tilts[0] != tilts[1]:
        return Meeting(one, other) if tilts[0] < tilts[1] else Meeting(other, one)
    last = next((each for each in reversed(played) if each.second is not None and one in each[:2]), None)
    return Meeting(one, other) if last is None or last.first != one else Meeting(other, one)
