"""The benchmark of the rules plays every variant."""

import pytest

from rules.errors import BadData
from rules.registry import RULES
from server.bench.rules import run


def test_every_game_and_variant_is_played() -> None:
    rates = list(run(0))
    assert {(rate.game_type, rate.variant) for rate in rates} >= {
        ("nelaxtam", "default"),
        ("nibble", "board=hex-13"),
        ("nexus", "players=4"),
    }
    assert len(rates) == sum(len(rules.variants) for rules in RULES.values())
    assert all(rate.by_turns > 0 for rate in rates)
    assert all(rate.by_game_type for rate in rates)


def test_one_game_is_played_alone_and_an_unknown_one_refused() -> None:
    assert {rate.game_type for rate in run(0, "nibble")} == {"nibble"}
    with pytest.raises(BadData, match="no game called “chess”"):
        list(run(0, "chess"))
