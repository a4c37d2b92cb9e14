"""A Swiss tournament: each round pairs players with similar points who have not met yet."""

from collections.abc import Collection, Sequence
from itertools import groupby
from math import ceil, log2

from server.pairing.matching import Cost, cheapest
from server.pairing.meeting import Meeting, Played, seated, tilt, times_met
from server.pairing.standings import points_of

_NOBODY = -1
"""The opponent of the player who has the bye."""
_MOST_TILT = 2
"""The largest difference between the counts of first and second seats of a player."""


def usual_rounds(players: int) -> int:
    """Return how many rounds it takes until only one player has won all games."""
    return max(1, ceil(log2(players)))


def most_rounds(players: int) -> int:
    """Return the highest number of rounds in which no two players have to meet twice."""
    return max(1, players - 1 + players % 2)


def next_round(
    players: Sequence[int], played: Sequence[Played], blocked_pairs: Collection[frozenset[int]] = ()
) -> list[Meeting]:
    """Return the meetings of the next round; with an odd number, the last one is a bye.

    As far as possible, and in this order: the `blocked_pairs` do not meet, no two players meet twice, no player
    has a second bye, no player has one seat more than two times more often than the other, players with the
    same points meet and, among these, the upper half meets the lower; the bye goes to the last player.
    """
    scores, past = points_of(players, played), list(played)
    met, tilts = times_met(past), {player: tilt(player, past) for player in players}
    ranked = sorted(players, key=lambda player: -scores[player])
    place = {player: number for number, player in enumerate(ranked)}
    rested = {each.first for each in past if each.second is None}
    partner = _folded(ranked, scores)

    def cost(one: int, other: int) -> Cost:
        if other == _NOBODY:
            return 0, 0, int(one in rested), 0, round(2 * scores[one]) ** 2, 0, len(ranked) - place[one]
        first, second = sorted((tilts[one], tilts[other]))
        leaning = max(abs(first + 1), abs(second - 1))
        distance = round(2 * abs(scores[one] - scores[other])) ** 2
        fold = abs(place[other] - partner[one]) + abs(place[one] - partner[other])
        two = frozenset((one, other))
        return int(two in blocked_pairs), met[two], 0, max(0, leaning - _MOST_TILT), distance, leaning, fold

    people = [*ranked, _NOBODY] if len(ranked) % 2 else ranked
    pairs = cheapest(people, cost)
    meetings = [seated(one, other, past) for one, other in pairs if other != _NOBODY]
    return meetings + [Meeting(one, None) for one, other in pairs if other == _NOBODY]


def _folded(ranked: Sequence[int], scores: dict[int, float]) -> dict[int, int]:
    """Return the place of each player's ideal opponent: the upper half of each group meets its lower half."""
    ideal: dict[int, int] = {}
    for _, members in groupby(ranked, key=lambda player: scores[player]):
        group, start = list(members), len(ideal)
        half = len(group) // 2
        for number, player in enumerate(group):
            ideal[player] = start + (number + half if number < half else number - half)
    return ideal
