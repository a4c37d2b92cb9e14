"""The mail server of all people: it keeps emails for answers, counts the others, and sometimes fails."""

from __future__ import annotations

import email
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default

from mail.addresses import tagged
from mail.incoming.receiving import Listener, Received
from server.store.tokens import ReplyToken, TokenSigner
from tests.support.e2e.mailboxes import World, words_of
from tests.support.evening.guests import asks
from tests.support.machine.ports import free_port

_BUSY = "451 4.3.2 Come again later"
_HANGS = 20.0
"""Seconds for which it says nothing."""


class Postbox(World):
    """Mails of all people; as in mailboxes, one that comes twice is one."""

    def __init__(self, tokens: TokenSigner) -> None:
        super().__init__()
        self.mood = ""
        self.mails = 0
        self.again = 0
        """How many came that it had already."""
        self.asked: dict[tuple[str, int, int], set[str]] = defaultdict(set)
        """By address, game and turn: the Message-IDs of the mails that ask for a move."""
        self.came: dict[tuple[int, int], float] = {}
        """By game and turn: when the first of these came, on the monotonic clock."""
        self.ends: Counter[tuple[str, int]] = Counter()
        """By address and game: mails that tell its end."""
        self._tokens = tokens
        self._ids: set[str] = set()
        self._slips: dict[tuple[str, int], tuple[int, bytes]] = {}
        self._lock = threading.Lock()
        self._listener: Listener | None = None
        self._port = free_port()

    @property
    def url(self) -> str:
        """Where a relay hands mail to it."""
        return f"smtp://127.0.0.1:{self._port}"

    def open(self) -> None:
        """Take mail."""
        self._listener = Listener(
            "127.0.0.1",
            self._port,
            protocol="smtp",
            hostname="world.test",
            accepts=self._accepts,
            own=lambda peer: True,
            store=self.store,
        )
        self._listener.start()

    def close(self) -> None:
        """Stop listening at the port."""
        if self._listener is not None:
            self._listener.stop()
            self._listener = None

    def store(self, batch: Sequence[Received]) -> None:
        """Keep mails; raises, so that they come again, where it forgets to say so."""
        for received in batch:
            self._keep(received)
        if self.mood == "answers are lost":
            raise OSError

    def asking(self, address: str, game: int, turn: int) -> EmailMessage | None:
        """The mail that asks for a move in this turn, if it has come."""
        with self._lock:
            asked, content = self._slips.get((address, game), (0, b""))
        return _read(content) if asked == turn else None

    def _keep(self, received: Received) -> None:
        message = _read(received.content)
        key, address = str(message["Message-ID"]), str(message["To"])
        about = self._tokens.read(tagged(str(message["Reply-To"]))[1])
        with self._lock:
            self.mails += 1
            if key in self._ids:
                self.again += 1
                return
            self._ids.add(key)
            if not isinstance(about, ReplyToken):
                return
            if asks(message, about.turn):
                self._slips[address, about.game] = about.turn, received.content
                self.asked[address, about.game, about.turn].add(key)
                self.came.setdefault((about.game, about.turn), time.monotonic())
            self.ends[address, about.game] += "The game is over." in words_of(message)

    def _accepts(self, recipient: str) -> str | None:
        if self.mood == "hangs":
            time.sleep(_HANGS)
        return _BUSY if self.mood == "is busy" else None


def _read(content: bytes) -> EmailMessage:
    message = email.message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    return message


@contextmanager
def opened(tokens: TokenSigner) -> Iterator[Postbox]:
    """A postbox for the length of a block."""
    postbox = Postbox(tokens)
    postbox.open()
    try:
        yield postbox
    finally:
        postbox.close()
