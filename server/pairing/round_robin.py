"""Everyone plays everyone, by the circle method: the rounds of Berger's tables."""

from collections.abc import Sequence

from server.pairing.meeting import Meeting


def rounds(players: Sequence[int], *, double: bool = False) -> list[list[Meeting]]:
    """Return the meetings, by round: each two players meet once, or twice with swapped seats if it is `double`.

    A player meets at most one other in a round. With an odd number one sits out each round; that is not a bye,
    and gives no points. Each player has the first seat as often as the second, or once more or less.
    """
    once = [_round(players, number) for number in range(len(players) - 1 + len(players) % 2)]
    if not double:
        return once
    turned = [[Meeting(second, first) for first, second in meetings if second is not None] for meetings in once]
    return once + turned


def _round(players: Sequence[int], number: int) -> list[Meeting]:
    """Pair one round: one player stays in place, the others move on by one place of the circle each round."""
    count = len(players) + len(players) % 2
    circle = [(number + place) % (count - 1) for place in range(count - 1)]
    pairs = [(circle[0], count - 1), *((circle[k], circle[-k]) for k in range(1, count // 2))]
    return [_seated(players, *sorted(pair)) for pair in pairs if max(pair) < len(players)]


def _seated(players: Sequence[int], low: int, high: int) -> Meeting:
    """Give the lower player the first seat if the sum is odd: this is true for every second opponent."""
    return Meeting(players[low], players[high]) if (low + high) % 2 else Meeting(players[high], players[low])
