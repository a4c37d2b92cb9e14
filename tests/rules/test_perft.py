"""Both implementations of each game count the same number of beginnings."""

from __future__ import annotations

import pytest

from rules.registry import RULES
from tests.support.rules.perft import Line, count_by_engine, count_naively, lines

pytestmark = pytest.mark.slow

ALL = [(name, line) for name in RULES for line in lines(name)]

every_line = pytest.mark.parametrize(("game", "line"), ALL, ids=[f"{game} {line}" for game, line in ALL])


@every_line
def test_engine_has_the_counts_of_the_file(game: str, line: Line) -> None:
    assert count_by_engine(RULES[game], line.options, line.depth) == line.ways


@pytest.mark.sample(4)
@every_line
def test_naive_engine_has_the_same_counts(game: str, line: Line) -> None:
    assert count_naively(RULES[game], line.options, line.depth) == line.ways


def test_every_game_type_is_counted() -> None:
    assert {game for game, _ in ALL} == set(RULES)
