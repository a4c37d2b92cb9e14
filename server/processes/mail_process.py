"""The mail process: every way in that has to be watched, and a thread that handles what came in, at once.

One thread stores and handles by turns: two would get in each other's way, as SQLite lets only one write.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from mail.incoming.imap import Mailbox
from mail.incoming.maildir import Maildir
from mail.incoming.peers import within
from mail.incoming.receiving import Listener, Protocol, Received
from server.clock import outages
from server.inbound.pipeline import Ahead
from server.jobs import schedule
from server.processes.services import Services
from server.settings.loading import BadSettings
from server.settings.value_types import host_and_port

logger = logging.getLogger(__name__)

_LOOK = 0.25
"""Seconds between two looks at the clock and into the inbox."""
_LEFT_TO_OTHERS = timedelta(seconds=_LOOK)
"""How long a mail waits for the mail process that took it, if one did, before another handles it."""


class Mailroom:
    """Takes mail by SMTP and LMTP, from a mailbox and a maildir, as the settings say; handles it.

    Raises BadSettings for a maildir that cannot be used.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._reception = services.reception()
        self._pipeline = services.pipeline()
        self._executor = ThreadPoolExecutor(1, "mail")
        self._ahead = Ahead()
        self._handling = False
        self._closing = False
        self._stopped = threading.Event()
        self._heartbeat = threading.Thread(target=self._beat, name="heartbeat of the mail process")
        settings = services.settings
        ways: list[tuple[Protocol, str]] = [("smtp", settings.smtp_listen), ("lmtp", settings.lmtp_listen)]
        self.listeners = [self._listener(protocol, listen) for protocol, listen in ways if listen]
        self._watched = list(self._places())

    def start(self) -> None:
        """Begin to take mail, and to handle what was left lying when an earlier process ended."""
        self._executor.submit(self._begin_to_handle)
        for listener in self.listeners:
            listener.start()
            logger.info("mail on %s:%s", *listener.address)
        for place in self._watched:
            place.start()
        self._heartbeat.start()

    def stop(self) -> None:
        """Take no more mail, and finish the one that is being handled."""
        for way in (*self.listeners, *self._watched):
            way.stop()
        self._closing = True
        self._stopped.set()
        if self._heartbeat.is_alive():
            self._heartbeat.join()
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

    def _places(self) -> Iterator[Mailbox | Maildir]:
        """The places in which mail servers put mail for us."""
        settings, ours = self._services.settings, self._reception.owns
        if settings.imap_url:
            handled, pause = settings.imap_handled, float(settings.imap_pause)
            yield Mailbox(settings.imap_url, ours=ours, store=self._store, handled=handled, pause=pause)
        if settings.maildir:
            try:
                yield Maildir(Path(settings.maildir), ours=ours, store=self._store)
            except OSError as error:
                raise BadSettings(f"NABU_MAILDIR: {error}") from None

    def _beat(self) -> None:
        """Look for mail, and write once a minute that it is accepted: other time costs the players nothing."""
        last: datetime | None = None
        while not self._stopped.wait(_LOOK):
            self._executor.submit(self._look).result()
            now = self._services.now()
            if last is None or abs(now - last) >= outages.BEAT:
                last = now if self._has_beaten(now) else last

    def _has_beaten(self, now: datetime) -> bool:
        try:
            self._executor.submit(schedule.beat_mail, self._services.engine, now).result()
        except Exception as error:  # then no mail can be stored either, and the time is given back later
            logger.error("the heartbeat of the mail process: %s", type(error).__name__)
            return False
        return True

    def _look(self) -> None:
        """Handle what another process stored, such as a pipe or the web pages, which cannot notify this one."""
        try:
            if not self._handling and self._pipeline.waits(self._services.now(), _LEFT_TO_OTHERS):
                self._begin_to_handle()
        except Exception as error:  # the mails are stored: nothing is lost by waiting
            logger.error("could not check the inbox: %s", type(error).__name__)

    def _store(self, batch: Sequence[Received]) -> None:
        self._executor.submit(self._keep, batch).result()

    def _keep(self, batch: Sequence[Received]) -> None:
        self._reception.store(batch)
        self._begin_to_handle()

    def _begin_to_handle(self) -> None:
        if not self._handling:
            self._executor.submit(self._handle_next)
            self._handling = True

    def _handle_next(self) -> None:
        """Handle one mail, and go on to the next once what has come in meanwhile is stored."""
        try:
            self._handling = not self._closing and self._pipeline.handle_next(
                self._services.now(), ahead=self._ahead
            )
        except Exception as error:  # the mails are stored: nothing is lost by waiting
            logger.error("mail left for the worker: %s", type(error).__name__)
            self._handling = False
        if self._handling and not self._closing:
            self._executor.submit(self._handle_next)
