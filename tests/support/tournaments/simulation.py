"""Tournaments with simulated games: pairings, brackets and everything else are the real ones.

The winner of a game is drawn by strength, and its length by the usual number of turns and both players’ pace.
One player of each tournament manipulates; the same draws also give the tournament in which that player is
honest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf
from random import Random

from server.pairing import adjudication, knock_out, ladder, round_robin, swiss
from server.pairing.meeting import DRAW, LOSS, WIN, Meeting, Played, bye
from server.pairing.standings import TIE_BREAKS, TournamentStanding, standings
from server.store.models import Entrant, Pairing
from server.tournaments import knock_out_winners, seeding
from server.tournaments.length import GameLength
from server.tournaments.plan import TournamentPlan
from server.tournaments.rows import decided

HONEST = "honest"
STALLER, LATE_STALLER = "staller", "staller when losing"
SANDBAGGER, LEAVER = "sandbagger", "leaver"
MANIPULATORS = (STALLER, LATE_STALLER, SANDBAGGER, LEAVER)
"""Dishonest strategies: answer late, always or in lost games; lose rated games before; leave in the middle."""

_PLAYERS = {"double": 10}
"""The number of players of a tournament, if it is not 16."""
_MOST_PLAYERS = 16
_STEP = 50
"""The difference in rating points from one player to the next."""
_POINTS = 470
"""The scale of Elo’s formula: with 100 points more a player wins 62 of 100."""
_DRAWN = 0.1
_STALLING = 0.97
"""The share of the time for a move that a staller uses."""
_HONEST = (0.05, 0.6)
"""The least and the greatest share that others use, on average in a game."""
_TURNS = (0.85, 0.2)
"""Mean and deviation of the turns of a game, as a share of the usual number."""
_SANDBAGGED = 10.0
"""The drop of a sandbagger's average rating: 480 points."""


@dataclass(frozen=True)
class _Game:
    """The course of a game, by seat; `lasted` in seconds."""

    points: tuple[float, float]
    thought: tuple[int, int]
    lasted: float
    adjudicated: bool

    @property
    def turned(self) -> _Game:
        """The same game with the seats swapped."""
        return _Game(self.points[::-1], self.thought[::-1], self.lasted, self.adjudicated)


@dataclass
class World:
    """One tournament: the players are numbered from 0, by strength, the best first."""

    plan: TournamentPlan
    length: GameLength
    draws: str
    manipulator: int
    behaviour: str
    games: dict[tuple[int, int], int] = field(default_factory=dict)
    """How often each two players have met."""

    @property
    def seeded(self) -> list[int]:
        """All players, by seed."""
        number = players_of(self.plan.form.name)
        skills = {player: 25.0 + (number / 2 - player) * _STEP / 48 for player in range(number)}
        now = dict(skills)
        if self.behaviour == SANDBAGGER:
            now[self.manipulator] -= _SANDBAGGED
        best = seeding.best(now, skills)
        return seeding.order({player: str(player) for player in skills}, best, self.draws)

    def leaves(self, player: int) -> bool:
        """Return whether a player leaves in the middle."""
        return self.behaviour == LEAVER and player == self.manipulator

    def play(self, meeting: Meeting) -> _Game:
        """Play the next game of two players."""
        first, second = meeting.first, meeting.second or 0
        low, high = sorted((first, second))
        self.games[low, high] = self.games.get((low, high), 0) + 1
        game = self._game(low, high, Random(f"{self.draws} {low} {high} {self.games[low, high]}"))
        return game if first == low else game.turned

    def _game(self, low: int, high: int, draw: Random) -> _Game:
        """Draw the course of a game: two halves, each with a pace per player, unless time runs out before."""
        expected = 1 / (1 + 10 ** ((low - high) * _STEP / _POINTS))
        drawn, chance = draw.random() < _DRAWN, draw.random()
        points = (DRAW, DRAW) if drawn else (WIN, LOSS) if chance < expected else (LOSS, WIN)
        turns = self.length.turns * min(max(draw.gauss(*_TURNS), 0.3), 2.0)
        paces = [draw.uniform(*_HONEST) for _ in range(2)]
        a_turn = self.length.ordinary.total_seconds() / self.length.turns
        left = self.plan.after.total_seconds() if self.plan.adjudicates else inf
        thought, lasted = [0.0, 0.0], 0.0
        for half in range(2):
            used = [
                a_turn * turns / 4 * self._pace(player, pace, half, lost=points[seat] == LOSS)
                for seat, (player, pace) in enumerate(zip((low, high), paces, strict=True))
            ]
            share = min(1.0, (left - lasted) / sum(used))
            thought = [before + share * more for before, more in zip(thought, used, strict=True)]
            lasted += share * sum(used)
            if share < 1:
                seconds = int(thought[0]), int(thought[1])
                winners = adjudication.winners(seconds)
                settled = [(WIN if len(winners) == 1 else DRAW) if seat in winners else LOSS for seat in (0, 1)]
                return _Game((settled[0], settled[1]), seconds, lasted, adjudicated=True)
        return _Game(points, (int(thought[0]), int(thought[1])), lasted, adjudicated=False)

    def _pace(self, player: int, honest: float, half: int, *, lost: bool) -> float:
        """Return the share of the time for a move that a player uses in one half of a game."""
        stalls = self.behaviour == STALLER or (self.behaviour == LATE_STALLER and lost and half == 1)
        return _STALLING if stalls and player == self.manipulator else honest


