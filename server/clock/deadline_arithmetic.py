"""Deadlines of moves, and time taken from the bank. Pure arithmetic on facts from the database.

A deadline is recomputed from all facts whenever one is added. Nothing is shifted in place, so the order in
which facts are found does not matter, nor whether a pause is found twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from server.clock.controls.control import SeatTime
from server.clock.errors import BadTime
from server.clock.pauses import GivenTime, Halt, PausedTime, Why, running, walk
from server.clock.spans import DAY, HOUR, ZERO, limited, read_span
from server.clock.terms import Terms

NOTICE = HOUR
"""A vacation does not move a deadline that is nearer than this when the vacation is announced."""
AFTER_OUTAGE = DAY
"""The least time that every seat has after an outage, or after maintenance."""

Event = PausedTime | GivenTime

_RANKS = {Why.OUTAGE: 0, Why.MAINTENANCE: 0, Why.MAIL: 1, Why.AUTOMATIC: 2, Why.VACATION: 3}


@dataclass(frozen=True)
class Owed:
    """The facts about a move, or orders, that a seat has to make.

    `began` is when the turn began, `zone` the player's zone at that moment, `bank` the seat's bank then (zero
    if the control has no bank). `events` are the gifts for this move and all pauses that concern the seat, in
    any order; pauses that ended more than `AFTER_OUTAGE` before `began` may be left out.
    """

    terms: Terms
    began: datetime
    zone: ZoneInfo
    bank: timedelta = ZERO
    events: tuple[Event, ...] = ()


def deadline(owed: Owed) -> datetime | None:
    """Return the deadline of a move in UTC; None without a deadline.

    The clock is paused in pauses and, if the terms say so, at weekends. The deadline never falls into a halt,
    nor within `AFTER_OUTAGE` of the end of an outage, or of maintenance, that began before time and grace were
    over. Another event never makes it earlier.
    """
    return _due_after(owed, _effective(owed)) if owed.terms.control.timed else None


def grace_until(owed: Owed) -> datetime | None:
    """Return the end of the grace period, until which a late move is in time; None without a deadline."""
    due = deadline(owed)
    return None if due is None else due + owed.terms.grace


def used(owed: Owed, moved: datetime) -> timedelta:
    """Return the time that a seat used, in whole seconds, rounded down; pauses are not counted.

    Zero for a move from before the turn began, as can happen when a clock is put back.
    """
    thought = running(owed.began, moved, _halts(owed, _effective(owed)))
    return timedelta(seconds=thought // timedelta(seconds=1))


def bank_after(owed: Owed, moved: datetime) -> timedelta:
    """Return the time in the bank after a move, up to the cap, with unneeded gifts. Zero without a bank."""
    if not owed.terms.control.first_bank:
        return ZERO
    given = sum((event.amount for event in owed.events if isinstance(event, GivenTime)), ZERO)
    unused = max(owed.bank + given - used(owed, moved), ZERO)
    return owed.terms.control.bank_after(unused)


def half_time(owed: Owed) -> datetime | None:
    """Return the moment at which half of the time for the move has run; None without a deadline."""
    due = deadline(owed)
    if due is None:
        return None
    events = _effective(owed)
    whole = running(owed.began, due, _halts(owed, events))
    return walk(owed.began, whole / 2, _halts(owed, events))


def after_halt(owed: Owed, moment: datetime) -> datetime:
    """Return the moment itself, or the end of the halt that contains it."""
    return walk(moment, ZERO, _halts(owed, _effective(owed)))


def gift(owed: Owed, text: str, now: datetime) -> GivenTime:
    """Return the time that `give TEXT` adds: after the deadline, or after now if the deadline has passed.

    Raises BadTime for less than an hour, more than a week, or a game without deadlines.
    """
    due = deadline(owed)
    if due is None:
        raise BadTime("This game has no deadlines, so there is no time to give.")
    amount = limited(read_span(text, "write give 1d, or give 12h."), "A gift of time", HOUR, 7 * DAY)
    last = max((event.number for event in owed.events if isinstance(event, GivenTime)), default=0)
    return GivenTime(amount + running(due, now, _halts(owed, _effective(owed))), now, last + 1)


def resolves_at(terms: Terms, all_in: datetime, due: datetime | None) -> datetime:
    """Return when a turn is played: its last orders came in at `all_in`, its latest deadline is `due`.

    After the delay, but not after the deadline; immediately if the last orders came in the grace.
    """
    delayed = all_in + terms.delay
    return delayed if due is None else max(all_in, min(delayed, due))


def _effective(owed: Owed) -> list[Event]:
    """Return the events that count, in the order in which the server learned of them."""
    known: list[Event] = []
    for event in sorted(owed.events, key=_order):
        if not _too_late(owed, known, event):
            known.append(event)
    return known


def _order(event: Event) -> tuple[datetime, int, int, datetime, timedelta]:
    """Return the sort key of an event: when the server learned of it, then its content."""
    if isinstance(event, GivenTime):
        return event.said_at, len(_RANKS), event.number, event.said_at, event.amount
    return event.said_at, _RANKS[event.why], 0, event.start, event.end - event.start


def _too_late(owed: Owed, known: Sequence[Event], event: Event) -> bool:
    """Return True for a vacation that was announced when the deadline, as known then, was too near."""
    if isinstance(event, GivenTime) or event.why is not Why.VACATION or event.said_at < owed.began:
        return False
    if not owed.terms.control.timed:
        return False  # there is no deadline that could be near
    return _due_after(owed, known) < event.said_at + NOTICE


def _due_after(owed: Owed, events: Sequence[Event]) -> datetime:
    """Return the deadline by these events; each step makes it later, or leaves it."""
    due = owed.terms.control.due(_time(owed, events))
    downtimes: list[PausedTime] = []
    for event in events:
        if isinstance(event, GivenTime):
            due = walk(due, event.amount, _halts(owed, events))
        elif event.why.is_downtime:
            downtimes.append(event)
        # Postponing a deadline can move it near a downtime that was known before and was too far away then.
        for down in sorted(downtimes, key=lambda pause: pause.start):
            if down.start < due + owed.terms.grace:
                due = max(due, walk(down.end, AFTER_OUTAGE, _halts(owed, events)))
    return due


def _time(owed: Owed, events: Sequence[Event]) -> SeatTime:
    """Return the time of the seat, by these events, without gifts."""
    pauses = tuple(event for event in events if isinstance(event, PausedTime))
    zone = None if owed.terms.weekends else owed.terms.control.weekend_zone(owed.zone)
    return SeatTime(owed.began, owed.bank, pauses, zone)


def _halts(owed: Owed, events: Sequence[Event]) -> Iterator[Halt]:
    """Yield the times at which a seat's clock is paused, by these events."""
    return _time(owed, events).halts()
