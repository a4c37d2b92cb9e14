"""Times of day as people write them: 18:00, 6pm, 18h30, half past six in the evening, noon."""

import re
from collections.abc import Sequence
from datetime import time

from rules.sentences import quoted
from server.clock.errors import BadTime
from server.clock.spans import AMOUNTS

_AS_IN = "write 00:00 to 23:59."
_HALF = r"(?: ?(?P<half>am|pm|a\.m\.|p\.m\.)| (?P<of_day>in the (?:morning|afternoon|evening)|(?:at )?night))?"
_HOUR = rf"(?P<hour>[0-9]{{1,2}}|{'|'.join(name for name in AMOUNTS if len(name) > 2)})"
_FORMS = (
    re.compile(r"(?P<named>noon|midday|midnight)(?![a-z])"),
    re.compile(
        rf"(?P<hour>[0-9]{{1,2}})(?P<sign>[:.h])(?P<minute>[0-9]{{2}})(?: ?(?:uhr|h))?{_HALF}(?![\w:+])"
    ),
    re.compile(rf"(?P<minutes>half|quarter|ten|twenty|five) (?P<side>past|to) {_HOUR}{_HALF}(?![\w:+])"),
    re.compile(rf"(?P<hour>[0-9]{{1,2}}) ?(?P<sign>h|uhr){_HALF}(?![\w:+])"),
    re.compile(rf"{_HOUR}(?: ?(?P<clock>o'clock))?{_HALF}(?![\w:+])"),
)
_LONGEST = 6
"""The most words of a time of day: half past six in the evening."""
_MOST_WORDS = 15
"""The most words that are searched for a time of day."""
_NAMED = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_MINUTES = {"half": 30, "quarter": 15, "ten": 10, "twenty": 20, "five": 5}
_AFTERNOON = frozenset({"pm", "p.m.", "in the afternoon", "in the evening", "at night", "night"})


def read_clock(text: str) -> time:
    """Return the time of day in a text, such as 18:00 or 6pm. Raises BadTime, also for two readings."""
    found = split_clock(text)
    if found is None or found[1]:
        raise BadTime(f"{quoted(text)} is not a time of day; {_AS_IN}")
    return found[0]


def split_clock(text: str) -> tuple[time, str] | None:
    """Return the time of day at the start of a text, and the words after it; None if there is none.

    For example, "6pm Berlin" gives 18:00 and "Berlin". Raises BadTime if the time could be in the morning or in
    the evening.
    """
    words = " ".join(text.split())
    for form in _FORMS:
        found = form.match(words.lower().replace("’", "'"))
        if found is not None:
            return _time_of(found.groupdict(), found[0]), words[found.end() :].strip()
    return None


def find_clock(words: Sequence[str], first: int = 0) -> int | None:
    """Return the place, from `first` on, at which a time of day begins among words; None if there is none."""
    places = range(first, min(len(words), _MOST_WORDS))
    texts = ((place, " ".join(words[place : place + _LONGEST]).lower()) for place in places)
    return next((place for place, text in texts if any(form.match(text) for form in _FORMS)), None)


def _time_of(parts: dict[str, str | None], written: str) -> time:
    if named := parts.get("named"):
        return _NAMED[named]
    hour_text = parts["hour"] or ""
    hour, minute = AMOUNTS.get(hour_text) or int(hour_text), int(parts.get("minute") or 0)
    if minutes := parts.get("minutes"):
        minute = _MINUTES[minutes]
    half = parts.get("half") or parts.get("of_day")
    if half and not 1 <= hour <= 12:
        raise BadTime(f"{quoted(written)} is not a time of day; {_AS_IN}")
    day = [hour % 12 + 12 * (half in _AFTERNOON)] if half else _hours(hour, is_exact=bool(parts.get("sign")))
    if half in ("at night", "night") and hour in (12, 1, 2, 3, 4, 5):
        day = [hour % 12]
    if max(day) > 23 or minute > 59:
        raise BadTime(f"{quoted(written)} is not a time of day; {_AS_IN}")
    if parts.get("side") == "to":
        day, minute = [(each - 1) % 24 for each in day], 60 - minute
    if len(day) > 1:
        first, second = (f"{each:02}:{minute:02}" for each in day)
        raise BadTime(f"{quoted(written)} may be {first} or {second}; write one of them.")
    return time(day[0], minute)


def _hours(hour: int, *, is_exact: bool) -> list[int]:
    """Return the hours of the day that a number means: two for one up to 12, unless written as in 6:30."""
    return [hour] if is_exact or not 1 <= hour <= 12 else [hour % 12, hour % 12 + 12]
