"""A lesson: one rule, explained by the position at hand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lesson:
    """What the rule says, and what that means here, in a few sentences for the player who is to move."""

    text: str
    allowed: tuple[str, ...] = ()
    """The moves in the text that they can play here."""
    refused: tuple[str, ...] = ()
    """Those that they cannot."""
