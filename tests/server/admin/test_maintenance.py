"""Planned maintenance: all clocks are paused, and no player loses time."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from flask import Flask

from server.admin import announcements, audit
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.game.views.history import credits
from server.jobs import downtime
from server.jobs.table import CLOCK
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Heartbeat
from server.store.outbox import ActionContext
from tests.support.server.games import TwoPlayerGame, begin
from tests.support.server.jobs import work_of
from tests.support.server.services import Clock
from tests.support.web.client import Browser

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def table(services: Services, clock: Clock) -> TwoPlayerGame:
    found = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    found.tick()
    return found


def plan(services: Services, start: datetime, end: datetime, *, mail: bool = False) -> None:
    with writing(services.engine) as session:
        admin_action = AdminAction(ActionContext(session, services.sealer, services.now()))
        announcements.plan(admin_action, start, end, "A new disk.", mail=mail)


@pytest.mark.both
def test_clocks_are_paused_and_players_have_a_day_afterwards(table: TwoPlayerGame, services: Services) -> None:
    before = table.seat(0).deadline_at
    assert before is not None
    plan(services, before - HOUR, before + 3 * HOUR)
    table.tick()
    assert table.seat(0).deadline_at == before + 3 * HOUR + DAY
    (entry,) = table.entries("credit")
    assert entry["why"] == "maintenance"
    with reading(services.engine) as session:
        (told,) = credits(session, table.game(), ["Ann", "Ben"], ZoneInfo("UTC"))
    assert told.startswith("Everyone: from ")
    assert told.endswith(", for maintenance.")


def test_players_with_enough_time_get_the_length_of_the_maintenance(
    table: TwoPlayerGame, services: Services, clock: Clock
) -> None:
    before = table.seat(0).deadline_at
    assert before is not None
    plan(services, clock() + HOUR, clock() + 3 * HOUR)
    table.tick()
    assert table.seat(0).deadline_at == before + 2 * HOUR


def test_game_that_starts_later_includes_planned_maintenance(services: Services, clock: Clock) -> None:
    plan(services, clock() + HOUR, clock() + 3 * HOUR)
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="2h")
    assert table.seat(0).deadline_at == clock() + 3 * HOUR + DAY


def test_maintenance_after_all_deadlines_changes_nothing(
    table: TwoPlayerGame, services: Services, clock: Clock
) -> None:
    before = table.seat(0).deadline_at
    plan(services, clock() + 20 * DAY, clock() + 21 * DAY)
    table.tick()
    assert table.seat(0).deadline_at == before
    assert table.entries("credit") == []


def down_for(table: TwoPlayerGame, span: timedelta) -> None:
    """Stop the server immediately, and start it again after the given time."""
    table.clock.advance(seconds=span.total_seconds())
    table.tick()


@pytest.mark.both
@pytest.mark.parametrize("since_beat", [timedelta(), timedelta(seconds=50)])
def test_downtime_during_maintenance_is_no_outage(
    table: TwoPlayerGame, services: Services, clock: Clock, since_beat: timedelta
) -> None:
    clock.advance(seconds=since_beat.total_seconds())
    plan(services, clock(), clock() + 4 * HOUR)
    table.tick()
    down_for(table, 4 * HOUR)
    assert [entry["why"] for entry in table.entries("credit")] == ["maintenance"]


def test_longer_downtime_is_an_outage_for_the_rest(
    table: TwoPlayerGame, services: Services, clock: Clock
) -> None:
    end = clock() + 4 * HOUR
    plan(services, clock(), end)
    table.tick()
    down_for(table, 6 * HOUR)
    planned, unplanned = table.entries("credit")
    assert (planned["why"], unplanned["why"]) == ("maintenance", "outage")
    assert unplanned["from"] == planned["to"] == f"{end:%Y-%m-%dT%H:%M:%SZ}"


def test_outage_before_maintenance_is_credited(table: TwoPlayerGame, services: Services, clock: Clock) -> None:
    plan(services, clock() + 20 * DAY, clock() + 21 * DAY)
    table.tick()
    down_for(table, 2 * HOUR)
    (entry,) = table.entries("credit")
    assert entry["why"] == "outage"


def test_no_player_times_out_during_maintenance(table: TwoPlayerGame, services: Services, clock: Clock) -> None:
    before = table.seat(0).deadline_at
    assert before is not None
    clock.advance(seconds=(before - HOUR - clock()).total_seconds())
    with writing(services.engine) as session:
        session.get_one(Heartbeat, Heartbeat.WORKER).at = clock()
    plan(services, clock(), clock() + 10 * HOUR)
    table.tick()
    for _ in range(10 + 24):
        table.live(hours=1)
        assert table.game().state == "running"
    table.live(hours=24)
    assert table.game().state == "over"


def test_home_page_announces_maintenance_until_it_is_over(app: Flask, services: Services, clock: Clock) -> None:
    plan(services, clock() + HOUR, clock() + 3 * HOUR)
    told = "Maintenance from Sun 1 March 2026, 13:00 UTC until Sun 1 March 2026, 15:00 UTC: A new disk."
    assert told in Browser(app).get("/").text
    clock.advance(hours=3)
    assert told not in Browser(app).get("/").text


def test_maintenance_is_in_the_audit_log(services: Services, clock: Clock) -> None:
    plan(services, clock() + HOUR, clock() + 3 * HOUR)
    with reading(services.engine) as session:
        last = audit.done(session)[0]
    assert last.what == "planned maintenance, 2026-03-01 13:00 to 2026-03-01 15:00 UTC"
    assert last.why == "A new disk."


@pytest.mark.parametrize(
    ("start", "length", "wrong"),
    [
        (-HOUR, 2 * HOUR, "must start now or later"),
        (HOUR, timedelta(), "end after its start"),
        (HOUR, 3 * DAY + HOUR, "at most 3 days"),
        (31 * DAY, HOUR, "at most 30 days ahead"),
    ],
)
def test_invalid_times_are_refused_and_change_nothing(
    table: TwoPlayerGame, services: Services, clock: Clock, start: timedelta, length: timedelta, wrong: str
) -> None:
    before = table.seat(0).deadline_at
    with pytest.raises(BadRequest, match=wrong):
        plan(services, clock() + start, clock() + start + length)
    table.tick()
    assert table.seat(0).deadline_at == before


def test_slow_recomputation_of_deadlines_is_no_outage(
    table: TwoPlayerGame, services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(6):
        begin(services, "nebuchadnezzar", *table.players, size=5)
    monkeypatch.setattr(downtime, "BATCH", 1)
    plan(services, clock() + HOUR, clock() + 2 * HOUR)

    def slow() -> datetime:
        clock.advance(seconds=30)
        return clock()

    CLOCK.run(work_of(services, slow))
    CLOCK.run(work_of(services, clock))
    assert [entry["why"] for entry in table.entries("credit")] == ["maintenance"]
