"""Errors of the rules. Each message is a complete sentence, which the player gets unchanged.

::

    RuleError (ValueError)      anything that the rules do not accept
    ├── BadData                 options, a setup or a position that do not describe such a game
    └── WrongMove
        ├── Unreadable          the text does not have the form of a move of this game
        ├── IllegalMove         it has the form of a move, and a rule forbids it
        │   └── NotYours        it names a piece of another seat
        └── Ambiguous           several moves fit; `choices` holds them, in canonical text
"""

from __future__ import annotations

from collections.abc import Sequence


class RuleError(ValueError):
    """Raised for anything that the rules do not accept; `str(error)` is a complete sentence for the player."""


class BadData(RuleError):
    """Raised for options, a setup or a position that do not describe a game."""


class WrongMove(RuleError):
    """Raised for a move that cannot be played."""


class Unreadable(WrongMove):
    """Raised for a text that does not have the form of a move of this game, such as "thanks!"."""


class IllegalMove(WrongMove):
    """Raised for a text that has the form of a move which a rule forbids."""


class NotYours(IllegalMove):
    """Raised for a move with a piece that belongs to another seat."""


class Ambiguous(WrongMove):
    """Raised for a text that fits several moves; `choices` are their canonical texts."""

    def __init__(self, message: str, choices: Sequence[str]) -> None:
        super().__init__(message)
        self.choices = tuple(choices)
