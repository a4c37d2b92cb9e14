"""`nabu bench latency`, small."""

from __future__ import annotations

import pytest

from server.bench import turn
from tests.support.database.postgres import Server

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_both_reports_of_each_move_are_timed(postgres: Server) -> None:
    alone = turn.run_alone("nebuchadnezzar", 6, pause=0.1)
    fully, loaded = turn.run_loaded("nebuchadnezzar", 9, games=3, share=0.9, server=postgres.url("postgres"))
    assert [len(run.waits) for run in (alone, fully, loaded)] == [12, 18, 18]
    # The relay may note a report before the sender has noted that the move was taken.
    assert all(-1 < wait < 30 for run in (alone, fully, loaded) for wait in run.waits)
