"""What is told outside of mails: in a channel of another service, or in a browser, and what became of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class SendingOutcome(StrEnum):
    """What became of a message."""

    TAKEN = "taken"
    LATER = "later"
    """It was not taken, and may be another time."""
    SLOW = "slow"
    """It took too long; it may have been taken, or may be another time."""
    GONE = "gone"
    """There is nobody any more who would take one."""


@dataclass(frozen=True)
class NotificationMessage:
    """What is told in the channel at `address`, of this service if it is one for players."""

    address: str
    title: str
    body: str
    service: str = ""


@dataclass(frozen=True)
class Push:
    """What is told in a browser: `content`, which is JSON for our service worker."""

    endpoint: str
    p256dh: str
    auth: str
    key: str
    """Our private key, as `PushKeys` writes it."""
    contact: str
    """Where we can be reached, as an address (URI)."""
    seconds: int
    """For how long it is kept for a browser that is not running."""
    topic: str
    """A newer message of the same topic takes its place while it is kept."""
    urgent: bool
    content: str


Send = Callable[[Sequence[NotificationMessage | Push]], list[SendingOutcome]]
"""Tells messages, and what became of each."""
