"""An inbox that keeps its emails, or fails."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from mail.incoming.batching import NoRoom
from mail.incoming.receiving import Received

PATIENCE = 60.0  # seconds to wait for an event


MAIL = b"From: ann@example.org\r\nSubject: move\r\n\r\nc4\r\n"


class Box:
    """A store that keeps its batches; a content in `fails` or `crowded` makes it raise."""

    def __init__(self) -> None:
        self.batches: list[list[Received]] = []
        self.fails: set[bytes] = set()
        self.crowded: set[bytes] = set()
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Semaphore(0)

    def store(self, mails: Sequence[Received]) -> None:
        self.entered.release()
        assert self.gate.wait(PATIENCE)
        if any(mail.content in self.fails for mail in mails):
            raise OSError("disk full")
        if any(mail.content in self.crowded for mail in mails):
            raise NoRoom("a budget is used up")
        self.batches.append(list(mails))

    @property
    def mails(self) -> list[Received]:
        return [mail for batch in self.batches for mail in batch]


def only_ours(recipient: str) -> str | None:
    if recipient.startswith("broken"):
        raise ConnectionError("no database")
    return None if recipient.startswith("play") else "550 5.1.1 No such player"
