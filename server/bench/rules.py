"""The number of complete games per second that the rules play, by game and variant."""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from rules.chance import Chance
from rules.game import Json, Rules
from rules.playout import play_turns
from rules.registry import RULES, rules_named

_LONGEST = 10_000
"""The most turns of a game."""


class Rate(NamedTuple):
    """Random games per second on one core, from a new layout to the end."""

    game_type: str
    variant: str
    by_turns: float
    """The rate turn by turn, as people play."""
    by_game_type: float | None
    """The rate with the rules' fast playout for computer players; None if they have none."""


def run(seconds: float, only: str | None = None) -> Iterator[Rate]:
    """Yield the rates of each game and variant, with about `seconds` of processor time for each.

    `only` names one game; raises BadData if there is no such game.
    """
    for rules in [rules_named(only)] if only else RULES.values():
        for options in rules.variants:
            variant = " ".join(f"{key}={value}" for key, value in options.items()) or "default"
            settled = rules.options(options)
            alone = (
                None if type(rules).playout is Rules.playout else _rate(rules, settled, seconds, rules.playout)
            )
            yield Rate(rules.name, variant, _rate(rules, settled, seconds, partial(play_turns, rules)), alone)


def _rate(rules: Rules[Any, Any], options: Json, seconds: float, play: Callable[..., object]) -> float:
    below = random.Random(1).randrange  # noqa: S311 - a benchmark needs speed, not secrecy
    games, spent, start = 0, 0.0, time.process_time()
    while not games or spent < seconds:
        setup = rules.setup(options, Chance(games.to_bytes(32, "big"), "layout"))
        play(rules.start(options, setup), below, _LONGEST)
        games += 1
        spent = time.process_time() - start
    return games / spent
