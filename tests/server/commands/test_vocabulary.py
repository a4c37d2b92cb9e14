"""Each command has a topic of the help, and an example that is this command."""

from __future__ import annotations

import re

import pytest

from server.commands.parser import read_commands
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import Topic, Vocabulary, Word

WORDS = [(vocabulary, word) for vocabulary in (REPLY, PLAIN) for word in vocabulary]


def is_square(text: str) -> bool:
    """Return True for squares, such as c4."""
    return re.fullmatch("[a-h][1-8]", text) is not None


@pytest.mark.parametrize(("vocabulary", "word"), WORDS, ids=lambda each: str(getattr(each, "usage", "")))
def test_every_command_has_a_topic_and_an_example_of_it(vocabulary: Vocabulary, word: Word) -> None:
    assert isinstance(word.topic, Topic)
    read = read_commands(word.example, is_square, vocabulary)
    assert [command.word for command in read.commands] == [word]
    assert read.stopped_at == ""
    assert len(word.example) <= 60
