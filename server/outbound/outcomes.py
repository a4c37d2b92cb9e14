"""The outcomes of sending: the relay has accepted, deferred or refused an email."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine
from sqlmodel import Session

from mail.outgoing.delivering import DeliveryFailed
from mail.reading.bounces import gist, status
from server.accounts import bounces
from server.outbound import relay_health
from server.store.db import writing
from server.store.models import Outbox, Player

logger = logging.getLogger(__name__)

LATE = DeliveryFailed(permanent=False, code=-1, message="not sent in time", of="mail")
"""The lease expired before the email was sent, so another sender may send it."""
UNREADABLE = DeliveryFailed(permanent=False, code=-1, message="the database failed", of="mail")
"""The email could not be rendered because of a database outage; this is no attempt to send it."""
OUTDATED = DeliveryFailed(permanent=False, code=-1, message="no longer true", of="mail")
"""The email was not sent because its content is no longer true."""

_MINUTE = timedelta(minutes=1)
_LONGEST_WAIT = timedelta(hours=4)
_SOON = timedelta(seconds=5)


@dataclass(frozen=True)
class Outcomes:
    """Stores the answers of the relay, and their consequences for the recipients."""

    engine: Engine
    give_up: timedelta
    """The time after which an email fails permanently if the relay accepts others."""

    def note(self, mail: Outbox, now: datetime, failure: DeliveryFailed | None) -> None:
        """Write the outcome into the row of an email, which the caller stores. A success has no `failure`."""
        if failure is None:
            mail.state, mail.sent_at, mail.error = "sent", now, ""
            mail.refusal, mail.failing_since = "", None
        elif failure is OUTDATED:
            mail.state, mail.error = "dropped", ""
            mail.refusal, mail.failing_since = "", None
        elif failure is UNREADABLE:
            mail.due_at = now + _SOON
        elif failure is not LATE:
            self._fail(mail, now, failure)

    def look_at_relay(
        self, now: datetime, outcomes: Sequence[DeliveryFailed | None], lease: timedelta, *, had_trouble: bool
    ) -> None:
        """Record whether the relay accepts email, judging by the latest outcomes.

        `had_trouble` is whether a failure was recorded when the emails were taken.
        """
        taken = None in outcomes
        failures = [failure for failure in outcomes if failure is not None]
        broken = [failure for failure in failures if failure.of == "relay"]
        refusals = {refusal for failure in failures if (refusal := _refusal(failure))}
        if not broken and not refusals and not (taken and had_trouble):
            return
        with writing(self.engine) as session:
            if broken and not taken:
                relay_health.note_trouble(session, now, str(broken[-1]))
            elif not relay_health.note_alike(session, now, refusals) and taken:
                relay_health.note_taken(session, now, lease)

    def _fail(self, mail: Outbox, now: datetime, failure: DeliveryFailed) -> None:
        before, mail.refusal, mail.error = mail.refusal, _refusal(failure), str(failure)[:500]
        mail.failing_since = mail.failing_since or now
        stands = (
            failure.of == "recipient" and mail.refusal == before and now - mail.failing_since >= bounces.STANDS
        )
        old = now - mail.failing_since > self.give_up
        if (stands or old) and self._is_given_up(mail, now, failure, stands=stands, old=old):
            mail.state, mail.due_at = "failed", now
            logger.error("email %s failed permanently: %s", mail.id, mail.error)
            return
        # Double the time since the first failure: one minute, then two, four, eight.
        wait = min(max(now - mail.failing_since, timedelta(0)) + _MINUTE, _LONGEST_WAIT)
        mail.due_at = now + (max(wait, bounces.STANDS) if failure.permanent else wait)
        logger.warning("email %s not sent, attempt %s: %s", mail.id, mail.attempts, mail.error)

    def _is_given_up(
        self, mail: Outbox, now: datetime, failure: DeliveryFailed, *, stands: bool, old: bool
    ) -> bool:
        """Return whether to stop retrying. A lasting refusal (`stands`) also counts as a bounce."""
        with writing(self.engine) as session:
            if not relay_health.takes_others(session, mail):
                return False
            if not stands or relay_health.refused_alike(session, now, mail.refusal):
                return old
            _note_refusal(session, mail, now, failure, old=old)
            return failure.permanent or old


def _note_refusal(session: Session, mail: Outbox, now: datetime, failure: DeliveryFailed, *, old: bool) -> None:
    """Record a bounce: a server has refused the recipient for long enough."""
    player = session.get(Player, mail.player_id) if mail.player_id is not None else None
    if player is None or player.email != mail.recipient:
        return
    of_mailbox = failure.code >= 500 and status(failure.message).startswith("5.2.")
    if failure.permanent or of_mailbox or old:
        bounces.bounced(session, now, player, hard=failure.permanent)


def _refusal(failure: DeliveryFailed) -> str:
    """Return the part of a refusal that recurs in others; "" for failures of the relay or of Nabu itself."""
    return "" if failure.of == "relay" or failure.code <= 0 else f"{failure.code} {gist(failure.message)}"
