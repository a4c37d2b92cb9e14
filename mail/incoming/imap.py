"""A mailbox on another server: its emails are fetched by IMAP, stored, and moved to another folder.

An email remains in its folder until it is stored, and is then moved; nothing is deleted. All emails in the
folders are still to be fetched, so nothing has to be remembered: after a crash an email may be stored twice,
and the store recognizes it.
"""

from __future__ import annotations

import ssl
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence

from mail.incoming import watching
from mail.incoming.envelopes import Ours, received
from mail.incoming.imap_session import Session, read_account
from mail.incoming.receiving import MAX_SIZE, Received
from mail.incoming.watching import PutOff, Store, Watcher

_MOST_MAILS, _MOST_BYTES = 100, 20_000_000  # in one batch


class Mailbox:
    """Fetches the emails of one account; once started, in its own thread.

    `url` is as in imap_session.read_account, which raises ValueError. `ours` recognizes Nabu's addresses, as in
    envelopes.received. Stored emails are moved to the folder `handled`; "/" separates the parts of its name,
    whatever the server uses. The folders in `url` must be for Nabu alone: it takes all emails in them. It
    checks all folders every `pause` seconds, and watches the first continuously if the server supports IDLE.
    Emails are cut off after `max_size` bytes. `timeout` is in seconds, for each answer of the server; `tls`
    replaces the default trust of this machine.
    """

    def __init__(
        self,
        url: str,
        *,
        ours: Ours,
        store: Store,
        handled: str = "Nabu/Handled",
        pause: float = 60.0,
        timeout: float = 30.0,
        max_size: int = MAX_SIZE,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._account, self._timeout, self._tls = read_account(url), timeout, tls
        self._ours = ours
        self._store = store
        self._handled = handled
        self._pause, self._max_size = pause, max_size
        # Emails stored but not moved yet, by folder and its UIDVALIDITY.
        self._stored: dict[tuple[str, int], set[int]] = {}
        self._put_off: defaultdict[tuple[str, int], PutOff[int]] = defaultdict(PutOff)
        self._session: Session | None = None
        self._watcher = Watcher("mail-imap", self.watch, self._hurry)

    def start(self) -> None:
        """Start to fetch emails in a thread; errors are logged, and it tries again."""
        self._watcher.start()

    def stop(self) -> None:
        """Stop: immediately when waiting for emails, otherwise after storing the current ones."""
        self._watcher.stop()

    def watch(self, stopping: threading.Event) -> None:
        """Check all folders, repeatedly until `stopping` is set, over one connection. Raises MailboxFailed."""
        self._session = Session(self._account.server, self._timeout, self._tls)
        try:
            self._collect(self._session)
            while self._session.wait(stopping, self._pause):
                self._collect(self._session)
        finally:
            self._session.close()
            self._session = None

    def _hurry(self) -> None:
        if self._session is not None:
            self._session.abort()

    def _collect(self, session: Session) -> None:
        # The first folder comes last, so that it is the one open while waiting.
        for folder in reversed(self._account.folders):
            self._collect_from(session, folder)

    def _collect_from(self, session: Session, folder: str) -> None:
        key = folder, session.open(folder)
        uids = session.uids()
        stored = self._stored.get(key, set()) & set(uids)
        # Under another UIDVALIDITY the numbers mean other emails.
        self._stored = {other: kept for other, kept in self._stored.items() if other[0] != folder}
        self._stored[key] = stored
        self._put_away(session, stored)
        put_off = self._put_off[key]
        for batch in self._batches(session, [uid for uid in uids if uid not in stored and uid not in put_off]):
            stored.update(watching.stored(self._store, batch, put_off))
            self._put_away(session, stored)

    def _put_away(self, session: Session, stored: set[int]) -> None:
        if stored:
            session.move(sorted(stored), self._handled)
            stored.clear()

    def _batches(self, session: Session, uids: Sequence[int]) -> Iterator[list[tuple[int, Received]]]:
        batch: list[tuple[int, Received]] = []
        for uid in uids:
            content = session.fetch(uid, self._max_size)
            if content is None:
                continue
            batch.append((uid, received("imap", content, ours=self._ours)))
            if len(batch) == _MOST_MAILS or sum(len(mail.content) for _, mail in batch) > _MOST_BYTES:
                yield batch
                batch = []
        if batch:
            yield batch
