"""How many whole games a second the rules play, by kind and variant."""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from rules.chance import Chance
from rules.game import Json, Kind
from rules.playout import random_step
from rules.registry import KINDS, kind


def run(seconds: float, only: str | None = None) -> Iterator[tuple[str, str, float]]:
    """Kind, variant and random games a second in one thread, about `seconds` for each variant.

    `only` names one kind; raises BadData when there is none of that name.
    """
    for rules in [kind(only)] if only else KINDS.values():
        for options in rules.variants:
            variant = " ".join(f"{key}={value}" for key, value in options.items())
            yield rules.name, variant or "default", _rate(rules, rules.options(options), seconds)


def _rate(rules: Kind[Any, Any], options: Json, seconds: float) -> float:
    below = random.Random(1).randrange  # noqa: S311 - a benchmark needs speed, not secrecy
    games, spent, start = 0, 0.0, time.perf_counter()
    while not games or spent < seconds:
        _play(rules, options, games, below)
        games += 1
        spent = time.perf_counter() - start
    return games / spent


def _play(rules: Kind[Any, Any], options: Json, number: int, below: Callable[[int], int]) -> None:
    """One game, from its own layout to its end."""
    setup = rules.setup(options, Chance(number.to_bytes(32, "big"), "layout"))
    position = rules.start(options, setup)
    while not rules.result(position):
        position = random_step(rules, position, below).after