def players_of(form: str) -> int:
    """Return how many players a tournament of this form has here."""
    return _PLAYERS.get(form, _MOST_PLAYERS)


def play(world: World) -> list[TournamentStanding]:
    """Play a tournament to its end, and return the standings."""
    return _PLAYED_AS[world.plan.form.name](world)


def _ranked(world: World, players: Sequence[int], played: Sequence[Played]) -> list[TournamentStanding]:
    return standings(players, played, [TIE_BREAKS[name] for name in world.plan.ties])


def _round_robin(world: World) -> list[TournamentStanding]:
    """Play all games at the same time; a player who leaves has finished half of their games."""
    players, played, finished = world.seeded, [], 0
    rounds = round_robin.rounds(players, double=world.plan.form.name == "double")
    for meeting in (meeting for meetings in rounds for meeting in meetings):
        game = world.play(meeting)
        if world.leaves(meeting.first) or world.leaves(meeting.second or 0):
            finished += 1
            if finished > len(rounds) / 2:
                game = _Game(_without(world, meeting), game.thought, 0, adjudicated=False)
        played.append(Played(*meeting, *game.points))
    return _ranked(world, players, played)


def _swiss(world: World) -> list[TournamentStanding]:
    players, played = world.seeded, list[Played]()
    rounds = swiss.usual_rounds(len(players))
    for number in range(rounds):
        playing = [player for player in players if number < rounds / 2 or not world.leaves(player)]
        for meeting in swiss.next_round(playing, played):
            points = None if meeting.second is None else world.play(meeting).points
            played.append(bye(meeting.first) if points is None else Played(*meeting, *points))
    return _ranked(world, players, played)


def _knock_out(world: World) -> list[TournamentStanding]:
    players, pairings = world.seeded, list[Pairing]()
    entrants = [
        Entrant(tournament_id=1, player_id=player, number=seed, seed=seed)
        for seed, player in enumerate(players, 1)
    ]
    rounds = knock_out.rounds(len(players))
    meetings: Sequence[Meeting | None] = knock_out.first_round(players)
    for number in range(1, rounds + 1):
        for board, meeting in enumerate(meetings, 1):
            if meeting is not None:
                pairings += _legs(world, meeting, number, board, late=number > rounds / 2)
        through = knock_out_winners.through(entrants, pairings, number, rounds)
        meetings = knock_out.next_round(through, decided(pairings)) if number < rounds else []
    return knock_out_winners.by_rounds_won(_ranked(world, players, []), entrants, pairings, rounds)


def _legs(world: World, meeting: Meeting, number: int, board: int, *, late: bool) -> Iterator[Pairing]:
    """Yield the one or two games at a board; games against a player who has left are not played."""
    first, second = meeting
    if second is None:
        rest = Pairing(tournament_id=1, round=number, board=board, first_id=first)
        rest.first_points, rest.second_points = WIN, LOSS
        yield rest
        return
    for leg, (one, other) in enumerate(((first, second), (second, first)), 1):
        pairing = Pairing(tournament_id=1, round=number, board=board, leg=leg, first_id=one, second_id=other)
        if late and (world.leaves(one) or world.leaves(other)):
            pairing.first_points, pairing.second_points = _without(world, Meeting(one, other))
        else:
            game = world.play(Meeting(one, other))
            pairing.first_points, pairing.second_points = game.points
            pairing.first_thought, pairing.second_thought = game.thought
            pairing.adjudicated = game.adjudicated
        yield pairing
        if pairing.first_points != DRAW or pairing.adjudicated:
            return


def _ladder(world: World) -> list[TournamentStanding]:
    """Pair free players again and again; games that are unfinished at the end do not count."""
    players, played = world.seeded, list[Played]()
    ends = world.plan.lasts.total_seconds()
    running: list[tuple[float, int, Meeting, tuple[float, float]]] = []
    free, begun, now = list(players), 0, 0.0
    while now < ends:
        present = [player for player in players if now < ends / 2 or not world.leaves(player)]
        for meeting in ladder.next_meetings([player for player in free if player in present], present, played):
            game, begun = world.play(meeting), begun + 1
            heappush(running, (now + game.lasted, begun, meeting, game.points))
            free = [player for player in free if player not in meeting]
        if not running:
            break
        now, _, meeting, points = heappop(running)
        if now < ends:
            gone = now >= ends / 2 and any(map(world.leaves, meeting.players))
            played.append(Played(*meeting, *(_without(world, meeting) if gone else points)))
        free += meeting.players
    return _ranked(world, players, played)


def _without(world: World, meeting: Meeting) -> tuple[float, float]:
    """Return the points of a meeting of which one player has left."""
    return (LOSS, WIN) if world.leaves(meeting.first) else (WIN, LOSS)


_PLAYED_AS = {
    "round-robin": _round_robin,
    "double": _round_robin,
    "swiss": _swiss,
    "knock-out": _knock_out,
    "ladder": _ladder,
}
