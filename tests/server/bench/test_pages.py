"""`nabu bench pages`, small."""

from __future__ import annotations

import pytest
from sqlmodel import col, func, select

from server.bench import pages
from server.bench.filling import administration, special_games
from server.bench.filling.many_games import full
from server.bench.harness.databases import new_database
from server.bench.harness.load import within
from server.store.db import reading
from server.store.models import Game, Seat
from server.web import create_app


@pytest.mark.long
def test_every_page_is_timed_or_left_out_for_a_reason() -> None:
    with new_database(None) as url, full(url, games=400) as filled:
        with reading(filled.services.engine) as session:
            assert session.exec(select(func.count(col(Game.id)))).one() == 400
            busiest = filled.many.people[0]
            assert session.exec(select(func.count()).where(Seat.player_id == busiest)).one() >= 100
        found = dict(pages.run(filled, visits=1))
        routes = create_app(filled.services).url_map.iter_rules()
    assert found.keys() == {
        *pages.PAGES,
        *pages.PUBLIC,
        *special_games.PAGES,
        *special_games.FOR_SCRIPTS,
        *administration.PAGES,
        *pages.FOR_PROGRAMS,
    }
    assert {name: timed.statuses for name, timed in found.items() if timed.statuses != {200}} == {}
    assert all(within(0.5, timed.times) > 0 for timed in found.values())
    large = {name: timed.size for name, timed in found.items() if timed.size >= 60_000}
    assert large.keys() <= special_games.PAGES.keys()
    assert {name: timed.sent for name, timed in found.items() if timed.sent >= 60_000} == {}
    timed = {timed.endpoint for timed in found.values()}
    shown = {rule.endpoint for rule in routes if "GET" in (rule.methods or set())}
    assert timed | set(pages.LEFT_OUT) == shown
    assert timed.isdisjoint(pages.LEFT_OUT)
