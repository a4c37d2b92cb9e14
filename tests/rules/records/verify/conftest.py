"""Finished games of all types, played once for all tests of verification."""

from __future__ import annotations

import json

import pytest

from rules.game import Json
from rules.registry import RULES
from server.processes.services import Services
from tests.support.records.recorded_games import finished, open_games
from tests.support.rules.every_game import ONE_EACH, VARIANTS

ROUNDS = 3
"""Games of each variant: one of each game is played to its end in the first round, and another in the last."""
SHORT = 12


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Json]]:
    """The records of 45 games by type, some played to their end and the others broken off early."""
    found: dict[str, list[Json]] = {name: [] for name in RULES}
    with open_games(tmp_path_factory.mktemp("games")) as services:
        for number in range(ROUNDS * len(VARIANTS)):
            found[VARIANTS[number % len(VARIANTS)][0]].append(played(services, number))
    return found


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Json]:
    """The first record of each game, played to its end: this takes a tenth of the time."""
    names = [name for name, _ in VARIANTS]
    with open_games(tmp_path_factory.mktemp("first")) as services:
        return {name: played(services, names.index(name)) for name in RULES}


def played(services: Services, number: int) -> Json:
    """Return the record of one of the games."""
    name, options = VARIANTS[number % len(VARIANTS)]
    rounds = number // len(VARIANTS)
    whole = rounds in (0, ROUNDS - 1) and (name, options) in ONE_EACH
    most = 2000 if whole else SHORT
    record: Json = json.loads(finished(services, name, options, number, most).to_json())
    return record
