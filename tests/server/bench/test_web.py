"""`nabu bench web`, small."""

from __future__ import annotations

import pytest

from server.bench import web

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_open_pages_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "_ALONE", 20)
    with web.opened(40) as (settings, pages):
        assert len(pages) == 40
        found = web.run_pages(settings, pages, every=0.2, seconds=0.6)
        found["without the network"] = web.run_alone(settings, pages[0])
    assert {name: run.statuses for name, run in found.items()} == {
        "asked again": {304},
        "at most": {304},
        "the page of a game": {200},
        "the list of games": {200},
        "without the network": {304},
    }
    assert all(run.rate > 0 and run.cpu >= 0 for run in found.values())
