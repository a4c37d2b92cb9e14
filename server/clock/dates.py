"""Days and stretches of days as people write them: "Dec 20 to Jan 3", "20.12.-3.1.", "until Friday".

The reader never guesses: if a text has two readings, such as 3/4, the error names both. A missing year is the
next in which the days lie ahead.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import product

from mail.reading.spelling import comparable, plain_line
from rules.sentences import quoted
from server.clock.calendar_names import days_named, in_english, months_named
from server.clock.errors import BadTime
from server.clock.moments import DAYS, MONTHS
from server.clock.periods import read_end

RECENT = timedelta(days=30)
"""Days without a year that were over at most this long ago are not taken for days of the next year."""

_DAY = timedelta(days=1)
_WEEK = 7 * _DAY
_FROM = r"(?:from|between|starting|beginning|vom|von|du|de|del|desde|dal|van|od|с|від|от)"
_TO = r"(?:to|up to|until|till?|thru|through|bis|bis zum|au|a|à|al|hasta|até|tot|do|до|по)"
_UNTIL = re.compile(rf"(?:{_TO}|up to|jusqu'au) (\S.*)")
_WORDS = re.compile(rf"(?:{_FROM} )?(.*?\S) {_TO} (\S.*)|between (.*?\S) and (\S.*)")
_HYPHEN = re.compile(rf"(?:{_FROM} )?(.*?\S) ?- ?(\S.*)")
_SAME = (
    (re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b"), r"\1/\2/\3"),
    (re.compile(r"\b(\d{1,2})-(\d{1,2})-(\d{4})\b"), r"\1/\2/\3"),
    (re.compile(r"\b(\d{1,2})-([^\W\d_]{3,})-(\d{4})\b"), r"\1 \2 \3"),
    (re.compile(r"(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日号號일]?"), r"\1/\2/\3"),
    (re.compile(r"(\d{1,2})[月월] ?(\d{1,2})[日号號일]?"), r"\2.\1."),
    (re.compile(r"(\d{1,2}) tháng (\d{1,2})"), r"\1.\2."),
    (re.compile(r"\b(\d{1,2})\. (\d{1,2})\.(?: (?=\d{4}))?"), r"\1.\2."),
)
"""Patterns that rewrite dates as one word, so that a hyphen only separates two dates."""
_YEAR_FIRST = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})")
_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.?(?:(?<=\.)(\d{4}|\d{2})\.?)?")
_SLASHES = re.compile(r"(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}))?")
_NUMBER = re.compile(r"(\d{1,4})(st|nd|rd|th|\.|er|º|ª)?")
_NOISE = frozenset(
    ("on", "of", "the", "de", "den", "der", "dem", "dne", "dnia", "le", "la", "el", "il", "am", "del")
)
_RELATIVE = {"today": 0, "now": 0, "tomorrow": 1, "overmorrow": 2}
LONGEST = 100
"""The most characters of a text that may name days."""
_LEAP = 2028
_AS_IN = "write year-month-day, such as 2026-12-20."


@dataclass(frozen=True)
class _Day:
    """One reading of a text that names a day; missing parts are None."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    which: str = ""
    """ "next" or "this", before the day of the week."""
    ahead: int | None = None
    """The number of days from today."""
    way: str = ""
    """The way of reading, if there are two: "day first", "month first", "earlier" or "later"."""
    ordinal: bool = False
    """True if the number itself is marked as a day, as in "the 5th"."""

    @property
    def exists(self) -> bool:
        """True if there is such a day, in a leap year at least."""
        if self.day is None:
            return True
        year, month = _LEAP if self.year is None else self.year, 1 if self.month is None else self.month
        return _date(year, month, self.day) is not None


def read_stretch(text: str, today: date) -> tuple[date | None, date] | None:
    """Return the first day (None if missing) and the last day of a stretch; None if the text is not a stretch.

    "Dec 20 to Jan 3", "20.12.-3.1.", "from 20 to 27 December", "until Friday". Raises BadTime for days that do
    not exist, or could be two.
    """
    words = _plain(in_english(text))
    if len(words) > LONGEST or not words:
        return None
    until = _UNTIL.fullmatch(words)
    if until is not None:
        last = _readings(until[1], today)
        return (None, _one_day(text, last, today, "until ")) if last else None
    for pattern in (_WORDS, _HYPHEN):
        ends = pattern.fullmatch(words)
        if ends is None:
            continue
        first, last_text = (part for part in ends.groups() if part)
        if pattern is _WORDS:
            first, last_text = first.replace("-", " "), last_text.replace("-", " ")
        firsts, lasts = _readings(first, today), _readings(last_text, today)
        if firsts and lasts:
            return _stretch(text, firsts, lasts, today)
        if firsts or lasts:
            raise BadTime(f"{quoted(last_text if firsts else first)} is not a date; {_AS_IN}")
    return None


