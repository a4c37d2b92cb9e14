"""The strength of the computer players: matches of neighbouring levels, against random play, and against
yardsticks.
"""

from __future__ import annotations

import json
import multiprocessing
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from rules.bots import match
from rules.bots.match import Played
from rules.bots.match_players import AnyRules, Chooser, OfStrength, read_chooser
from rules.bots.sprt import Sprt, wilson
from rules.chance import Chance
from rules.registry import RULES
from rules.strengths import LEVELS, NAMES, STRENGTHS, level_of
from server.bench.computer_players.uct import Uct
from server.bench.computer_players.yardsticks import ONE_PLY, TWO_PLY, Yardstick

MOST_GAMES = 200
_UCT = {f"uct={seconds}": Uct(seconds) for seconds in (1, 5)}
YARDSTICKS = (ONE_PLY, TWO_PLY, "flat=1", *_UCT)
"""Fixed opponents for comparison; a number is the processor seconds per move."""
LINES_OF_MATCHES = (
    "| game | match | required | points | games | interval | reached | ms per move |",
    "|---|---|--:|--:|--:|---|---|---|",
)
LINES_OF_COSTS = (
    "| game | level | searches | ms per move | MB |",
    "|---|--:|--:|--:|--:|",
)
_STEP, _FROM_YARDSTICK = 0.65, 0.65
_FROM_RANDOM, _FROM_RANDOM_WITH_DICE = 0.95, 0.80
_WORK = 1.0
"""The processor seconds per move of the strongest player in a match: a fifth of its usual time."""
_ROOM = 0.10
"""The distance between the required share and each of the two shares that the test compares."""
_ALL = 0.99
"""The highest share that is required."""


@dataclass(frozen=True)
class MatchResult:
    """One match: the game with its options, the players, the required share of the points, and the results."""

    game: str
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
    def interval(self) -> tuple[float, float]:
        """The interval that contains the true share in 19 of 20 cases."""
        return wilson(sum(played.points for played in self.games), len(self.games))

    def milliseconds(self, side: int) -> float:
        """Return the processor time per move of one of the players, in milliseconds."""
        moves = sum(played.moves[side] for played in self.games)
        return 1000 * sum(played.seconds[side] for played in self.games) / max(moves, 1)


@dataclass(frozen=True)
class StrengthCost:
    """The cost of a level per move: milliseconds of processor time, and the most megabytes that it keeps."""

    game_type: str
    level: int
    searches: str
    milliseconds: float
    megabytes: float


def row(line: MatchResult) -> str:
    """Return a match as a row of a table."""
    found = {True: "yes", False: "no", None: "not decided"}[line.verdict]
    times = " / ".join(f"{line.milliseconds(side):.1f}" for side in (0, 1))
    least, most = line.interval
    return (
        f"| {line.game} | {line.first} - {line.second} | {line.asked:.0%} | {line.share:.1%} | "
        f"{len(line.games)} | {least:.0%} to {most:.0%} | {found} | {times} |"
    )


def pairings(rules: AnyRules, *, yardsticks: bool = True) -> Iterator[tuple[str, str, float]]:
    """Yield the pairs to match in a game, with the share of the points required of the first."""
    for lower, higher in pairwise(NAMES):
        yield higher, lower, _STEP
    yield NAMES[-1], "random", _FROM_RANDOM_WITH_DICE if has_dice(rules) else _FROM_RANDOM
    if yardsticks:
        yield from ((NAMES[-1], yardstick, _FROM_YARDSTICK) for yardstick in YARDSTICKS)


@dataclass(frozen=True)
class Setting:
    """The options, budgets and number of games that all matches of a game have in common."""

    options: Mapping[str, object] = field(default_factory=dict)
    """The options of the game that differ from the defaults."""
    positions: int | None = None
    """The positions that the strongest level searches per move, instead of a second of processor time."""
    processes: int = 1
    most: int = MOST_GAMES
    """The most games of a match."""


