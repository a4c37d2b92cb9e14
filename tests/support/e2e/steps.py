"""Steps of people in a game, and what others see of it; `two_worlds` takes them."""

from __future__ import annotations

from dataclasses import dataclass

FORM = {
    "text": "hold",
    "time": "2d",
    "name": "Benjamin",
    "email": "ben@example.org",
    "mail": "stop",
    "zone": "Asia/Tokyo",
    "reminders": "hour",
    "digest": "daily 18:00",
    "vacation": "2d",
    "auto": "on",
    "forced": "on",
    "opponents": "Ann",
    "luck": "three wishes",
}
"""Fields that every form sends."""


@dataclass(frozen=True)
class Mail:
    """Somebody writes to a game, as their reply to its last mail, or to the plain address."""

    who: str
    text: str
    plain: bool = False
    sender: str = ""
    """From another address than their own."""
    turns_ago: int = 0
    """For an old mail that is answered."""


@dataclass(frozen=True)
class Visit:
    """Somebody follows a link or sends a form, with everything in it that any form of ours has."""

    who: str
    method: str
    address: str


@dataclass(frozen=True)
class Wait:
    """Nothing is done for so long; `down` says that the server did not run meanwhile."""

    hours: float
    down: bool = False


Step = Mail | Visit | Wait


@dataclass(frozen=True)
class Sight:
    """What others see after a step: texts, each headed by what it is."""

    step: Step
    stands: tuple[int, str]
    """The turn and the state of the game, which nobody can be kept from seeing."""
    seen: tuple[str, ...]
