"""Named moments, short terms and random events, for tests of the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from server.clock.controls import Bank
from server.clock.deadline_arithmetic import Event, Owed, deadline
from server.clock.pauses import GivenTime, PausedTime, Why
from server.clock.spans import DAY, HOUR
from server.clock.terms import Terms

BERLIN = ZoneInfo("Europe/Berlin")
UTC_ZONE = ZoneInfo("UTC")
ZONES = tuple(
    ZoneInfo(name)
    for name in (
        "Europe/Berlin",
        "America/New_York",
        "Australia/Lord_Howe",
        "Asia/Kathmandu",
        "America/Sao_Paulo",
        "Pacific/Apia",
    )
)
"""Time zones for tests of daylight saving.

In the north and in the south, by half an hour, at midnight, at odd minutes, without any, and one that skipped a
complete day.
"""

QUARTER = timedelta(minutes=15)


def when(text: str) -> datetime:
    """Return a moment in UTC: "2026-03-02 18:00"."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def terms(time: str = "3d", *, simultaneous: bool = False, **options: str) -> Terms:
    """Return terms with these options; fixed moments are in Berlin time by default."""
    return Terms.from_options({"time": time, **options}, BERLIN, simultaneous=simultaneous)


def vacation(start: str, end: str, said_at: str | None = None) -> PausedTime:
    """Return a vacation, announced at its start by default."""
    return PausedTime(when(start), when(end), when(said_at or start), Why.VACATION)


def outage(start: str, end: str) -> PausedTime:
    """Return an outage, known at its end."""
    return PausedTime(when(start), when(end), when(end), Why.OUTAGE)


BEGAN = when("2026-03-02 12:00")
"""A Monday."""


def owed(
    time: str = "3d", *events: Event, bank: timedelta = timedelta(), weekends: str = "on", grace: str = "1h"
) -> Owed:
    """Return a move due in Berlin since Monday noon, simultaneous if its deadline is a fixed moment."""
    game = terms(time, simultaneous=":" in time, weekends=weekends, grace=grace)
    return Owed(game, BEGAN, BERLIN, bank, events)


def due(move: Owed) -> datetime:
    """Return the deadline, which must exist."""
    moment = deadline(move)
    assert moment is not None
    return moment


def moments(start: datetime = BEGAN - 2 * DAY, days: int = 20) -> st.SearchStrategy[datetime]:
    """Generate moments at quarters of an hour, from `start` on."""
    return st.integers(0, days * 96).map(lambda quarters: start + quarters * QUARTER)


def spans(least: timedelta, most: timedelta) -> st.SearchStrategy[timedelta]:
    """Generate durations in quarters of an hour."""
    return st.integers(least // QUARTER, most // QUARTER).map(lambda quarters: quarters * QUARTER)


@st.composite
def pauses(draw: st.DrawFn, *game_types: Why) -> PausedTime:
    """Generate pauses of these kinds, or of all."""
    why = draw(st.sampled_from(game_types or tuple(Why)))
    start = draw(moments())
    end = start + draw(spans(timedelta(), 6 * DAY))
    said_at = end if why is Why.OUTAGE else draw(moments())
    return PausedTime(start, end, said_at, why)


def gifts() -> st.SearchStrategy[GivenTime]:
    """Generate gifts of time."""
    return st.builds(GivenTime, spans(HOUR, 3 * DAY), moments())


def events() -> st.SearchStrategy[tuple[Event, ...]]:
    """Generate a few pauses and gifts."""
    return st.lists(pauses() | gifts(), max_size=5).map(tuple)


@st.composite
def moves(draw: st.DrawFn, *times: str) -> Owed:
    """Generate moves due under these time controls, or any timed one, with any events."""
    controls = ("1h", "12h", "3d", "7d+1d", "2d+3d/4d", "daily 20:00", "mon,thu 18:00", "mon,sun 02:30")
    game = terms(
        draw(st.sampled_from(times or controls)),
        simultaneous=True,
        weekends=draw(st.sampled_from(["on", "off"])),
        grace=draw(st.sampled_from(["0", "1h", "1d"])),
    )
    cap = game.control.cap if isinstance(game.control, Bank) else timedelta()
    return Owed(
        game,
        BEGAN + draw(spans(timedelta(), 7 * DAY)),
        draw(st.sampled_from(ZONES)),
        draw(spans(timedelta(), cap)),
        draw(events()),
    )
