"""All games and variants, and turns from all over them, for tests of the contract of every game."""

from __future__ import annotations

from typing import Any

import pytest

from rules.game import Json
from rules.registry import RULES
from tests.support.rules.random_games import AnyRules, AnyStep, random_game
from tests.support.rules.toy_games import Toy

GAMES: list[tuple[AnyRules, Json]] = [
    (rules, rules.options(variant)) for rules in [*RULES.values(), Toy()] for variant in rules.variants
]
IDS = ["-".join([rules.name, *map(str, options.values())]) for rules, options in GAMES]

OF_A_KIND = {rules.name: IDS[number] for number, (rules, _) in enumerate(GAMES)}
"""The last variant of each game, which is a large one."""
one_of_each_game_type = pytest.mark.parametrize(
    ("rules", "options"), [GAMES[IDS.index(name)] for name in OF_A_KIND.values()], ids=OF_A_KIND.values()
)
"""For properties that do not depend on the variant."""

every_game = pytest.mark.parametrize(("rules", "options"), GAMES, ids=IDS)

GARBAGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**30, 0.5, float("nan"), float("inf")),
    *("", "ä", "\0", "\ud800", "x" * 500),
    *([], [[]], [None], {}, {"a": 1}),
)
"""Values that almost no part of a record or a position may have."""


def sampled(rules: AnyRules, options: Json, number: int = 0, wanted: int = 12) -> list[AnyStep]:
    """Return about `wanted` turns from all over random game `number`, including its first and last."""
    steps = list(random_game(rules, options, number))
    gap = max(1, len(steps) // wanted)
    return [*steps[:-1:gap], steps[-1]]


def assert_sentence(text: str) -> None:
    """Check that a text is a complete sentence, which can be shown unchanged."""
    assert text == text.strip()
    assert text.endswith((".", "?", "!", ")", '"'))
    assert len(text) < 600


VARIANTS = [(name, dict(options)) for name, game_type in RULES.items() for options in game_type.variants]
"""The game types, each with the options of a variant."""

ONE_EACH = list({game_type: (game_type, options) for game_type, options in reversed(VARIANTS)}.values())
"""The first variant of each game: for slow tests, on the second database, which is independent of variants."""

QUICK = [
    (game_type, options)
    for game_type, options in VARIANTS
    if (game_type, options)
    in (
        ("nardshir", {}),
        ("nebuchadnezzar", {"size": 4}),
        ("nelaxtam", {"size": 10, "troops": 3, "sea": 2}),
        ("nexus", {}),
        ("nibble", {}),
    )
]
"""The variant of each game that ends soonest."""
