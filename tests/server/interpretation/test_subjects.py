"""The subjects of sentences that fit no phrase."""

from __future__ import annotations

import pytest

from server.commands.vocabulary import PLAIN
from server.commands.word import Effect
from server.interpretation.subjects import SUBJECTS, Subject, subject_of


@pytest.mark.parametrize("choice", sorted({choice for subject in SUBJECTS for choice in subject.choices}))
def test_subjects_only_lead_to_commands_that_read(choice: str) -> None:
    word, _ = PLAIN.split(choice)
    assert word is not None
    assert word.effect is Effect.READS


@pytest.mark.parametrize(
    ("sentence", "choice"),
    [
        ("Is there a Turnier somewhere?", "tournaments"),
        ("My e-mail address is going to change soon", "help address"),
        ("How much-time is there?", "games"),
        ("WHO IS THE WINNER?", "who"),
    ],
)
def test_subject_is_found_by_one_of_its_words(sentence: str, choice: str) -> None:
    subject = subject_of(sentence)
    assert subject is not None
    assert choice in subject.choices


@pytest.mark.parametrize(
    "sentence", ["Nothing of the kind", "drawers", "cup@example.org", f"the cup {'and ' * 60}"]
)
def test_sentence_about_nothing_that_nabu_knows_has_no_subject(sentence: str) -> None:
    assert subject_of(sentence) is None


def test_words_may_have_any_ending_only_if_the_table_says_so() -> None:
    assert Subject("travel*", ()).is_in("We are travelling")
    assert not Subject("ill", ()).is_in("We will be there")
