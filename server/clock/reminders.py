"""The times at which a player is reminded of a move that they owe, by the player's choice."""

import re
from collections.abc import Set
from datetime import datetime
from enum import StrEnum

from rules.sentences import listed, quoted
from server.clock.deadline_arithmetic import Owed, after_halt, deadline, half_time
from server.clock.errors import BadTime
from server.clock.spans import DAY, HOUR
from server.wording import on_or_off

REST = 12 * HOUR
"""The least time between two reminders of one game."""


class ReminderChoice(StrEnum):
    """One choice; a player may make several, or none."""

    HALF = "half"
    DAY = "day"
    HOUR = "hour"


_AS_IN = "write one or more of half, day, hour, or none."
_NOISE = frozenset({"and", "a", "an", "one", "before", "time", "at", "me", "the", "deadline"})
REMINDERS_IN_WORDS = {
    ReminderChoice.HALF: "when half of your time is gone",
    ReminderChoice.DAY: "a day before the deadline",
    ReminderChoice.HOUR: "an hour before the deadline",
}
"""The meaning of each choice."""

_USUAL = frozenset({ReminderChoice.HALF, ReminderChoice.DAY})


def read_reminders(text: str) -> frozenset[ReminderChoice]:
    """Return the choice that a text names: some of "half, day, hour", or "none", or "on". Raises BadTime."""
    words = [word for word in re.split(r"[\s,.!]+", text.lower()) if word and word not in _NOISE]
    is_on = on_or_off(" ".join(words))
    if is_on is not None:
        return _USUAL if is_on else frozenset()
    if not words:
        raise BadTime(f"Say when you want to be reminded; {_AS_IN}")
    if not set(words) <= set(ReminderChoice):
        raise BadTime(f"{quoted(text)} is not a choice of reminders; {_AS_IN}")
    return frozenset(ReminderChoice(word) for word in words)


def write_reminders(choice: Set[ReminderChoice]) -> str:
    """Return the canonical text, which `read_reminders` reads: "half, day"."""
    return ", ".join(reminder for reminder in ReminderChoice if reminder in choice) or "none"


def reminders_in_words(choice: Set[ReminderChoice]) -> str:
    """Return the choice in a sentence for the player."""
    if not choice:
        return "You will not be reminded of moves you owe."
    when = [REMINDERS_IN_WORDS[reminder] for reminder in ReminderChoice if reminder in choice]
    return f"You will be reminded of a move you owe {listed(when)}, at most once every twelve hours per game."


def next_reminder(
    owed: Owed, choice: Set[ReminderChoice], last: datetime | None, now: datetime
) -> datetime | None:
    """Return the time of the next reminder; None if there is none before the deadline.

    `last` is the time of the last reminder of this game. If two reminders are closer together than `REST`, the
    later one counts. A reminder that falls into a halt comes when the halt ends, unless that is the deadline
    itself. A reminder that is overdue comes now.
    """
    planned = _planned(owed, choice)
    if last is not None:
        # A clock that went back leaves `last` in the future.
        planned = [moment for moment in planned if moment - min(last, now) >= REST]
    due = deadline(owed)
    if not planned or due is None or now >= due:
        return None
    return max(min(planned), now)


def _planned(owed: Owed, choice: Set[ReminderChoice]) -> list[datetime]:
    """Return all reminders of this move, latest first, at least `REST` apart."""
    due, half = deadline(owed), half_time(owed)
    if due is None or half is None:
        return []
    wanted = {ReminderChoice.HALF: half, ReminderChoice.DAY: due - DAY, ReminderChoice.HOUR: due - HOUR}
    chosen = [wanted[reminder] for reminder in choice if owed.began < wanted[reminder] < due]
    planned: list[datetime] = []
    for moment in sorted((_outside_halt(owed, moment, due) for moment in chosen), reverse=True):
        if not planned or planned[-1] - moment >= REST:
            planned.append(moment)
    return planned


def _outside_halt(owed: Owed, moment: datetime, due: datetime) -> datetime:
    """Return the moment, or the end of the halt it falls into, unless that is too late."""
    after = after_halt(owed, moment)
    return after if after < due else moment
