"""Complete games of random moves, the same for the same seed on every machine; and short ones."""

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
    """Return the seed of game `number`."""
    return number.to_bytes(32, "big")


def first_position(rules: AnyRules, options: Json, number: int = 0) -> Any:
    """Return the first position of game `number`, with the layout of its seed."""
    return rules.start(options, rules.setup(options, Chance(seed(number), "layout")))


def random_game(rules: AnyRules, options: Json, number: int = 0) -> Iterator[AnyStep]:
    """Yield the turns of game `number`, to its end."""
    position = first_position(rules, options, number)
    below = Chance(seed(number), "moves").below
    while not rules.result(position):
        step = random_step(rules, position, below)
        yield step
        position = step.after


Moves = Callable[[Any], Mapping[int, Any]]
"""Returns the moves of all seats to move in a position."""


def short_game(game_type: str, options: Json) -> Moves:
    """Return the moves of the shortest of many random games.

    If a game's dice decide its length, it may be longer; in Nardshir each move is the fastest of many.
    """
    rules = RULES[game_type]
    below = Chance(seed(_shortest(game_type, tuple(sorted(options.items())))), "moves").below
    choose = _fastest if game_type == "nardshir" else _any
    return lambda position: {seat: choose(rules, position, seat, below) for seat in rules.to_move(position)}


@cache
def _shortest(game_type: str, options: tuple[tuple[str, Any], ...], of: int = 30) -> int:
    """Return the number of the shortest of many random games."""
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
    """Return how many points all discs have to go, those of both seats."""
    return sum((OFF - place) * discs for side in position.discs for place, discs in enumerate(side))


def played(game_type: str, options: dict[str, object], most: int, seed: str = "one") -> Json:
    """Return the request to assess a game of random moves, or its beginning."""
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