def read_day(text: str, today: date) -> date | None:
    """Return the day that a text names: "Dec 20", "20.12.", "Friday", "tomorrow"; None if it names none.

    Raises BadTime for a day that does not exist, or could be two.
    """
    words = _plain(text)
    readings = _readings(words, today) if len(words) <= LONGEST else []
    return _one_day(text, readings, today) if readings else None


def _one_day(text: str, readings: list[_Day], today: date, before: str = "") -> date:
    found = {day for reading in readings for day in _ahead(reading, today)}
    return _only(text, sorted((day,) for day in found), before)[0]


def _plain(text: str) -> str:
    words = " ".join(plain_line(text)[0].lower().split())
    for pattern, plain in _SAME:
        words = pattern.sub(plain, words)
    return words.replace("day after tomorrow", "overmorrow")


def _only(text: str, found: list[tuple[date, ...]], before: str = "") -> tuple[date, ...]:
    """Return the only reading of a text. Raises BadTime without one; `before` goes before its suggestion."""
    if not found:
        raise BadTime(f"There is no day {quoted(text)}; {_AS_IN}")
    if len(found) > 1:
        said = " or ".join(_said(days) for days in found[:2])
        written = " or ".join(before + " to ".join(map(str, days)) for days in found[:2])
        raise BadTime(f"{quoted(text)} may be {said}; write {written}.")
    return found[0]


def _said(days: tuple[date, ...]) -> str:
    return " to ".join(f"{day.day} {MONTHS[day.month - 1]} {day.year}" for day in days)


def _readings(text: str, today: date) -> list[_Day]:
    """Return all readings of a text that may name a day. Raises BadTime if there is no such day."""
    if (end := read_end(text, today)) is not None:
        return [_Day(ahead=(end - today).days)]
    known = [_Day()]
    for word in re.split(r"[\s,]+", text.strip(" ,!")):
        if word not in _NOISE:
            known = [more for each in known for more in _with_word(each, word)]
    named = [
        each
        for each in known
        if each.day or each.ahead is not None or (each.weekday is not None and not each.month)
    ]
    # "Mar" is a month next to a number, but may be a day of the week alone.
    dated = [each for each in named if each.day and each.month]
    exist = [each for each in dated or named if each.exists]
    if named and not exist:
        written = _YEAR_FIRST.sub(r"\1-\2-\3", text)
        raise BadTime(f"There is no day {quoted(written)}; {_AS_IN}")
    return exist


def _with_word(known: _Day, word: str) -> Iterator[_Day]:
    """Yield the readings with one more word, one for each meaning of the word; none if it has none here."""
    if known.ahead is not None:
        return
    if word in _RELATIVE and known == _Day():
        yield replace(known, ahead=_RELATIVE[word])
    elif (parts := _YEAR_FIRST.fullmatch(word)) and known.day is None:
        yield replace(known, year=int(parts[1]), month=int(parts[2]), day=int(parts[3]))
    elif (parts := _DOTS.fullmatch(word)) and known.day is None:
        yield replace(known, day=int(parts[1]), month=int(parts[2]), year=_year(parts[3]))
    elif (parts := _SLASHES.fullmatch(word)) and known.day is None:
        first, second, year = int(parts[1]), int(parts[2]), _year(parts[3])
        yield replace(known, day=first, month=second, year=year, way="day first")
        yield replace(known, day=second, month=first, year=year, way="month first")
    elif parts := _NUMBER.fullmatch(word):
        number = int(parts[1])
        if len(parts[1]) == 4 and not parts[2] and known.year is None and known.month is not None:
            yield replace(known, year=number)
        elif len(parts[1]) < 3 and known.day is None:
            yield replace(known, day=number, ordinal=bool(parts[2]))
    elif word in ("next", "this", "coming") and known == _Day():
        yield replace(known, which=word)
    elif (name := comparable(word)) in months_named() and known.month is None and not known.which:
        for month, way in zip(sorted(months_named()[name]), ("earlier", "later"), strict=False):
            yield replace(known, month=month, way=way if len(months_named()[name]) > 1 else known.way)
        if name in days_named() and known.weekday is None:
            yield from (replace(known, weekday=day) for day in days_named()[name])
    elif name in days_named() and known.weekday is None:
        yield from (replace(known, weekday=day) for day in sorted(days_named()[name]))


def _year(text: str | None) -> int | None:
    return None if not text else int(text) + (2000 if len(text) == 2 else 0)


