"""The times at which a player gets one email with all turns, instead of one for each turn."""

from datetime import datetime
from zoneinfo import ZoneInfo

from rules.sentences import quoted
from server.clock.controls import Fixed
from server.clock.errors import BadTime
from server.clock.hours import find_clock, split_clock
from server.clock.moments import write_moment
from server.clock.zones import zone_name
from server.wording import on_or_off

OFF = "off"
USUAL = "18:00"
"""The default time of day of a digest."""

_AS_IN = "write daily, daily 18:00, weekly, fri 18:00, or off."
_DAILY, _WEEKLY = "daily", "weekly"
_USUAL_DAY = "sun"


def read_digest(text: str, zone: ZoneInfo) -> Fixed | None:
    """Return the time of the digest that a text names, on clocks in `zone`; None for none. Raises BadTime.

    "daily", "daily 7:30", "every day at 6pm", "weekly", "weekly fri", "mon,thu 18:00"; "off".
    """
    is_on = on_or_off(text)
    if is_on is False:
        return None
    words = [word for word in text.lower().strip(" .!").split() if word not in ("at", "on")]
    if is_on:
        words = [_DAILY]
    if not words:
        raise BadTime(f"Say when you want your digest; {_AS_IN}")
    if words[0] == _WEEKLY and (len(words) == 1 or find_clock(words, 1) == 1):
        words[0] = _USUAL_DAY
    at = find_clock(words)
    if at is None:
        words.append(USUAL)
    else:
        split_clock(" ".join(words[at:]))  # raises the error for a wrong time of day
        words = words if at else [_DAILY, *words]
    try:
        control = Fixed.read(" ".join(words), zone)
    except BadTime:
        control = None
    if control is None or control.zone != zone:
        raise BadTime(f"{quoted(text)} is not a time for a digest; {_AS_IN} The time is in your own time zone.")
    return control


def write_digest(control: Fixed | None) -> str:
    """Return the canonical text, which `read_digest` reads: "daily 18:00", "mon,thu 18:00", "off"."""
    return OFF if control is None else control.write().removesuffix(f" {zone_name(control.zone)}")


def next_digest(control: Fixed | None, now: datetime) -> datetime | None:
    """Return the time of the next digest, later than now; None for none."""
    return None if control is None else next(control.after(now))


def digest_in_words(control: Fixed | None, now: datetime) -> str:
    """Return the choice in sentences for the player."""
    if control is None:
        return "Every turn will be emailed to you immediately."
    following = write_moment(next(control.after(now)), control.zone)
    return (
        f"You will get one email {control.days_in_words()} at {control.clock:%H:%M}, the next on {following}, "
        "with everything that happened in your games and all the moves you owe. It replaces reminders at half "
        "time. If a move is due before the digest, or less than a day after it, you get an email immediately."
    )
