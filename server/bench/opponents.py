"""How strong the computer players are: matches of neighbours, against random play, and against a yardstick."""

from __future__ import annotations

import multiprocessing
import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rules.bots import match
from rules.bots.match import Played
from rules.bots.match_players import AnyRules, read_chooser
from rules.bots.sprt import Sprt, standard_error
from rules.chance import Chance
from rules.registry import RULES
from rules.strengths import LEVELS, NAMES, STRENGTHS

MOST_GAMES = 200
YARDSTICK = "flat=1"
"""The only computer player there once was: one second of random games a move."""
LINES_OF_MATCHES = (
    "| game | match | required | points | games | error | reached | ms per move |",
    "|---|---|--:|--:|--:|--:|---|---|",
)
LINES_OF_COSTS = (
    "| game | level | positions | ms per move | MB |",
    "|---|--:|--:|--:|--:|",
)
_STEP, _STEP_WITH_DICE = 0.60, 0.55
_FROM_RANDOM, _FROM_RANDOM_WITH_DICE = 0.95, 0.80
_FROM_YARDSTICK = 0.65
_ROOM = 0.05
"""How far from the share that is asked for the two lie between which the test decides."""
_ALL = 0.99
"""More than that is asked of nobody."""


@dataclass(frozen=True)
class MatchResult:
    """One match: who against whom, how much of the points is asked for, and how it went."""

    game_type: str
    first: str
    second: str
    asked: float
    games: tuple[Played, ...]
    verdict: bool | None
    """Whether the test found that the first takes as much; None if all games did not tell."""

    @property
    def share(self) -> float:
        """The share of the points that the first took."""
        return sum(played.points for played in self.games) / len(self.games)

    @property
    def error(self) -> float:
        """The standard error of that."""
        return standard_error([played.points for played in self.games])

    def milliseconds(self, side: int) -> float:
        """The time that one of them took for a move, on the processor."""
        moves = sum(played.moves[side] for played in self.games)
        return 1000 * sum(played.seconds[side] for played in self.games) / max(moves, 1)


@dataclass(frozen=True)
class StrengthCost:
    """What a strength takes for a move: milliseconds on the processor, and megabytes that it keeps at most."""

    game_type: str
    level: int
    nodes: int
    milliseconds: float
    megabytes: float


def row(line: MatchResult) -> str:
    """A match as a row of a table."""
    found = {True: "yes", False: "no", None: "not decided"}[line.verdict]
    times = " / ".join(f"{line.milliseconds(side):.1f}" for side in (0, 1))
    return (
        f"| {line.game_type} | {line.first} - {line.second} | {line.asked:.0%} | {line.share:.1%} | "
        f"{len(line.games)} | ± {line.error:.1%} | {found} | {times} |"
    )


def pairings(rules: AnyRules, *, yardstick: bool = True) -> Iterator[tuple[str, str, float]]:
    """Who is matched with whom in a game, and how much of the points the first is asked to take."""
    dice = has_dice(rules)
    step, from_random = (_STEP_WITH_DICE, _FROM_RANDOM_WITH_DICE) if dice else (_STEP, _FROM_RANDOM)
    for lower, higher in pairwise(NAMES):
        yield higher, lower, step
    yield NAMES[-1], "random", from_random
    if yardstick:
        yield NAMES[-1], YARDSTICK, _FROM_YARDSTICK


def matches(
    game_types: Sequence[str], processes: int, most: int = MOST_GAMES, *, yardstick: bool = True
) -> Iterator[MatchResult]:
    """All matches of these games, one after the other, of so many games at most."""
    for name in game_types:
        for first, second, asked in pairings(RULES[name], yardstick=yardstick):
            yield _match(RULES[name], first, second, asked, processes, most)


def costs(game_types: Sequence[str], levels: Sequence[int] = LEVELS) -> Iterator[StrengthCost]:
    """What each of these strengths takes for a move, each in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    for name in game_types:
        for level in levels:
            with spawn.Pool(1) as pool:
                yield pool.apply(_cost, (name, level))


def has_dice(rules: AnyRules) -> bool:
    """Whether dice are rolled in a game."""
    return rules.dice(_beginning(rules)) > 0


def _match(rules: AnyRules, first: str, second: str, asked: float, processes: int, most: int) -> MatchResult:
    test = Sprt(asked - _ROOM, min(asked + _ROOM, _ALL))
    games: list[Played] = []
    verdict, points = None, 0.0
    players = (read_chooser(first), read_chooser(second))
    with match.played(rules, {}, players, most, seed="opponents", processes=processes) as all_played:
        for played in all_played:
            games.append(played)
            points += played.points
            verdict = test.verdict(points, len(games)) if len(games) % 2 == 0 else None
            if verdict is not None:
                break
    return MatchResult(rules.name, first, second, asked, tuple(games), verdict)


def _cost(name: str, level: int) -> StrengthCost:
    """Play two games to see how long moves take, and one more, slowly, to see how much memory."""
    game_type, player = RULES[name], read_chooser(str(level))
    timed = [match.play_one(game_type, {}, (player, player), 2 * number, "cost") for number in range(2)]
    moves, seconds = sum(sum(each.moves) for each in timed), sum(sum(each.seconds) for each in timed)
    tracemalloc.start()
    match.play_one(game_type, {}, (player, player), 0, "cost")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return StrengthCost(name, level, STRENGTHS[level - 1].nodes, 1000 * seconds / moves, most / (1 << 20))


def _beginning(rules: AnyRules) -> object:
    options = rules.options({})
    return rules.start(options, rules.setup(options, Chance(bytes(32), "setup")))