def _stretch(text: str, firsts: list[_Day], lasts: list[_Day], today: date) -> tuple[date, date]:
    """Return the stretch between two ends that have been read, if there is exactly one."""
    found: set[tuple[date, ...]] = set()
    for first, last in product(firsts, lasts):
        if first.way and last.way and first.way != last.way:
            continue
        found.update(_between(first, last, today))
    days = _only(text, sorted(found))
    return days[0], days[1]


def _between(first: _Day, last: _Day, today: date) -> Iterator[tuple[date, date]]:
    """Yield the stretches that two ends can mean; each end takes missing parts from the other."""
    if first.month is None and last.month is not None and first.day is not None:
        for end in _ahead(last, today):
            months = (_month(end), _month(end, -1))
            starts = [_date(month.year, month.month, first.day) for month in months]
            yield from [(start, end) for start in starts if start is not None and start <= end][:1]
        return
    if first.year is None and first.month is not None and last.month is not None:
        # The stretch must not be over, though it may have begun.
        for end in _ahead(last, today):
            dated = [day for year in (end.year, end.year - 1) for day in _in_year(first, year)]
            for start in [day for day in dated if day <= end][:1]:
                yield from ((day, end) for day in _dates(replace(first, year=start.year)))
        return
    for start in _ahead(first, today):
        yield from ((start, end) for end in _behind(last, start, today))


def _behind(last: _Day, start: date, today: date) -> Iterator[date]:
    """Yield the ends of a stretch that begins at `start`."""
    if last.ahead is not None or last.year is not None:
        yield from _ahead(last, today)
    elif last.which == "next":
        yield from (day for day in _ahead(last, today) if day >= start)
    elif last.month is not None:
        dated = [day for year in (start.year, start.year + 1) for day in _in_year(last, year)]
        for end in [day for day in dated if day >= start][:1]:
            yield from _dates(replace(last, year=end.year))
    elif last.day is not None:
        months = (_month(start), _month(start, 1))
        numbered = [_date(month.year, month.month, last.day) for month in months]
        yield from [day for day in numbered if day is not None and day >= start][:1]
    elif last.weekday is not None:
        yield start + ((last.weekday - start.weekday() - 1) % 7 + 1) * _DAY


def _ahead(reading: _Day, today: date) -> Iterator[date]:
    """Yield the days that a reading may mean, today or later; those with a year or just over may be past."""
    if reading.ahead is not None:
        yield today + reading.ahead * _DAY
    elif reading.year is not None:
        yield from _dates(reading)
    elif reading.month is not None:
        years = (today.year - 1, today.year, today.year + 1)
        dates = [day for year in years for day in _in_year(reading, year)]
        for day in [day for day in dates if day >= today - RECENT][:1]:
            yield from _dates(replace(reading, year=day.year))
    elif reading.day is not None:
        if not reading.ordinal:
            raise BadTime(f"“{reading.day}” does not name a month; {_AS_IN}")
        months = (_month(today), _month(today, 1), _month(today, 2))
        days = [_date(month.year, month.month, reading.day) for month in months]
        yield from [day for day in days if day is not None and day >= today][:1]
    elif reading.weekday is not None:
        yield from _weekdays(reading, today)


def _weekdays(reading: _Day, today: date) -> Iterator[date]:
    """Yield the possible days of this name: two for that of today, and for "next" in the same week."""
    ahead = ((reading.weekday or 0) - today.weekday()) % 7
    if ahead or reading.which != "next":
        yield today + ahead * _DAY
    if (ahead == 0 and reading.which != "this") or (reading.which == "next" and today.weekday() + ahead < 7):
        yield today + ahead * _DAY + _WEEK


def _dates(reading: _Day) -> Iterator[date]:
    """Yield the date of a reading that has a year, if any; raise BadTime for a wrong day of the week."""
    day = _date(reading.year or 0, reading.month or 0, reading.day or 0)
    if day is None:
        return
    if reading.weekday is not None and day.weekday() != reading.weekday:
        raise BadTime(
            f"{_said((day,))} is a {DAYS[day.weekday()]}, not a {DAYS[reading.weekday]}; write {day}."
        )
    yield day


def _in_year(reading: _Day, year: int) -> Iterator[date]:
    """Yield the date of a reading in a year, ignoring the day of the week; nothing if it does not exist."""
    yield from _dates(replace(reading, year=year, weekday=None))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month(day: date, later: int = 0) -> date:
    """Return the first of the month of a day, or of the month `later` months after it."""
    years, month = divmod(day.month - 1 + later, 12)
    return date(day.year + years, month + 1, 1)
