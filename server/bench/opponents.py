"""The strength of the computer players: matches of neighbouring levels, against random play, and against a
yardstick.
"""

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
"""A fixed opponent for comparison: one second of random games per move."""
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
"""The distance between the required share and each of the two shares that the test compares."""
_ALL = 0.99
"""The highest share that is required."""


@dataclass(frozen=True)
class MatchResult:
    """One match: the players, the required share of the points, and the results."""

    game_type: str
    first: str
    second: str
    asked: float
    games: tuple[Played, ...]
    verdict: bool | None
    """True if the test found that the first player reaches the share; None if there were too few games to
    decide.
    """

    @property
    def share(self) -> float:
        """The first player's share of the points."""
        return sum(played.points for played in self.games) / len(self.games)

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return standard_error([played.points for played in self.games])

    def milliseconds(self, side: int) -> float:
        """Return the processor time per move of one of the players, in milliseconds."""
        moves = sum(played.moves[side] for played in self.games)
        return 1000 * sum(played.seconds[side] for played in self.games) / max(moves, 1)


@dataclass(frozen=True)
class StrengthCost:
    """The cost of a level per move: milliseconds of processor time, and the most megabytes that it keeps."""

    game_type: str
    level: int
    nodes: int
    milliseconds: float
    megabytes: float


def row(line: MatchResult) -> str:
    """Return a match as a row of a table."""
    found = {True: "yes", False: "no", None: "not decided"}[line.verdict]
    times = " / ".join(f"{line.milliseconds(side):.1f}" for side in (0, 1))
    return (
        f"| {line.game_type} | {line.first} - {line.second} | {line.asked:.0%} | {line.share:.1%} | "
        f"{len(line.games)} | ± {line.error:.1%} | {found} | {times} |"
    )


def pairings(rules: AnyRules, *, yardstick: bool = True) -> Iterator[tuple[str, str, float]]:
    """Yield the pairs to match in a game, with the share of the points required of the first."""
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
    """Play all matches of these games, one after the other, of at most `most` games each."""
    for name in game_types:
        for first, second, asked in pairings(RULES[name], yardstick=yardstick):
            yield _match(RULES[name], first, second, asked, processes, most)


def costs(game_types: Sequence[str], levels: Sequence[int] = LEVELS) -> Iterator[StrengthCost]:
    """Measure the cost of a move of each of these levels, each in a separate process."""
    spawn = multiprocessing.get_context("spawn")
    for name in game_types:
        for level in levels:
            with spawn.Pool(1) as pool:
                yield pool.apply(_cost, (name, level))


def has_dice(rules: AnyRules) -> bool:
    """Return whether dice are rolled in a game."""
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
