"""`nabu bench web`, small."""

from __future__ import annotations

import pytest

from server.bench import web

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_open_pages_are_answered_during_the_benchmark() -> None:
    with web.opened(40) as (settings, pages):
        assert len(pages) == 40
        found = web.run_pages(settings, pages, every=0.2, seconds=0.6)
    assert {name: run.statuses for name, run in found.items()} == {
        "asked again": {304},
        "at most": {304},
    }
    assert all(run.rate > 0 and run.cpu >= 0 for run in found.values())
