"""Notifications outside of email, in a channel of another service or a browser, and the outcome of sending."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class SendingOutcome(StrEnum):
    """The outcome of sending a notification."""

    TAKEN = "taken"
    LATER = "later"
    """Not accepted now; Nabu tries again."""
    SLOW = "slow"
    """Timed out; it may have been accepted, and Nabu may try again."""
    GONE = "gone"
    """The receiver no longer exists."""


@dataclass(frozen=True)
class NotificationMessage:
    """A notification for the channel at `address`; `service` is its name, if it is a players' service."""

    address: str
    title: str
    body: str
    service: str = ""


@dataclass(frozen=True)
class Push:
    """A notification for a browser: `content` is JSON for Nabu's service worker."""

    endpoint: str
    p256dh: str
    auth: str
    key: str
    """Nabu's private key, as `PushKeys` writes it."""
    contact: str
    """The administrator's address, as a URI."""
    seconds: int
    """How long it is kept for a browser that is not running."""
    topic: str
    """A newer notification with the same topic replaces one that is still kept."""
    urgent: bool
    content: str


Send = Callable[[Sequence[NotificationMessage | Push]], list[SendingOutcome]]
"""Sends notifications, and returns the outcome of each."""
