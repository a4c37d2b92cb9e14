"""Moments by name, terms in short and random events, for tests of the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from server.clock.controls import Bank
from server.clock.deadlines import Event, Owed, deadline
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
"""Daylight saving in the north and in the south, by half an hour, none at odd minutes, at midnight, and a zone
that left a whole day out."""

QUARTER = timedelta(minutes=15)


def when(text: str) -> datetime:
    """A moment in UTC: "2026-03-02 18:00"."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def terms(time: str = "3d", *, simultaneous: bool = False, **options: str) -> Terms:
    """The terms with these options; fixed moments are in Berlin unless they say where."""
    return Terms.from_options({"time": time, **options}, BERLIN, simultaneous=simultaneous)


def vacation(start: str, end: str, said_at: str | None = None) -> PausedTime:
    """A vacation, announced when it starts unless said otherwise."""
    return PausedTime(when(start), when(end), when(said_at or start), Why.VACATION)


def outage(start: str, end: str) -> PausedTime:
    """An outage, known when it ends."""
    return PausedTime(when(start), when(end), when(end), Why.OUTAGE)


BEGAN = when("2026-03-02 12:00")
"""A Monday."""


def owed(
    time: str = "3d", *events: Event, bank: timedelta = timedelta(), weekends: str = "on", grace: str = "1h"
) -> Owed:
    """A move that is owed in Berlin since Monday noon; of simultaneous orders when its moment is fixed."""
    game = terms(time, simultaneous=":" in time, weekends=weekends, grace=grace)
    return Owed(game, BEGAN, BERLIN, bank, events)


def due(move: Owed) -> datetime:
    """The deadline of a game that has deadlines."""
    moment = deadline(move)
    assert moment is not None
    return moment


def moments(start: datetime = BEGAN - 2 * DAY, days: int = 20) -> st.SearchStrategy[datetime]:
    """Moments on a quarter of an hour, from `start` on."""
    return st.integers(0, days * 96).map(lambda quarters: start + quarters * QUARTER)


def spans(least: timedelta, most: timedelta) -> st.SearchStrategy[timedelta]:
    """Lengths of time in whole quarters of an hour."""
    return st.integers(least // QUARTER, most // QUARTER).map(lambda quarters: quarters * QUARTER)


@st.composite
def pauses(draw: st.DrawFn, *game_types: Why) -> PausedTime:
    """Any pause of these kinds, or of all."""
    why = draw(st.sampled_from(game_types or tuple(Why)))
    start = draw(moments())
    end = start + draw(spans(timedelta(), 6 * DAY))
    said_at = end if why is Why.OUTAGE else draw(moments())
    return PausedTime(start, end, said_at, why)


def gifts() -> st.SearchStrategy[GivenTime]:
    """Any gift."""
    return st.builds(GivenTime, spans(HOUR, 3 * DAY), moments())


def events() -> st.SearchStrategy[tuple[Event, ...]]:
    """A few pauses and gifts."""
    return st.lists(pauses() | gifts(), max_size=5).map(tuple)


@st.composite
def moves(draw: st.DrawFn, *times: str) -> Owed:
    """Any move that is owed under these time controls, or any that set a deadline, with any events."""
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
