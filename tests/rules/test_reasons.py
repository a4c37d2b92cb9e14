"""Reasons why a game ends other than by its rules."""

import json

from rules.reasons import REASONS, Reason


def test_reason_is_the_word_in_records() -> None:
    assert list(REASONS) == [
        *("resigned", "timeout", "agreed-draw", "agreed-end", "ruled", "adjudicated", "aborted"),
    ]
    for word, reason in REASONS.items():
        assert (str(reason), f"{reason}", json.dumps(reason)) == (word, word, f'"{word}"')
        assert {word: 1}[reason] == 1


def test_reason_has_half_a_sentence_for_people() -> None:
    assert Reason.TIMEOUT.words == "the other side ran out of time"
    assert all(reason.words for reason in Reason)
