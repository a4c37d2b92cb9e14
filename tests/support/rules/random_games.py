"""Whole games of random moves, the same for the same seed on every machine; and short ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from rules.chance import Chance
from rules.game import Json, Rules, Step
from rules.games.nardshir.board import OFF
from rules.games.nardshir.position import Position
from rules.playout import random_step
from rules.records.record import turn_of
from rules.registry import RULES

AnyRules = Rules[Any, Any]
AnyStep = Step[Any, Any]


def seed(number: int) -> bytes:
    """The seed of game `number`."""
    return number.to_bytes(32, "big")


def first_position(rules: AnyRules, options: Json, number: int = 0) -> Any:
    """Where game `number` begins, with the layout that its seed gives."""
    return rules.start(options, rules.setup(options, Chance(seed(number), "layout")))


def random_game(rules: AnyRules, options: Json, number: int = 0) -> Iterator[AnyStep]:
    """The turns of game `number`, to its end."""
    position = first_position(rules, options, number)
    below = Chance(seed(number), "moves").below
    while not rules.result(position):
        step = random_step(rules, position, below)
        yield step
        position = step.after


Moves = Callable[[Any], Mapping[int, Any]]
"""Gives the moves of all who are to move in a position."""


def short_game(game_type: str, options: Json) -> Moves:
    """Who plays by these random moves is done soon: of many games, the shortest.

    Shortest where a game's own chance does not decide it; of Nardshir's the fastest of many moves is played.
    """
    rules = RULES[game_type]
    below = Chance(seed(_shortest(game_type, tuple(sorted(options.items())))), "moves").below
    choose = _fastest if game_type == "nardshir" else _any
    return lambda position: {seat: choose(rules, position, seat, below) for seat in rules.to_move(position)}


@cache
def _shortest(game_type: str, options: tuple[tuple[str, Any], ...], of: int = 30) -> int:
    """The number of the shortest of many random games."""
    rules = RULES[game_type]
    games = {
        number: sum(len(step.moves) for step in random_game(rules, rules.options(dict(options)), number))
        for number in range(of)
    }
    return min(games, key=lambda number: games[number])


def _any(rules: AnyRules, position: Any, seat: int, below: Callable[[int], int]) -> Any:
    return rules.sample(position, seat, below)


def _fastest(rules: AnyRules, position: Position, seat: int, below: Callable[[int], int]) -> Any:
    moves = [rules.sample(position, seat, below) for _ in range(50)]
    return min(moves, key=lambda move: _to_go(rules.play(position, {seat: move})))


def _to_go(position: Position) -> int:
    """How many points all discs have to go, those of both seats."""
    return sum((OFF - place) * discs for side in position.discs for place, discs in enumerate(side))


def played(game_type: str, options: dict[str, object], most: int, seed: str = "one") -> Json:
    """The request to assess a game of random moves, or its beginning."""
    rules, chance = RULES[game_type], Chance(bytes(32), f"played {seed}")
    given = rules.options(options)
    setup = rules.setup(given, chance)
    position: Any = rules.start(given, setup)
    turns: list[Any] = []
    while rules.result(position) is None and len(turns) < most:
        step = random_step(rules, position, chance.below)
        turns.append([len(turns) + 1, turn_of(rules, step).to_json()])
        position = step.after
    return request(game_type, given, setup, turns)


def request(game_type: str, options: Json, setup: Json, turns: list[Any]) -> Json:
    asked = {"what": "assessment", "game_type": game_type, "options": options, "setup": setup, "turns": turns}
    return {**asked, "seed": "00" * 32}
