"""`nabu bench queue`, small."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from rules.registry import RULES
from server.bench.queue import bench_queue, run_queue


@pytest.mark.slow
@pytest.mark.long
def test_answers_of_computer_players_and_moves_of_people_are_timed() -> None:
    found = run_queue(games=len(RULES), seconds=3, level=1, pause=0.5)
    assert len(found.waits) == 12  # two reports for each of six moves
    assert len(found.answers) == len(RULES)
    assert 0 < found.answers[0] <= found.answers[-1] < 60


@pytest.mark.parametrize("option", ["--games", "--seconds", "--pause"])
def test_queue_is_not_measured_with_nothing(option: str) -> None:
    assert CliRunner().invoke(bench_queue, [option, "0"]).exit_code == 2