def matches(
    game_types: Sequence[str],
    setting: Setting,
    *,
    yardsticks: bool = True,
    results: Path | None = None,
) -> Iterator[MatchResult]:
    """Play all matches of these games, one after the other.

    The games in the file `results` are not played again, and each new one is added to it.
    """
    kept = _Kept(results)
    for name in game_types:
        for first, second, asked in pairings(RULES[name], yardsticks=yardsticks):
            yield _match(RULES[name], first, second, asked, setting, kept)


def player(text: str, positions: int | None = None) -> Chooser:
    """Return the computer player or the yardstick that a text names, for a match. Raises ValueError.

    The strongest level searches `positions` positions per move if given, otherwise for one second; it proves as
    usual.
    """
    if text in (ONE_PLY, TWO_PLY):
        return Yardstick(text == TWO_PLY)
    if text in _UCT:
        return _UCT[text]
    level = level_of(text)
    if level is None:
        return read_chooser(text)
    return OfStrength(level, _WORK, positions)


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


class _Kept:
    """The results of all games so far, in a file if there is a path: a line of JSON for each game."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._games: dict[tuple[str, ...], list[Played]] = {}
        for line in path.read_text().splitlines() if path and path.exists() else ():
            data: dict[str, Any] = json.loads(line)
            match_of_it, found = tuple(data["match"]), data["played"]
            played = Played(found["points"], tuple(found["moves"]), tuple(found["seconds"]))
            self._games.setdefault(match_of_it, []).append(played)

    def games(self, *match_of_it: str) -> list[Played]:
        """Return the games of a match, in order."""
        return list(self._games.get(match_of_it, ()))

    def add(self, played: Played, *match_of_it: str) -> None:
        """Add the next game of a match."""
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps({"match": match_of_it, "played": asdict(played)}) + "\n")


def _match(
    rules: AnyRules, first: str, second: str, asked: float, setting: Setting, kept: _Kept
) -> MatchResult:
    options, usual = rules.options(setting.options), rules.options({})
    seats = len(rules.seats(options))
    differing = [f"{name}={value}" for name, value in sorted(options.items()) if value != usual[name]]
    game = " ".join([rules.name, *differing])
    asked = _with_seats(asked, seats)
    test = Sprt(asked - _ROOM, min(asked + _ROOM, _ALL))
    limited = setting.positions is not None and first == NAMES[-1]
    named = f"{first} ({setting.positions})" if limited else first
    pair, games = (game, named, second), kept.games(game, named, second)[: setting.most]
    if (verdict := _verdict(test, games, seats)) is None:
        players, done = (player(first, setting.positions), player(second)), len(games)
        with match.played(
            rules,
            options,
            players,
            setting.most,
            first=done,
            seed="opponents",
            processes=setting.processes,
        ) as all_played:
            for played in all_played:
                games.append(played)
                kept.add(played, *pair)
                if (verdict := _verdict(test, games, seats)) is not None:
                    break
    return MatchResult(game, named, second, asked, tuple(games), verdict)


def _with_seats(share: float, seats: int) -> float:
    """Return the share of one seat against all others whose odds against each are those of `share` in a game of
    two.
    """
    odds = share / (1 - share)
    return odds / (odds + seats - 1)


def _verdict(test: Sprt, games: Sequence[Played], seats: int) -> bool | None:
    """Return the result of a test after complete rounds of games; None if more games are needed."""
    if not games or len(games) % seats:
        return None
    return test.verdict(sum(played.points for played in games), len(games))


def _cost(name: str, level: int) -> StrengthCost:
    """Play two games to see how long moves take, and one more, slowly, to see how much memory."""
    game_type, measured = RULES[name], player(str(level))
    timed = [match.play_one(game_type, {}, (measured, measured), 2 * number, "cost") for number in range(2)]
    moves, seconds = sum(sum(each.moves) for each in timed), sum(sum(each.seconds) for each in timed)
    tracemalloc.start()
    match.play_one(game_type, {}, (measured, measured), 0, "cost")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return StrengthCost(
        name, level, STRENGTHS[level - 1].limited(_WORK).searches, 1000 * seconds / moves, most / (1 << 20)
    )


def _beginning(rules: AnyRules) -> object:
    options = rules.options({})
    return rules.start(options, rules.setup(options, Chance(bytes(32), "setup")))
