"""A Swiss tournament: in each round, people meet who stand alike and have not met yet."""

from collections.abc import Collection, Sequence
from itertools import groupby
from math import ceil, log2

from server.pairing.matching import Cost, cheapest
from server.pairing.meeting import Meeting, Played, seated, tilt, times_met
from server.pairing.standings import points_of

_NOBODY = -1
"""Stands for the opponent of whoever has the bye."""
_MOST_TILT = 2
"""How much more often one may have one seat than the other."""


def usual_rounds(players: int) -> int:
    """How many rounds it takes until one player is left who has won all games."""
    return max(1, ceil(log2(players)))


def most_rounds(players: int) -> int:
    """With how many rounds nobody has to meet anybody twice."""
    return max(1, players - 1 + players % 2)


def next_round(
    players: Sequence[int], played: Sequence[Played], blocked_pairs: Collection[frozenset[int]] = ()
) -> list[Meeting]:
    """The meetings of the next round; with an odd number, the last one is a bye.

    As far as possible, and in this order: none of the `blocked_pairs` meet, nobody meets anybody twice, nobody
    has a second bye, nobody has the first seat or the second more often by over two, people with the same
    points meet, and, of these, the upper half meets the lower; the bye goes to the last.
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
    """By player, the place of the one they would ideally meet: the upper half of each group meets its lower."""
    ideal: dict[int, int] = {}
    for _, members in groupby(ranked, key=lambda player: scores[player]):
        group, start = list(members), len(ideal)
        half = len(group) // 2
        for number, player in enumerate(group):
            ideal[player] = start + (number + half if number < half else number - half)
    return ideal
