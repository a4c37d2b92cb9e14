"""A ladder: players who are free are paired again with each other, as long as it lasts."""

from collections.abc import Collection, Sequence

from server.pairing.matching import Cost, cheapest
from server.pairing.meeting import Meeting, Played, seated, times_met
from server.pairing.standings import points_of


def next_meetings(
    free: Sequence[int],
    everybody: Sequence[int],
    played: Sequence[Played],
    blocked_pairs: Collection[frozenset[int]] = (),
) -> list[Meeting]:
    """Return the next meetings among the players who are `free`; some may have to wait.

    Players meet who have met least often and, among these, who have the most similar points. The
    `blocked_pairs` never meet. No player meets their last opponent again immediately, unless one of the two has
    no other possible opponent in `everybody`. `played` is in the order of pairing.
    """
    past = list(played)
    met, scores = times_met(past), points_of(free, past)
    last = {player: _last_opponent(player, past) for player in free}
    choices = {
        player: sum(frozenset((player, other)) not in blocked_pairs for other in everybody if other != player)
        for player in free
    }

    def cost(one: int, other: int) -> Cost:
        again = (last[one] == other or last[other] == one) and min(choices[one], choices[other]) > 1
        two = frozenset((one, other))
        return int(again or two in blocked_pairs), met[two], round(2 * abs(scores[one] - scores[other])) ** 2

    pairs = cheapest(free, cost)
    return [seated(one, other, past) for one, other in pairs if cost(one, other)[0] == 0]


def _last_opponent(player: int, played: Sequence[Played]) -> int | None:
    last = next((each for each in reversed(played) if player in each[:2]), None)
    return None if last is None else last.opponent(player)
