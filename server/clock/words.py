"""The terms of a game in plain words, for the challenge and for the game's page."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from server.clock.controls import Control, Fixed, Untimed, control_in_words, first_bank
from server.clock.deadlines import Owed, bank_after, deadline
from server.clock.moments import write_moment
from server.clock.spans import in_words
from server.clock.terms import Terms, Timeout
from server.clock.vacations import BUDGET

EXAMPLES = 3


def what_holds(terms: Terms, now: datetime) -> list[str]:
    """What the terms mean, one text a point, without an example."""
    if isinstance(terms.control, Untimed):
        return [control_in_words(terms.control), *_delay(terms)]
    return [
        control_in_words(terms.control),
        *_odd_moments(terms.control, now),
        *_weekends(terms),
        *_vacation(terms),
        "A player is given back the time in which the server was down or its mail did not reach him.",
        *_delay(terms),
        _grace(terms),
        _overdue(terms),
    ]


def example(terms: Terms, now: datetime, zone: ZoneInfo) -> list[str]:
    """A sentence, and the three deadlines that it announces; [] without deadlines."""
    moments = example_deadlines(terms, now, zone)
    if not moments:
        return []
    return [
        f"For example: the game begins on {write_moment(now, zone)}, and a player uses all his time for each "
        f"move and is answered at once. Then his first {EXAMPLES} deadlines are:",
        *(write_moment(moment, zone) for moment in moments),
    ]


def example_deadlines(terms: Terms, now: datetime, zone: ZoneInfo) -> list[datetime]:
    """The first deadlines of a player in `zone` who always moves at the last moment and is answered at once.

    The game begins now. [] without deadlines.
    """
    owed = Owed(terms, now, zone, first_bank(terms.control))
    moments: list[datetime] = []
    while len(moments) < EXAMPLES and (due := deadline(owed)) is not None:
        moments.append(due)
        owed = replace(owed, began=due, bank=bank_after(owed, due))
    return moments


def _odd_moments(control: Control, now: datetime) -> list[str]:
    if not isinstance(control, Fixed) or control.always_exists(now):
        return []
    return [
        f"When clocks are changed, {control.clock:%H:%M} may not exist, and is then later by what is skipped, "
        "or come twice, and then the second counts."
    ]


def _weekends(terms: Terms) -> list[str]:
    if terms.weekends:
        return []
    if isinstance(terms.control, Fixed):
        return [f"Nothing is due on Saturdays and Sundays in {terms.control.zone.key}."]
    return ["Time stands still on Saturdays and Sundays, in each player's own time zone."]


def _vacation(terms: Terms) -> list[str]:
    granted = f"Each player has {in_words(BUDGET)} of vacation a year"
    if isinstance(terms.control, Fixed):
        return [
            f"{granted}. A moment in it does not count for him, nor one before which it took more than half of "
            "the time."
        ]
    return [f"{granted}, in which his time stands still."]


def _grace(terms: Terms) -> str:
    comes, verb = ("Orders that come", "are") if terms.simultaneous else ("A move that comes", "is")
    if not terms.grace:
        return f"{comes} after the deadline {verb} too late."
    return f"{comes} within {in_words(terms.grace)} after the deadline {verb} still taken."


def _delay(terms: Terms) -> list[str]:
    if not terms.delay:
        return []
    end = "" if isinstance(terms.control, Untimed) else ", but not beyond the deadline"
    return [f"Once all orders are in, they can still be changed for {in_words(terms.delay)}{end}."]


def _overdue(terms: Terms) -> str:
    late, waits = "later than that", "the late move is still taken"
    if terms.simultaneous:
        waits = "the turn waits for the orders"
    first = ""
    if terms.simultaneous and terms.misses > 1:
        first = "A turn is played without the orders that are later than that. "
        late = f"too late {terms.misses} turns in a row"
    if terms.timeout is Timeout.LOSE:
        return f"{first}A player who is {late} has lost, or leaves the game where the others play on."
    return f"{first}When a player is {late}, an opponent may claim the game; until one does, {waits}."
