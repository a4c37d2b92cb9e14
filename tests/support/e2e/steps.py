"""Steps of people in a game for `two_worlds`, and the views of the others."""

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
    """An email to a game: a reply to the last email, or to the plain address."""

    who: str
    text: str
    plain: bool = False
    sender: str = ""
    """The sender, if it is not their own address."""
    turns_ago: int = 0
    """The old email that is answered, if any."""


@dataclass(frozen=True)
class Visit:
    """A visit to a page or a form, with all fields that any form has."""

    who: str
    method: str
    address: str


@dataclass(frozen=True)
class Wait:
    """A time without actions; with `down`, the server does not run meanwhile."""

    hours: float
    down: bool = False


Step = Mail | Visit | Wait


@dataclass(frozen=True)
class Sight:
    """Everything that others see after a step: texts with their sources."""

    step: Step
    stands: tuple[int, str]
    """The turn and the state of the game, which are public."""
    seen: tuple[str, ...]
