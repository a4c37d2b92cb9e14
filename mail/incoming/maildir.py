"""A maildir as a way in: a folder into which a mail server of this machine delivers, a file for each mail.

A file is renamed once its mail is stored. Nobody needs a lock: whoever comes second finds the file gone, or
stores a mail that is already known.
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
_LONG_PAUSE = 30.0  # seconds, when a mail could not be stored
_SEEN = ":2,S"


class Maildir:
    """Takes the mail in `folder`, a maildir, made where it is missing; once started, in a thread of its own.

    `ours` tells which addresses are ours, as in envelopes.received. Stored mails go into `handled`,
    another maildir on the same disk, or stay in the folder as read ones. It is looked at every `pause` seconds.
    Of a mail of more than `max_size` bytes the rest is left out.
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
        """Take mail from now on; what goes wrong is logged and tried again later."""
        self._watcher.start()

    def stop(self) -> None:
        """Take no more, once what is being stored is stored."""
        self._watcher.stop()

    def watch(self, stopping: threading.Event) -> None:
        """Look into it, and again until `stopping` is set. Raises OSError when it cannot be read."""
        failed = self._collect()
        while not stopping.wait(max(self._pause, _LONG_PAUSE) if failed else self._pause):
            failed = self._collect()

    def _collect(self) -> int:
        """Store what is there; how many mails could not be stored."""
        mails, failed = self._mails(), 0
        while batch := list(islice(mails, _MOST_MAILS)):
            names = watching.stored(self._store, batch, self._put_off)
            for name in names:
                self._put_away(name)
            failed += len(batch) - len(names)
        return failed

    def _mails(self) -> Iterator[tuple[str, Received]]:
        """The mails with their files' names, which begin with the time of their coming."""
        for path in sorted(self._new.iterdir()):
            if path.name in self._put_off:
                continue
            if path.name.startswith(".") or path.is_symlink() or not path.is_file():
                continue
            try:
                with path.open("rb") as file:
                    content = file.read(self._max_size)
            except FileNotFoundError:
                continue  # somebody else has taken it
            except OSError:
                log.exception("a mail could not be read")
                continue
            yield path.name, received("maildir", content, ours=self._ours)

    def _put_away(self, name: str) -> None:
        with suppress(FileNotFoundError):  # somebody else has put it away
            (self._new / name).rename(self._handled / (name.partition(":")[0] + _SEEN))
