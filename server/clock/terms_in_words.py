"""The terms of a game in plain words, for the challenge and for the game's page."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from server.clock.deadline_arithmetic import Owed, bank_after, deadline
from server.clock.moments import write_moment
from server.clock.spans import in_words
from server.clock.terms import Terms, Timeout
from server.clock.vacations import BUDGET

EXAMPLES = 3


def explain(terms: Terms, now: datetime, players: int, zone: str = "each player's own time zone") -> list[str]:
    """Return sentences that explain the terms, without an example; weekends are in `zone`."""
    if not terms.control.timed:
        return [terms.control.in_words(), *_delay(terms)]
    return [
        terms.control.in_words(),
        *terms.control.oddities(now),
        *([] if terms.weekends else [terms.control.weekends_in_words(zone)]),
        terms.control.vacation_in_words(f"Each player has {in_words(BUDGET)} of vacation a year"),
        "Players get back any time in which the server was down or its email did not reach them.",
        *_delay(terms),
        *explain_lateness(terms, players),
    ]


def explain_lateness(terms: Terms, players: int) -> list[str]:
    """Return sentences about moves after the deadline; without deadlines, the sentence that says so."""
    return [_grace(terms), _overdue(terms, players)] if terms.control.timed else [terms.control.in_words()]


def example(terms: Terms, now: datetime, zone: ZoneInfo) -> list[str]:
    """Return an example sentence, and the three deadlines that it announces; [] without deadlines."""
    moments = example_deadlines(terms, now, zone)
    if not moments:
        return []
    return [
        f"For example: the game starts on {write_moment(now, zone)}, a player uses all the time for each move, "
        f"and the reply always comes immediately. The player's first {EXAMPLES} deadlines are then:",
        *(write_moment(moment, zone) for moment in moments),
    ]


def example_deadlines(terms: Terms, now: datetime, zone: ZoneInfo) -> list[datetime]:
    """Return the first deadlines of a player in `zone` who always moves at the last moment and gets immediate
    replies.

    The game starts now. [] without deadlines.
    """
    owed = Owed(terms, now, zone, terms.control.first_bank)
    moments: list[datetime] = []
    while len(moments) < EXAMPLES and (due := deadline(owed)) is not None:
        moments.append(due)
        owed = replace(owed, began=due, bank=bank_after(owed, due))
    return moments


def _grace(terms: Terms) -> str:
    comes, verb = ("Orders that arrive", "are") if terms.simultaneous else ("A move that arrives", "is")
    if not terms.grace:
        return f"{comes} after the deadline {verb} too late."
    return f"{comes} within {in_words(terms.grace)} after the deadline {verb} still accepted."


def _delay(terms: Terms) -> list[str]:
    if not terms.delay:
        return []
    end = ", but not beyond the deadline" if terms.control.timed else ""
    return [f"Once all orders are in, they can still be changed for {in_words(terms.delay)}{end}."]


def _overdue(terms: Terms, players: int) -> str:
    late, waits = "later than that", "the late move is still accepted"
    if terms.simultaneous:
        waits = "the turn waits for the orders"
    first = ""
    if terms.simultaneous and terms.misses > 1:
        first = "Later orders do not count: the turn is played without them. "
        late = f"too late {terms.misses} turns in a row"
    if terms.timeout is Timeout.LOSE:
        leaving = ", or leaves the game if the others play on" if players > 2 else ""
        return f"{first}A player who is {late} loses{leaving}."
    return f"{first}When a player is {late}, an opponent may claim the game; until one does, {waits}."
