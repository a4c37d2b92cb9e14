"""Reasons why a game ends other than by its rules; the reasons of the rules are in the rules."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Reason(StrEnum):
    """The reason for the end of a game, with `words` for people.

    Its value is the word in records, such as "agreed-draw".
    """

    RESIGNED = "resigned", "the other side resigned"
    TIMEOUT = "timeout", "the other side ran out of time"
    AGREED_DRAW = "agreed-draw", "a draw was agreed"
    AGREED_END = "agreed-end", "both sides agreed to end and count"
    RULED = "ruled", "an administrator of the server decided it"
    ADJUDICATED = "adjudicated", "the game was unfinished when its time in the tournament was up"
    ABORTED = "aborted", "the game was abandoned, as no player continued it"

    words: str
    """Half a sentence: "the other side resigned"."""

    def __new__(cls, word: str, words: str) -> Reason:
        reason = str.__new__(cls, word)
        reason._value_ = word
        reason.words = words
        return reason


REASONS: Mapping[str, Reason] = {reason.value: reason for reason in Reason}
LEAVING = (Reason.RESIGNED, Reason.TIMEOUT)
"""Reasons why a seat leaves a game."""
