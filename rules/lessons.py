"""Lessons of guided games: one rule each, explained by the current position."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lesson:
    """A rule and its meaning in this position, in a few sentences for the player who has to move."""

    text: str
    allowed: tuple[str, ...] = ()
    """The moves in the text that are legal here."""
    refused: tuple[str, ...] = ()
    """The moves in the text that are not legal here."""
