"""The winners of the rounds of a knock-out."""

from collections.abc import Iterable, Sequence

from server.pairing.standings import TournamentStanding
from server.store.models import Entrant, Pairing
from server.tournaments.rows import counting


def through(
    entrants: Sequence[Entrant], pairings: Sequence[Pairing], round_number: int, rounds: int
) -> list[int | None]:
    """Return the winners of a round, by board; None where there is none, or it is not decided yet."""
    seeds = {entrant.player_id: entrant.seed or 0 for entrant in entrants}
    boards: dict[int, list[Pairing]] = {}
    for each in counting(pairings):
        if each.round == round_number:
            boards.setdefault(each.board, []).append(each)
    return [
        _winner(boards[board], seeds) if board in boards else None
        for board in range(1, (1 << (rounds - round_number)) + 1)
    ]


def by_rounds_won(
    ranked: Sequence[TournamentStanding],
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    rounds: int,
) -> list[TournamentStanding]:
    """Rank players by the number of rounds they won, then by seed."""
    seeds = {entrant.player_id: entrant.seed or 0 for entrant in entrants}
    won = dict.fromkeys(seeds, 0)
    for number in {each.round for each in pairings}:
        for player in through(entrants, pairings, number, rounds):
            if player is not None:
                won[player] += 1
    order = sorted(ranked, key=lambda each: (-won[each.player], seeds[each.player]))
    counts = [won[each.player] for each in order]
    return [
        TournamentStanding(1 + counts.index(won[each.player]), each.player, won[each.player], each.games, ())
        for each in order
    ]


def _winner(games: Sequence[Pairing], seeds: dict[int, int]) -> int | None:
    """Return the winner at a board, where the last game decides; None if it was abandoned.

    If it was drawn, the winner is the player who thought less in all games at the board; if their times are
    equal or unknown, the one with the better seed.
    """
    last = games[-1]
    first, second = last.first_points or 0.0, last.second_points or 0.0
    if last.second_id is None or first > second:
        return last.first_id if first else None
    if second > first:
        return last.second_id
    if not first:
        return None
    thought = {player: _thought(player, games) for player in (last.first_id, last.second_id)}
    return min(
        thought, key=lambda player: (thought[player] if None not in thought.values() else 0, seeds[player])
    )


def _thought(player: int, games: Iterable[Pairing]) -> int | None:
    """Return how many seconds a player has thought in all these games; None if it was not measured."""
    times = [each.first_thought if each.first_id == player else each.second_thought for each in games]
    return None if None in times else sum(seconds or 0 for seconds in times)
