"""Standings: points, tie-breaks, places."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from server.pairing.meeting import WIN, Played

Points = Mapping[int, float]


@dataclass(frozen=True)
class TieBreak:
    """A rule that separates players with the same points; `about` explains it to players."""

    name: str
    title: str
    about: str
    count: Callable[[int, Sequence[int], Sequence[Played], Points], float]
    """Returns the value for a player, from the players with the same points, all results, and all points."""


@dataclass(frozen=True)
class TournamentStanding:
    """One player's standing. `place` is from 1, and shared by players who are still tied; `ties` are in the
    order of the tie-breaks.
    """

    place: int
    player: int
    points: float
    games: int
    ties: tuple[float, ...]


def points_of(players: Sequence[int], played: Sequence[Played]) -> dict[int, float]:
    """Return the points of each of the players."""
    points = dict.fromkeys(players, 0.0)
    for each in played:
        for player in each[:2]:
            if player in points:
                points[player] += each.points(player)
    return points


def standings(
    players: Sequence[int], played: Sequence[Played], ties: Sequence[TieBreak]
) -> list[TournamentStanding]:
    """Return all standings, the best first; players who are still tied keep the given order."""
    own: dict[int, list[Played]] = {player: [] for player in players}
    for each in played:
        for player in each[:2]:
            if player in own:
                own[player].append(each)
    points = {player: sum(each.points(player) for each in own[player]) for player in players}
    alike: dict[float, list[int]] = {}
    for player in players:
        alike.setdefault(points[player], []).append(player)
    parted = {
        player: tuple(tie.count(player, alike[points[player]], own[player], points) for tie in ties)
        for player in players
    }
    marks = {player: (points[player], parted[player]) for player in players}
    ranked = sorted(players, key=lambda player: marks[player], reverse=True)
    return [
        TournamentStanding(
            place=1 + sum(marks[other] > marks[player] for other in players),
            player=player,
            points=points[player],
            games=sum(each.second is not None for each in own[player]),
            ties=parted[player],
        )
        for player in ranked
    ]


def _buchholz(player: int, alike: Sequence[int], own: Sequence[Played], points: Points) -> float:
    return sum(_points(each.opponent(player), player, points) for each in own)


def _sonneborn_berger(player: int, alike: Sequence[int], own: Sequence[Played], points: Points) -> float:
    return sum(each.points(player) * _points(each.opponent(player), player, points) for each in own)


def _head_to_head(player: int, alike: Sequence[int], own: Sequence[Played], points: Points) -> float:
    return sum(each.points(player) for each in own if each.opponent(player) in alike)


def _wins(player: int, alike: Sequence[int], own: Sequence[Played], points: Points) -> float:
    return float(sum(each.second is not None and each.points(player) == WIN for each in own))


def _fewer_games(player: int, alike: Sequence[int], own: Sequence[Played], points: Points) -> float:
    return -float(sum(each.second is not None for each in own))


def _points(opponent: int | None, player: int, points: Points) -> float:
    """Return the points of an opponent; for a bye, the player's own. A player no longer listed has none."""
    return points[player] if opponent is None else points.get(opponent, 0.0)


TIE_BREAKS: Mapping[str, TieBreak] = {
    tie.name: tie
    for tie in (
        TieBreak("buchholz", "Buchholz", "the points of all opponents; for a bye, one’s own", _buchholz),
        TieBreak(
            "sonneborn",
            "Sonneborn-Berger",
            "the points of all beaten opponents, and half the points of those drawn with",
            _sonneborn_berger,
        ),
        TieBreak("head", "Head to head", "points in games among those with the same points", _head_to_head),
        TieBreak("wins", "Wins", "games won", _wins),
        TieBreak("games", "Fewer games", "fewer games needed for the same points", _fewer_games),
    )
}
"""All tie-breaks, by the name in options."""
