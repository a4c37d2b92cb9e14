"""Downtime that operators plan: everybody is told before, all clocks stand still, and nobody loses by it."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from server.clock.moments import write_moment
from server.clock.pauses import Pause, Why
from server.errors import BadRequest
from server.game import pausing
from server.operating import announcements
from server.operating.deeds import Office

LONGEST = timedelta(days=3)
EARLIEST = timedelta(days=30)
"""How long before it everybody can be told."""


def plan(office: Office, start: datetime, end: datetime, why: str, *, mail: bool) -> None:
    """Have time stand still for everybody from `start` until `end`, and every page say so until then.

    All deadlines that this touches are computed anew; everybody has at least a day after it. It cannot be taken
    back, as players rely on the deadlines that they are told. With `mail` it is also mailed once to everybody
    who wants such mail. Raises BadRequest for a time that is over, too long or too far away, and for whatever
    cannot be announced.
    """
    now = office.action.now
    if start < now or end <= start:
        raise BadRequest("Maintenance begins now or later, and ends after it has begun.")
    if end - start > LONGEST:
        raise BadRequest(f"Maintenance lasts at most {LONGEST.days} days.")
    if start - now > EARLIEST:
        raise BadRequest(f"Maintenance can be planned at most {EARLIEST.days} days ahead.")
    utc = ZoneInfo("UTC")
    text = (
        f"Maintenance from {write_moment(start, utc)} until {write_moment(end, utc)}: {why}\n"
        "All clocks stand still meanwhile, and everybody has at least a day after it to move."
    )
    announcements.announce(office, text, end, mail=mail)
    pausing.add_downtime(office.session, Pause(start, end, now, Why.MAINTENANCE))
    pausing.credit_all(office.session)
    office.note(f"planned maintenance, {start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} UTC", why=why)
