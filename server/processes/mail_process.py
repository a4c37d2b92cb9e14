"""The mail process: it receives emails by all ways in, and one thread handles them immediately.

The same thread stores and handles emails, in turn, as SQLite allows only one writer.
"""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from mail.incoming.handover import Handover
from mail.incoming.imap import Mailbox
from mail.incoming.maildir import Maildir
from mail.incoming.peers import within
from mail.incoming.receiving import Listener, Protocol, Received
from server.clock import pauses
from server.inbound.pipeline import Ahead
from server.jobs import downtime
from server.monitoring import pulse
from server.processes.services import Services
from server.processes.triggers import TaskRunner
from server.settings.errors import unusable
from server.settings.loading import BadSettings
from server.settings.value_types import host_and_port

logger = logging.getLogger(__name__)

_LOOK = 1.0
"""Seconds between two checks of the clock and the inbox, if no process that stores an email wakes this one."""
_STORE_EVERY = 0.02
"""Seconds for which emails are handled before those that came in meanwhile are stored, in one transaction."""
_LEFT_TO_OTHERS = timedelta(seconds=0.25)
"""How long an email waits for the mail process that stored it before another one handles it."""


class Mailroom:
    """Receives mail by SMTP and LMTP, from a mailbox, a maildir and pipes, as the settings say, and handles it.

    `meeting_point` is the name at which it takes the emails of `nabu mail pipe`, "" for none. Raises
    BadSettings if the maildir cannot be used.
    """

    def __init__(self, services: Services, meeting_point: str = "") -> None:
        self._services = services
        self._reception = services.reception(wakes=False)
        self._pipeline = services.pipeline()
        self._executor = ThreadPoolExecutor(1, "mail")
        self._ahead = Ahead()
        self._handling = False
        self._closing = False
        self._stopped = threading.Event()
        self._last_beat: datetime | None = None
        self._runner = TaskRunner(services.engine)
        self._runner.add("check of the inbox", _LOOK, self._beat)
        settings = services.settings
        ways: list[tuple[Protocol, str]] = [("smtp", settings.smtp_listen), ("lmtp", settings.lmtp_listen)]
        self.listeners = [self._listener(protocol, listen) for protocol, listen in ways if listen]
        self._watched = list(self._places(meeting_point))

    def start(self) -> None:
        """Start receiving mail, and handling the emails that an earlier process left."""
        self._executor.submit(self._begin_to_handle)
        for listener in self.listeners:
            listener.start()
            logger.info("listening for mail on %s:%s", *listener.address)
        for place in self._watched:
            place.start()
        self._runner.start()

    def stop(self) -> None:
        """Stop receiving mail, and finish the email in progress."""
        for way in (*self.listeners, *self._watched):
            way.stop()
        self._closing = True
        self._stopped.set()
        self._runner.stop()
        self._executor.submit(self._pipeline.give_back, self._ahead, self._services.now())
        self._executor.shutdown()

    def _listener(self, protocol: Protocol, listen: str) -> Listener:
        host, port = host_and_port(listen)
        return Listener(
            host,
            port,
            protocol=protocol,
            hostname=self._services.settings.mail_domain,
            accepts=self._reception.accepts,
            own=partial(within, networks=self._services.settings.own_peers),
            store=self._store,
        )

    def _places(self, meeting_point: str) -> Iterator[Mailbox | Maildir | Handover]:
        """Yield the mailbox, the maildir and the socket from which Nabu takes mail."""
        settings, ours = self._services.settings, self._reception.owns
        if meeting_point:
            yield Handover(meeting_point, accepts=self._reception.accepts, store=self._store)
        if settings.imap_url:
            handled, pause = settings.imap_handled, float(settings.imap_pause)
            yield Mailbox(settings.imap_url, ours=ours, store=self._store, handled=handled, pause=pause)
        if settings.maildir:
            try:
                yield Maildir(Path(settings.maildir), ours=ours, store=self._store)
            except OSError as error:
                raise BadSettings(unusable("maildir", settings.maildir, error)) from None

    def _beat(self) -> None:
        """Check for mail, and write a heartbeat each minute; players get back the time without one."""
        if self._mail_waits(timedelta()):
            # By then, the process that stored a new email has handled it.
            self._stopped.wait(_LEFT_TO_OTHERS.total_seconds())
            self._executor.submit(self._look).result()
        self._executor.submit(pulse.beat, "mail")  # there, as it shows that the executor works
        now = self._services.now()
        if self._last_beat is None or abs(now - self._last_beat) >= pauses.BEAT:
            self._executor.submit(downtime.beat_mail, self._services.engine, now).result()
            self._last_beat = now

    def _look(self) -> None:
        """Handle emails that another process stored, such as a pipe."""
        if self._mail_waits(_LEFT_TO_OTHERS):
            self._begin_to_handle()

    def _mail_waits(self, lying: timedelta) -> bool:
        """Return whether this process handles no email, and one has waited for at least `lying`."""
        try:
            return not self._handling and self._pipeline.waits(self._services.now(), lying)
        except Exception as error:  # the emails are stored: nothing is lost by waiting
            logger.error("could not check the inbox: %s", type(error).__name__)
            return False

    def _store(self, batch: Sequence[Received]) -> None:
        self._executor.submit(self._keep, batch).result()

    def _keep(self, batch: Sequence[Received]) -> None:
        self._reception.store(batch)
        self._begin_to_handle()

    def _begin_to_handle(self) -> None:
        if not self._handling:
            self._executor.submit(self._handle)
            self._handling = True

    def _handle(self) -> None:
        """Handle emails for a moment; then let the executor store those that came in meanwhile."""
        until = time.monotonic() + _STORE_EVERY
        while self._handle_next() and time.monotonic() < until:
            pass
        if self._handling and not self._closing:
            self._executor.submit(self._handle)

    def _handle_next(self) -> bool:
        """Handle one email; return whether there may be more."""
        try:
            self._handling = not self._closing and self._pipeline.handle_next(
                self._services.now(), ahead=self._ahead
            )
        except Exception as error:  # the emails are stored: nothing is lost by waiting
            logger.error("could not handle an email, leaving it to the worker: %s", type(error).__name__)
            self._handling = False
        return self._handling
