"""A maildir: a folder into which a mail server on this machine delivers emails, one file for each.

A file is renamed after its email is stored. No lock is needed: a second process finds the file gone, or stores
an email that is already known.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from mail.incoming import watching
from mail.incoming.envelopes import Ours, received
from mail.incoming.receiving import MAX_SIZE, Received
from mail.incoming.watching import PutOff, Store, Watcher

log = logging.getLogger(__name__)

_MOST_MAILS = 100  # in one batch
_LONG_PAUSE = 30.0  # seconds, after an email could not be stored
_SEEN = ":2,S"


class Maildir:
    """Takes the emails in `folder`, a maildir that is created if needed; once started, in its own thread.

    `ours` recognizes Nabu's addresses, as in envelopes.received. Stored emails are moved to `handled`, another
    maildir on the same disk, or remain in the folder as read. The folder is checked every `pause` seconds.
    Emails are cut off after `max_size` bytes.
    """

    def __init__(
        self,
        folder: Path,
        *,
        ours: Ours,
        store: Store,
        handled: Path | None = None,
        pause: float = 2.0,
        max_size: int = MAX_SIZE,
    ) -> None:
        self._new, self._handled = folder / "new", (handled or folder) / "cur"
        self._ours = ours
        self._store = store
        self._pause, self._max_size = pause, max_size
        self._put_off: PutOff[str] = PutOff()
        self._watcher = Watcher(f"mail-maildir {folder}", self.watch)
        for maildir in (folder, handled or folder):
            for part in ("tmp", "new", "cur"):
                (maildir / part).mkdir(mode=0o700, parents=True, exist_ok=True)

    def start(self) -> None:
        """Start to take emails in a thread; errors are logged, and it tries again."""
        self._watcher.start()

    def stop(self) -> None:
        """Stop after storing the current emails."""
        self._watcher.stop()

    def watch(self, stopping: threading.Event) -> None:
        """Check the folder, repeatedly until `stopping` is set. Raises OSError if it cannot be read."""
        failed = self._collect()
        while not stopping.wait(max(self._pause, _LONG_PAUSE) if failed else self._pause):
            failed = self._collect()

    def _collect(self) -> int:
        """Store all emails in the folder, and return the number of emails that could not be stored."""
        mails, failed = self._mails(), 0
        while batch := list(islice(mails, _MOST_MAILS)):
            names = watching.stored(self._store, batch, self._put_off)
            for name in names:
                self._put_away(name)
            failed += len(batch) - len(names)
        return failed

    def _mails(self) -> Iterator[tuple[str, Received]]:
        """Yield the emails with the names of their files, which begin with the time of delivery."""
        for path in sorted(self._new.iterdir()):
            if path.name in self._put_off:
                continue
            if path.name.startswith(".") or path.is_symlink() or not path.is_file():
                continue
            try:
                with path.open("rb") as file:
                    content = file.read(self._max_size)
            except FileNotFoundError:
                continue  # another process has taken it
            except OSError:
                log.exception("cannot read an email")
                continue
            yield path.name, received("maildir", content, ours=self._ours)

    def _put_away(self, name: str) -> None:
        with suppress(FileNotFoundError):  # another process has moved it
            (self._new / name).rename(self._handled / (name.partition(":")[0] + _SEEN))
