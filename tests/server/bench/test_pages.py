"""`nabu bench pages`, small."""

from __future__ import annotations

from sqlmodel import col, func, select

from server.bench import crowd, desks, pages
from server.store.db import reading
from server.store.models import Game, Seat


def test_every_page_is_shown_to_people_with_many_games() -> None:
    with crowd.crowded(people=20, games=200) as services:
        with reading(services.engine) as session:
            assert session.exec(select(func.count(col(Game.id)))).one() >= 200
            assert session.exec(select(func.count()).where(Seat.player_id == crowd.BUSY)).one() >= 10
        found = dict(pages.run(services, visits=2))
    assert found.keys() == {*pages.PAGES, *desks.PAGES}
    assert {name: timed.statuses for name, timed in found.items() if timed.statuses != {200}} == {}
    assert all(timed.within(0.5) > 0 and timed.size < 60_000 for timed in found.values())
