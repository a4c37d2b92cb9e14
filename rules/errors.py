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
    """Something that the rules do not accept; `str(error)` is a complete sentence for the player."""


class BadData(RuleError):
    """Options, a setup or a position that do not describe such a game."""


class WrongMove(RuleError):
    """A move that cannot be played; the position is unchanged."""


class Unreadable(WrongMove):
    """The text does not have the form of a move of this game."""


class IllegalMove(WrongMove):
    """The text has the form of a move, and a rule forbids it."""


class NotYours(IllegalMove):
    """The text names a piece that another seat commands."""


class Ambiguous(WrongMove):
    """The text fits several moves; `choices` are their canonical texts."""

    def __init__(self, message: str, choices: Sequence[str]) -> None:
        super().__init__(message)
        self.choices = tuple(choices)
