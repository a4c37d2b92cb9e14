"""Lengths of time as people write and read them: "3d", "1d12h", "1 day and 12 hours"."""

import re
from datetime import timedelta

from rules.sentences import listed, quoted
from server.clock.errors import BadTime
from server.wording import Sentence, on_or_off

ZERO = timedelta()
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
YEAR = timedelta(days=365)
"""The longest accepted length of time."""

_UNITS = {"w": 7 * DAY, "f": 14 * DAY, "d": DAY, "h": HOUR, "m": MINUTE}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
AMOUNTS = {"a": 1, "an": 1} | {name: number for number, name in enumerate(_NUMBERS, 1)}
"""Numbers in words, from one to twelve."""
_PART = re.compile(
    rf"([0-9]{{1,6}} ?|(?:{'|'.join(AMOUNTS)}) )"
    r"(w|weeks?|fortnights?|d|days?|h|hrs?|hours?|m|mins?|minutes?)(?![a-z])(?:,? and |, ?| )?"
)
_AS_IN = "write 3d, 12h or 1w."


def read_span(text: str, as_in: str = _AS_IN) -> timedelta:
    """Return the length of time that a text names: "3d", "1d12h", "90m", "two weeks", "1 day and 12 hours".

    "0", "none", "off" and the like are zero. Whole minutes, at most a year; each unit once. Raises BadTime,
    ending with `as_in`, an example.
    """
    rest = " ".join(text.lower().split())
    if rest == "0" or on_or_off(rest) is False:
        return ZERO
    if not rest:
        raise BadTime(f"A length of time is missing; {as_in}")
    parts: dict[str, timedelta] = {}
    while rest:
        part = _PART.match(rest)
        if part is None or part[2][0] in parts:
            raise BadTime(f"{quoted(text)} is not a length of time; {as_in}")
        amount = part[1].strip()
        parts[part[2][0]] = (AMOUNTS.get(amount) or int(amount)) * _UNITS[part[2][0]]
        rest = rest[part.end() :]
    span = sum(parts.values(), ZERO)
    if span > YEAR:
        raise BadTime(f"{quoted(text)} is longer than a year; {as_in}")
    return span


def names_span(text: str) -> bool:
    """Return whether a text begins with a length of time: "5d", "a week", "two days"."""
    return _PART.match(" ".join(text.lower().split())) is not None


def write_span(span: timedelta) -> str:
    """Return the canonical text: "3d", "1d12h", "1h30m", "0"; `read_span` gives whole minutes back.

    Raises ValueError for a negative span.
    """
    days, hours, minutes = _split(span)
    return "".join(f"{n}{unit}" for n, unit in ((days, "d"), (hours, "h"), (minutes, "m")) if n) or "0"


def in_words(span: timedelta) -> str:
    """Return the span to the minute, rounded down: "1 day, 2 hours and 30 minutes", "less than a minute"."""
    return listed(_counted(span)) or ("less than a minute" if span else "no time")


def roughly(span: timedelta) -> str:
    """Return the span in its two largest units, rounded down: "6 days and 23 hours"."""
    return listed(_counted(span)[:2]) or in_words(span)


def briefly(span: timedelta) -> str:
    """Return a short form of the span in its two largest units, rounded down: "2 d 4 h", "35 min"."""
    units = zip(_split(span), ("d", "h", "min"), strict=True)
    return " ".join([f"{n} {unit}" for n, unit in units if n][:2]) or "less than 1 min"


def limited(span: timedelta, what: Sentence, least: timedelta, most: timedelta) -> timedelta:
    """Return the span. Raises BadTime if it is below `least` or above `most`, naming `what`: "The grace"."""
    if least <= span <= most:
        return span
    allowed = f"{in_words(least)} to {in_words(most)}" if least else f"at most {in_words(most)}"
    wrong = "short" if span < least else "long"
    rest = f"must be {allowed}; {in_words(span)} is too {wrong}."
    raise BadTime(lambda where: f"{what if isinstance(what, str) else what(where)} {rest}")


def _split(span: timedelta) -> tuple[int, int, int]:
    """Return days, hours and minutes of a span that is not negative."""
    if span < ZERO:
        raise ValueError(f"a length of time below zero: {span}")
    hours, minutes = divmod(span % DAY // MINUTE, 60)
    return span // DAY, hours, minutes


def _counted(span: timedelta) -> list[str]:
    """Return one text for each unit, "1 day" and "12 hours", without the units that are zero."""
    units = zip(_split(span), ("day", "hour", "minute"), strict=True)
    return [f"{n} {unit}" if n == 1 else f"{n} {unit}s" for n, unit in units if n]
