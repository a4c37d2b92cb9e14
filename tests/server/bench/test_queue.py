"""`nabu bench queue`, small."""

from __future__ import annotations

import pytest

from server.bench.queue import run_queue

pytestmark = [pytest.mark.slow, pytest.mark.long]


def test_answers_of_computer_players_and_moves_of_people_are_timed() -> None:
    found = run_queue(games=2, seconds=3, level=1, pause=0.5)
    assert len(found.waits) == 12  # two reports for each of six moves
    assert len(found.answers) == 2
    assert 0 < found.answers[0] <= found.answers[1] < 60
