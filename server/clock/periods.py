"""Weeks, weekends and months as people name them: "next week", "this weekend", "the end of the month"."""

import re
from datetime import date, timedelta

from mail.reading.spelling import comparable
from rules.sentences import quoted
from server.clock.calendar_names import months_named
from server.clock.errors import BadTime

_DAY = timedelta(days=1)
_WEEK = 7 * _DAY
_PERIOD = re.compile(
    r"(?:during |over |all )?(?:(this|next) (week|month|weekend)|(?:the )?(?:coming )?(weekend))"
)
_END = re.compile(r"(?:the )?end of (?:the )?(?:this )?([^\W\d_]+)")


def read_period(text: str, today: date) -> tuple[date, date] | None:
    """Return the first and the last day of a period that a text names; None if it names none.

    Weeks begin on Monday; this week begins today. Raises BadTime for "next weekend" before this weekend has
    begun.
    """
    found = _PERIOD.fullmatch(" ".join(text.lower().split()))
    if found is None:
        return None
    is_next, monday = found[1] == "next", today - today.weekday() * _DAY
    saturday, sunday = monday + 5 * _DAY, monday + 6 * _DAY
    if found[2] == "week":
        return (sunday + _DAY, sunday + _WEEK) if is_next else (today, sunday)
    if "weekend" in found.groups():
        if is_next and today < saturday:
            two = f"{saturday} to {sunday} or {saturday + _WEEK} to {sunday + _WEEK}"
            raise BadTime(f"{quoted(text)} may be two weekends; write {two}.")
        return (saturday + _WEEK, sunday + _WEEK) if is_next else (max(saturday, today), sunday)
    if found[1] == "this":
        return today, _last_of_month(today)
    first = _last_of_month(today) + _DAY
    return first, _last_of_month(first)


def read_end(text: str, today: date) -> date | None:
    """Return the last day of the week, month or year in a text such as "the end of December", or None."""
    found = _END.fullmatch(" ".join(text.lower().split()))
    if found is None:
        return None
    match found[1]:
        case "week":
            return today + (6 - today.weekday()) * _DAY
        case "month":
            return _last_of_month(today)
        case "year":
            return date(today.year, 12, 31)
    months = months_named().get(comparable(found[1]), frozenset())
    ends = [_last_of_month(date(year, month, 1)) for year in (today.year, today.year + 1) for month in months]
    return next(end for end in ends if end >= today) if len(months) == 1 else None


def _last_of_month(day: date) -> date:
    return (day.replace(day=28) + 4 * _DAY).replace(day=1) - _DAY
