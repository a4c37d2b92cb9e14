"""Delivery of the emails in the outbox to the relay; failed ones are retried for days."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Engine, bindparam
from sqlalchemy.exc import DBAPIError, PendingRollbackError
from sqlmodel import Session, col, select

from mail.outgoing.delivering import DeliveryFailed, Relay, RelayConnections
from mail.outgoing.signing import Signer
from server.monitoring import logs
from server.monitoring.metrics import DELIVERIES, count, domain_label
from server.outbound import paused_domains, relay_health
from server.outbound.letters.writer import Writer
from server.outbound.outcomes import LATE, OUTDATED, UNREADABLE, Outcomes
from server.store.db import is_away, reading, writing
from server.store.failures import diagnosis
from server.store.models import Outbox
from server.store.statements import prepared_statements
from server.store.statements.planned_session import RowStatement

_MINUTE = timedelta(minutes=1)
BATCH = 50
"""Number of emails in a batch."""
_LOOK = 1.0
"""Maximum seconds between two checks of the emails being sent."""
_NEXT: RowStatement[Outbox] = RowStatement(
    select(Outbox)
    .where(Outbox.state == "queued", col(Outbox.due_at) <= bindparam("now"))
    .order_by(col(Outbox.due_at), col(Outbox.id))
    .limit(BATCH)
    .with_for_update(skip_locked=True)
)
_KEPT = ("state", "sent_at", "error", "due_at", "refusal", "failing_since")
_Outcome = Future[DeliveryFailed | None]

logger = logging.getLogger(__name__)

_OUTCOMES = {OUTDATED: "outdated", LATE: "late", UNREADABLE: "unreadable"}
_REFUSED = 500


class _Batch:
    """A batch of emails with a common lease, and the state of the relay.

    `now` is the time of its start; `ticks` is a monotonic clock in seconds.
    """

    def __init__(self, now: datetime, lease: timedelta, ticks: Callable[[], float]) -> None:
        self._now, self._lease = now, lease
        self._ticks, self._began = ticks, ticks()
        self.until = now + lease
        self.unreachable: DeliveryFailed | None = None
        """The failure if the relay does not answer at all. Without it, each email would wait for a timeout."""
        self.had_trouble = False
        """Whether a failure of the relay was recorded when the batch began."""
        self.outcomes: list[DeliveryFailed | None] = []
        """The outcomes so far."""
        self.unstored: list[Outbox] = []
        """Emails with a known outcome that is not stored yet."""
        self._broken = 0

    def note(self, failure: DeliveryFailed) -> None:
        """Record a failure. The relay is unreachable if connecting fails or two connections broke."""
        self._broken += failure.code == 0
        if failure.of == "relay" and (not failure.connected or self._broken > 1):
            self.unreachable = failure

    def is_over(self) -> bool:
        """Return whether the lease has expired, so that other senders may take the emails."""
        return self._time() >= self.until

    def is_ending(self) -> bool:
        """Return whether to renew the lease: its second half, before it expires."""
        return self.until - self._lease / 2 <= self._time() < self.until

    def from_now(self) -> datetime:
        """Return the end of a lease that starts now."""
        return self._time() + self._lease

    def _time(self) -> datetime:
        return self._now + timedelta(seconds=self._ticks() - self._began)


@dataclass(frozen=True)
class Delivery:
    """Sends emails through the relay. Several instances can run in parallel; a lease protects each email."""

    engine: Engine
    writer: Writer
    connections: RelayConnections
    lease: timedelta
    give_up: timedelta
    domain_rate: int
    """Maximum number of emails a minute to one recipient domain."""
    signer: Signer | None = None
    ticks: Callable[[], float] = time.monotonic
    """A monotonic clock in seconds."""

    def send_due(self, now: datetime) -> int:
        """Send a batch of due emails to the relay, and return the number of attempts.

        Outcomes are stored while other emails are still being sent. The lease is renewed meanwhile; if it
        expires all the same, no more emails of the batch are sent. Until then, storing is retried during a
        database outage.
        """
        batch = _Batch(now, self.lease, self.ticks)
        taken = self._take(now, batch)
        waiting: dict[_Outcome, Outbox] = {}
        for mail, content in self._write(taken, now):
            outcome = self.connections.submit(mail.recipient, partial(self._send, mail, content, batch))
            waiting[outcome] = mail
        while waiting or batch.unstored:
            wait(waiting, self._look)
            try:
                self._look_after(batch, waiting, now)
            except Exception as error:
                if not is_away(error) or batch.is_over():
                    raise
                time.sleep(self._look)
        self._outcomes.look_at_relay(now, batch.outcomes, self.lease, had_trouble=batch.had_trouble)
        return len(taken)

    @property
    def _look(self) -> float:
        """Return the seconds between two checks: several per lease."""
        return min(_LOOK, self.lease.total_seconds() / 4)

    @property
    def _outcomes(self) -> Outcomes:
        return Outcomes(self.engine, self.give_up)

    def _look_after(self, batch: _Batch, waiting: dict[_Outcome, Outbox], now: datetime) -> None:
        """Store the outcomes of finished emails and renew the lease of the others.

        Sent emails come first, so that an error with another one cannot cause them to be sent twice.
        """
        ended = [(waiting.pop(outcome), outcome.result()) for outcome in list(waiting) if outcome.done()]
        batch.outcomes += [failure for _, failure in ended]
        for mail, failure in ended:
            self._tell_of(mail, failure)
        self._note(batch, [(mail, None) for mail, failure in ended if failure is None], now)
        self._store_known(batch)
        self._note(batch, [(mail, failure) for mail, failure in ended if failure is not None], now)
        if not batch.is_ending():
            self._store_known(batch)
            return
        until = batch.from_now()
        for mail in waiting.values():
            mail.due_at = until
        if self._store_known(batch, *waiting.values()):
            batch.until = until

    def _note(
        self, batch: _Batch, ended: Sequence[tuple[Outbox, DeliveryFailed | None]], now: datetime
    ) -> None:
        """Apply outcomes to emails. An email for which this fails is retried after its lease."""
        for mail, failure in ended:
            try:
                self._outcomes.note(mail, now, failure)
            except Exception as error:  # an error must not affect the other emails
                logger.error("cannot store the outcome of email %s: %s", mail.id, diagnosis(error))
            else:
                batch.unstored.append(mail)

    def _tell_of(self, mail: Outbox, failure: DeliveryFailed | None) -> None:
        outcome = "taken"
        if failure is not None:
            answer = "refused" if failure.code >= _REFUSED else "put off" if failure.code > 0 else "failed"
            outcome = _OUTCOMES.get(failure, answer)
        count(DELIVERIES, domain_label(mail.domain), outcome)
        to = self.writer.sealer.pseudonym(mail.recipient)
        fields = {"mail": mail.id, "letter": mail.letter, "game": mail.game_id, "to": to, "outcome": outcome}
        logs.event(logger, "delivery", **fields, code=failure.code if failure else 250)

    def _store_known(self, batch: _Batch, *others: Outbox) -> bool:
        """Store these emails and those with a known outcome; return whether the lease of all is still valid."""
        ours = self._store([*batch.unstored, *others])
        batch.unstored.clear()
        return ours

    def _take(self, now: datetime, batch: _Batch) -> list[Outbox]:
        """Lease due emails by moving their due time to the end of the lease; a crash makes them due again."""
        with reading(self.engine) as session:
            # Usually nothing is due; this check does not wait for writers.
            if prepared_statements.DUE_MAIL(session, now=now).first() is None:
                return []
        with writing(self.engine) as session:
            found = [mail for (mail,) in _NEXT(session, {"now": now})]
            taken = self._within_rates(session, paused_domains.keep_back(session, found), now)
            batch.had_trouble = relay_health.failure(session) is not None
            batch.until = batch.from_now()
            for mail in taken:
                mail.due_at = batch.until
                mail.attempts += 1
        return taken

    def _within_rates(self, session: Session, mails: list[Outbox], now: datetime) -> list[Outbox]:
        """Return the emails within the rate of their domain; the others are due in a minute."""
        domains = sorted({mail.domain for mail in mails})
        sent = Counter(dict(prepared_statements.SENT_TO(session, domains=domains, since=now - _MINUTE)))
        allowed = []
        for mail in mails:
            sent[mail.domain] += 1
            if sent[mail.domain] <= self.domain_rate:
                allowed.append(mail)
            else:
                mail.due_at = now + _MINUTE
        return allowed

    def _write(self, mails: list[Outbox], now: datetime) -> Iterator[tuple[Outbox, bytes | DeliveryFailed]]:
        """Yield the emails rendered, so that each is sent while the next is rendered."""
        with reading(self.engine) as session:
            for mail in mails:
                yield mail, self._content(session, mail, now)

    def _content(self, session: Session, mail: Outbox, now: datetime) -> bytes | DeliveryFailed:
        """Return a rendered email, or a failure: an email that cannot be rendered must not stop the others."""
        try:
            content = self.writer.write_what_is_true(session, mail)
            if content is None:
                return OUTDATED
            return content if self.signer is None else self.signer.sign(content, now)
        except (DBAPIError, PendingRollbackError):
            return UNREADABLE
        except Exception as error:  # after any error the email is kept and retried
            return _fault(mail, error)

    def _send(
        self, mail: Outbox, content: bytes | DeliveryFailed, batch: _Batch, relay: Relay
    ) -> DeliveryFailed | None:
        """Send one email; return the failure, or None."""
        if isinstance(content, DeliveryFailed):
            return content
        if batch.is_over():
            return LATE
        if batch.unreachable is not None:
            return batch.unreachable
        try:
            self._hand_over(relay, mail, content)
        except DeliveryFailed as failure:
            batch.note(failure)
            return failure
        except Exception as error:  # an error must not affect the other emails
            return _fault(mail, error)
        return None

    def _hand_over(self, relay: Relay, mail: Outbox, content: bytes) -> None:
        """Send an email with its own return path or, if the relay forbids that, the plain address."""
        own = self.writer.settings.plain_address
        try:
            relay.send(self.writer.return_path(mail), mail.recipient, content)
        except DeliveryFailed as failure:
            if not failure.forbidden:
                raise
            relay.send(own, mail.recipient, content)

    def _store(self, mails: list[Outbox]) -> bool:
        """Store emails, except those that another sender has leased; return whether all were stored."""
        if not mails:
            return True
        rows = [
            {"number": mail.id, "attempt": mail.attempts, "is_sent": mail.state == "sent"}
            | {name: getattr(mail, name) for name in _KEPT}
            for mail in mails
        ]
        with writing(self.engine) as session:
            stored = [prepared_statements.OUTCOME(session, **row).rowcount for row in rows]
        return sum(stored) == len(rows)


def _fault(mail: Outbox, error: Exception) -> DeliveryFailed:
    # Without the message of the error, which may quote the email.
    return DeliveryFailed(permanent=False, code=-1, message=f"{mail.letter}: {diagnosis(error)}", of="mail")
