"""What the rules refuse. Each message is a sentence for the player, mailed and shown as it stands.

::

    RuleError (ValueError)      anything that the rules do not accept
    ├── BadData                 options, a setup or a position that do not describe such a game
    └── WrongMove
        ├── Unreadable          the text is not written like a move of this game
        ├── IllegalMove         it is read, and a rule forbids it
        │   └── NotYours        it is for a piece of another seat
        └── Ambiguous           several moves fit; `choices` holds them, in canonical text
"""

from __future__ import annotations

from collections.abc import Sequence


class RuleError(ValueError):
    """Something that the rules do not accept; `str(error)` is a whole sentence for the player."""


class BadData(RuleError):
    """Options, a setup or a position that do not describe such a game."""


class WrongMove(RuleError):
    """A move that cannot be played; the position it was meant for is unchanged."""


class Unreadable(WrongMove):
    """The text is not written like a move of this game."""


class IllegalMove(WrongMove):
    """The text was read as a move, and a rule forbids it."""


class NotYours(IllegalMove):
    """The text names a piece that another seat commands."""


class Ambiguous(WrongMove):
    """The text fits several moves; `choices` are their canonical texts."""

    def __init__(self, message: str, choices: Sequence[str]) -> None:
        super().__init__(message)
        self.choices = tuple(choices)
