"""The outside world of a measurement: senders with open connections, a mail server that counts emails, and how
long answers took.
"""

import queue
import re
import smtplib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil

from mail.incoming.receiving import Listener, Received

SENDERS = 8
_TO = re.compile(rb"^To: (?:.*<)?([^>\r\n]+)>?\r?$", re.MULTILINE)


@dataclass(frozen=True)
class Outgoing:
    """An email to be delivered to Nabu."""

    sender: str
    recipient: str
    content: bytes


@contextmanager
def listening(hostname: str, store: Callable[[Sequence[Received]], None]) -> Iterator[tuple[str, int]]:
    """Accept all emails by SMTP at the returned address, and pass them to `store`."""
    listener = Listener(
        "127.0.0.1",
        0,
        protocol="smtp",
        hostname=hostname,
        accepts=lambda recipient: None,
        own=lambda peer: True,
        store=store,
    )
    listener.start()
    try:
        yield listener.address
    finally:
        listener.stop()


@contextmanager
def sink(arrived: Callable[[str, bytes], None] = lambda recipient, content: None) -> Iterator[tuple[str, int]]:
    """Accept all emails at the returned address, and call `arrived(recipient, content)` for each."""

    def store(batch: Sequence[Received]) -> None:
        for mail in batch:
            found = _TO.search(mail.content)
            arrived(found[1].decode() if found else "", mail.content)

    with listening("sink.test", store) as address:
        yield address


def within(share: float, times: Sequence[float]) -> float:
    """Return the time within which this share of the answers came, in milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(ceil(share * len(ordered)), len(ordered)) - 1]


class Couriers:
    """Threads that deliver emails, each on a connection that stays open; `taken` is called for each accepted
    one.

    Several servers get equally many connections.
    """

    def __init__(
        self,
        servers: Sequence[tuple[str, int]],
        taken: Callable[[Outgoing], None] = lambda mail: None,
        protocol: type[smtplib.SMTP] = smtplib.SMTP,
    ) -> None:
        self._taken, self._protocol = taken, protocol
        self._queue: queue.Queue[Outgoing | None] = queue.Queue()
        each = ceil(SENDERS / len(servers))
        self._threads = [
            threading.Thread(target=self._run, args=(server,), daemon=True) for server in each * [*servers]
        ]
        for thread in self._threads:
            thread.start()

    def send(self, mail: Outgoing) -> None:
        """Deliver an email as soon as a connection is free."""
        self._queue.put(mail)

    def stop(self) -> None:
        """End when all emails have been delivered."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self, server: tuple[str, int]) -> None:
        with self._protocol(*server, timeout=60) as client:
            while (mail := self._queue.get()) is not None:
                client.sendmail(mail.sender, [mail.recipient], mail.content)
                self._taken(mail)
