"""`nabu bench live`, small."""

from __future__ import annotations

import pytest

from server.bench import live

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_all_readers_of_a_game_hear_of_a_move() -> None:
    with live.opened(16) as (settings, pages):
        found = live.run_live(settings, pages, moves=2, pause=0)
    assert found.lost == 0
    assert len(found.heard) == 2 * 8
    assert len(found.seen) == 2
