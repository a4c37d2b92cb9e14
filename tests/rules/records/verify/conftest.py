"""Finished games of all kinds, played once for all tests of verifying."""

from __future__ import annotations

import json

import pytest

from rules.game import Json
from rules.registry import KINDS
from tests.rules.records.verify.games import finished, open_games

VARIANTS = [(name, dict(variant)) for name, rules in KINDS.items() for variant in rules.variants]
GAMES = 200
SHORT = 12


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Json]]:
    """The records of 200 games by kind, some played to their end and the others broken off early."""
    found: dict[str, list[Json]] = {name: [] for name in KINDS}
    with open_games(tmp_path_factory.mktemp("games")) as services:
        for number in range(GAMES):
            name, options = VARIANTS[number % len(VARIANTS)]
            most = SHORT if number // len(VARIANTS) % 7 else 2000
            record = finished(services, name, options, number, most)
            found[name].append(json.loads(record.to_json()))
    return found
