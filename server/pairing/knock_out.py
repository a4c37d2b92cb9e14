"""A knock-out tournament: the loser of a game is out."""

from collections.abc import Sequence

from server.pairing.meeting import Meeting, Played, seated


def places(players: int) -> int:
    """Return how many places the first round of the bracket has: a power of two; some may stay empty."""
    return 1 << max(players - 1, 1).bit_length()


def rounds(players: int) -> int:
    """Return the number of rounds."""
    return places(players).bit_length() - 1


def first_round(players: Sequence[int]) -> list[Meeting]:
    """Return the first meetings, in the order of the bracket: two neighbours lead to one meeting.

    The best seeds can meet only at the end, and they get the byes.
    """
    bracket = [players[seed] if seed < len(players) else None for seed in _seeds(places(len(players)))]
    return [_meeting(one, other, []) for one, other in zip(bracket[::2], bracket[1::2], strict=True)]


def next_round(last: Sequence[int | None], played: Sequence[Played]) -> list[Meeting | None]:
    """Return the next meetings from the winners of the last round; None for a meeting without players.

    A player whose opponent is None has a bye. Raises ValueError unless there are two or more.
    """
    if len(last) < 2 or len(last) % 2:
        raise ValueError("a round is followed by another only if it has an even number of meetings")
    pairs = zip(last[::2], last[1::2], strict=True)
    return [None if one is None and other is None else _meeting(one, other, played) for one, other in pairs]


def _meeting(one: int | None, other: int | None, played: Sequence[Played]) -> Meeting:
    if one is None or other is None:
        present = one if other is None else other
        if present is None:
            raise ValueError("a meeting without players")
        return Meeting(present, None)
    return seated(one, other, list(played))


def _seeds(size: int) -> list[int]:
    """Return the seeds, from 0, by place of the bracket: in each round, the best meets the worst."""
    seeds = [0]
    while len(seeds) < size:
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) - 1 - seed)]
    return seeds
