"""Vacation: the command, and the remaining yearly budget.

A player's vacations are pauses, stored for as long as their year's budget matters. The budget of a calendar
year, in the player's zone, is spent by the stretches in that year, each hour once, regardless of how many games
it pauses.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from rules.sentences import quoted
from server.clock.dates import LONGEST, RECENT, read_day, read_stretch
from server.clock.errors import BadTime
from server.clock.moments import day_start
from server.clock.pauses import PausedTime, Why, halts, running
from server.clock.periods import read_period
from server.clock.spans import DAY, HOUR, YEAR, ZERO, in_words, names_span, read_span, roughly
from server.wording import on_or_off

BUDGET = 30 * DAY
"""Vacation of each player in a calendar year."""
SHORTEST = DAY

_OFF = frozenset({"end", "stop", "over", "cancel"})
_FOR = re.compile(r"(?:for )?(?:the )?(?:next )?", re.IGNORECASE)
_SINCE = re.compile(r"(?:from|starting|beginning|since|on)(?: on)? ", re.IGNORECASE)
_SPAN_FIRST = re.compile(r"(?:for )?(.+?),? (?:from|starting|beginning|as of)(?: on)? (.+)", re.IGNORECASE)
_DAY_FIRST = re.compile(r"(?:(?:from|starting|beginning)(?: on)? )?(.+?),? for (.+)", re.IGNORECASE)
AS_IN = "write vacation 5d, vacation 2026-12-20 to 2027-01-03, or vacation off."


def is_off(text: str) -> bool:
    """Return whether the words after `vacation` end it."""
    return on_or_off(text) is False or text.strip().lower().rstrip(".!") in _OFF


def read_vacation(text: str, now: datetime, zone: ZoneInfo) -> PausedTime:
    """Return the vacation that the words after `vacation` announce.

    "5d" begins now and is at least a day. Dates are whole days in the player's zone, including the last; today
    counts as the rest of the day. The first day may be missing: "until Jan 3". Another form is "two weeks from
    Dec 20". Raises BadTime.
    """
    words, today = " ".join(text.split()).rstrip("!"), now.astimezone(zone).date()
    for pattern in (_SPAN_FIRST, _DAY_FIRST) if len(words) <= LONGEST else ():
        if parts := pattern.fullmatch(words):
            span_text, day_text = parts.groups() if pattern is _SPAN_FIRST else reversed(parts.groups())
            first = read_day(day_text, today) if names_span(_FOR.sub("", span_text, count=1)) else None
            if first is not None:
                _check_near(first, today)
                days = -(-_length(span_text) // DAY)
                return _between(first, first + (days - 1) * DAY, now, zone)
    stretch = read_period(words.rstrip("."), today) or read_stretch(words, today)
    if stretch is not None:
        return _between(stretch[0], stretch[1], now, zone)
    alone = "" if words.isdecimal() or names_span(words) else _SINCE.sub("", words, count=1)
    if alone and (day := read_day(alone, today)) is not None:
        _check_near(day, today)
        raise BadTime(
            f"{quoted(words)} names one day; write the first and the last: vacation {day} to {day + 6 * DAY}."
        )
    return PausedTime(now, now + _length(words), now, Why.VACATION)


def _length(text: str) -> timedelta:
    """Return the length of a vacation; raises BadTime if it is too short."""
    bare = _FOR.sub("", text, count=1).rstrip(".")
    span = read_span(bare if names_span(bare) else text, AS_IN)
    if span < SHORTEST:
        raise BadTime(f"A vacation must be at least {in_words(SHORTEST)}; {in_words(span)} is too short.")
    return span


def spent(vacations: Iterable[PausedTime], year: int, zone: ZoneInfo) -> timedelta:
    """Return the part of a calendar year's budget that these vacations take; overlaps count once."""
    start, end = day_start(date(year, 1, 1), zone), day_start(date(year + 1, 1, 1), zone)
    return (end - start) - running(start, end, halts(_charged(vacations)))


def check_budget(vacation: PausedTime, others: Sequence[PausedTime], zone: ZoneInfo) -> None:
    """Raise BadTime if a new vacation, with the player's others, takes more than a year's budget."""
    year = overdrawn(vacation, others, zone)
    if year is None:
        return
    before = spent(others, year, zone)
    more = spent([*others, vacation], year, zone) - before
    raise BadTime(
        f"In {year} you have {roughly(max(BUDGET - before, ZERO))} of vacation left; "
        f"this would take {roughly(more)}."
    )


def overdrawn(
    vacation: PausedTime, others: Sequence[PausedTime], zone: ZoneInfo, budget: timedelta = BUDGET
) -> int | None:
    """Return the first year whose budget a new vacation exceeds, with the others; None if there is enough."""
    first, last = vacation.start.astimezone(zone).year, vacation.end.astimezone(zone).year
    for year in range(first, last + 1):
        before = spent(others, year, zone)
        after = spent([*others, vacation], year, zone)
        if before < after and after > budget:
            return year
    return None


def automatic(
    due: datetime,
    grace: timedelta,
    now: datetime,
    others: Sequence[PausedTime],
    zone: ZoneInfo,
    budget: timedelta = BUDGET,
) -> PausedTime | None:
    """Return the vacation to spend for a seat whose time and grace would be over without it.

    One hour from the deadline on, or as many whole hours as needed if the server comes late. None if time is
    not up yet, or the budget is not enough.
    """
    late = now - (due + grace)
    if late < ZERO:
        return None
    vacation = PausedTime(due, due + HOUR * (late // HOUR + 1), now, Why.AUTOMATIC)
    return vacation if overdrawn(vacation, others, zone, budget) is None else None


def _between(first: date | None, last: date, now: datetime, zone: ZoneInfo) -> PausedTime:
    """Return the vacation from the first day, or today, to the last, both included."""
    today = now.astimezone(zone).date()
    first = today if first is None else first
    if first <= today and last < today:
        later = f" If you mean next year, write {last.year + 1}-{last:%m-%d}." if today - last < RECENT else ""
        raise BadTime(f"{last} has passed; your vacation can end today, {today}, at the earliest.{later}")
    if last < first:
        raise BadTime(f"{last} is before {first}; write the first day, then the last.")
    if first < today:
        raise BadTime(f"{first} has passed; your vacation can begin today, {today}, at the earliest.")
    _check_near(last, today)
    start = max(day_start(first, zone), now)
    return PausedTime(start, day_start(last + DAY, zone), now, Why.VACATION)


def _check_near(last: date, today: date) -> None:
    if last > today + 2 * YEAR:
        raise BadTime(f"{last} is too far away; your vacation must end within two years.")


def _charged(vacations: Iterable[PausedTime]) -> Iterable[PausedTime]:
    """Return the pauses that a player pays for out of their budget."""
    return (pause for pause in vacations if pause.why in (Why.VACATION, Why.AUTOMATIC))
