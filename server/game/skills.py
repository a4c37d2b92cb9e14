"""What the result of a game changes about the skills that its players are believed to have."""

from collections.abc import Sequence
from functools import cache

from openskill.models import ThurstoneMostellerFull

from rules.result import Result
from server.game.ratings import Skill


def rate(skills: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The skills after a game, by seat; `ranks` are those of `ranks_of`."""
    model = _model()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Skill(each.mu, each.sigma) for (each,) in rated]


def ranks_of(result: Result, seats: int) -> list[int]:
    """By seat, the rank from 0; those who share a draw are equal, as are losers whom nothing ranks."""
    ranks = [len(result.winners)] * seats
    for place, seat in enumerate(result.places or ()):
        ranks[seat] = place
    for seat in result.winners:
        ranks[seat] = 0
    return ranks


@cache
def _model() -> ThurstoneMostellerFull:
    return ThurstoneMostellerFull()
