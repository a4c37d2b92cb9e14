"""Who gets through the rounds of a knock-out."""

from collections.abc import Sequence

from server.store.models import Entrant, Pairing
from server.tournaments.hall import counting


def through(
    entrants: Sequence[Entrant], pairings: Sequence[Pairing], round_number: int, rounds: int
) -> list[int | None]:
    """Who got through a round, by board; None where nobody did, or it is not decided yet."""
    seeds = {entrant.player_id: entrant.seed or 0 for entrant in entrants}
    # Of two games at a board that count, the second one decides; it stands later.
    winners = {each.board: _winner(each, seeds) for each in counting(pairings) if each.round == round_number}
    return [winners.get(board) for board in range(1, (1 << (rounds - round_number)) + 1)]


def _winner(pairing: Pairing, seeds: dict[int, int]) -> int | None:
    """Who won; if it was drawn, who has the better seed; nobody if it was abandoned."""
    first, second = pairing.first_points or 0.0, pairing.second_points or 0.0
    if pairing.second_id is None or first > second:
        return pairing.first_id if first else None
    if second > first:
        return pairing.second_id
    return min(pairing.first_id, pairing.second_id, key=lambda player: seeds[player]) if first else None
