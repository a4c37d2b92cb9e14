"""The table of phrases: each row fits its own examples, and none changes the meaning of a command."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial

import pytest

from server.commands.game_numbers import NumberedGames
from server.commands.parser import Instructions, read_commands
from server.commands.vocabulary import ABOUT_A_GAME
from server.commands.word import Vocabulary
from server.interpretation.game_phrases import IN_A_GAME
from server.interpretation.patterns import read_pattern
from server.interpretation.phrase_table import ANYWHERE, TO_NABU
from server.interpretation.phrases import (
    ENDING,
    IN_REPLIES,
    TO_THE_PLAIN_ADDRESS,
    Meaning,
    Phrases,
    read_table,
    without_politeness,
)
from tests.support.server.command_examples import ACCOUNT, ACCOUNT_MAILS, GAME, GAME_MAILS

EXAMPLES = {
    "game": "nibble",
    "number": "12",
    "name": "Olga",
    "email": "olga@example.org",
    "proper": "Olga",
    "who": "Olga",
    "span": "3 days",
    "dates": "3 to 10 May",
    "days": "3 to 10 May",
    "often": "weekly",
    "level": "medium",
    "agreed": "ja",
    "setting": "zone",
    "move": "c4",
    "answer": "e6",
    "next": "d3",
    "conditions": "d5 then e6",
    "text": "Europe/Berlin",
}
WRITTEN = {**EXAMPLES, "span": "3d", "level": "Amytis", "agreed": "yes"}
PLACES = {"anywhere": ANYWHERE, "plain": TO_NABU, "game": IN_A_GAME}
ROWS = [
    (place, line)
    for place, table in PLACES.items()
    for line in re.sub(r"\n[ \t]+", " ", table).splitlines()
    if line and not line.startswith("#")
]


def is_move(text: str) -> bool:
    return re.fullmatch("[a-h][1-8]", text.lower()) is not None


def example(regex: str, *, full: bool) -> str:
    """Return a text that fits a pattern, with (`full`) or without its optional parts."""
    pieces = re.compile(r"\(\?P<([a-z]+)>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
    text = pieces.sub(lambda slot: EXAMPLES[slot[1]], regex.replace("[,:;]? ", " "))
    group = re.compile(r"\(\?:([^()]*)\)(\??)")
    while group.search(text):
        text = group.sub(lambda found: found[1].split("|")[0] if full or not found[2] else "", text)
    return re.sub(r"\\(.)", r"\1", text.split("|")[0]).strip()


@pytest.mark.parametrize("full", [False, True], ids=["short", "long"])
def test_each_row_means_its_commands(full: bool) -> None:
    """All rows are in one test, which is faster; a failure names its row."""
    for place, line in ROWS:
        check_row(place, line, full=full)


def check_row(place: str, line: str, *, full: bool) -> None:
    """Raise AssertionError unless an example of a row leads to its commands."""
    (row,) = read_table(line)
    text = example(read_pattern(re.split(r"\s+(?:=>|\?>)", line)[0]).regex, full=full)
    phrases, read = phrases_of(place), partial(read_anything, words=phrases_of(place).words)
    wanted = [re.sub("<([a-z]+)>", lambda slot: WRITTEN[slot[1]], choice) for choice in row.choices]
    wanted = [choice.replace(" + ", "\n") for choice in wanted if "<each" not in choice]
    meaning = phrases.meaning(text, is_move, read)
    possible = [choice for choice in wanted if read(choice).commands]
    assert possible or not wanted, line
    assert meaning is not None, (line, text)
    assert set(possible) <= set(meaning.choices), (line, text)
    assert meaning.explanation == row.explanation, (line, text)
    assert meaning.is_certain or without_politeness(text)[1] or not row.is_certain, (line, text)
    assert row.is_certain or not meaning.is_certain, (line, text)


@cache
def phrases_of(place: str) -> Phrases:
    """Return the phrases of one kind of email, with all commands."""
    words = {"plain": TO_THE_PLAIN_ADDRESS, "game": IN_REPLIES}.get(place, IN_REPLIES).words
    table = ANYWHERE if place == "anywhere" else PLACES[place] + ANYWHERE
    return Phrases(read_table(table), [], words, words)


def read_anything(text: str, words: Vocabulary) -> Instructions:
    """Return the commands in a text; all games with a number are the writer's."""
    games = NumberedGames(ABOUT_A_GAME, lambda number: True, lambda number, move: is_move(move), plain=True)
    return read_commands(text, is_move, words, games=games)


def read_phrases(phrases: Phrases, text: str) -> Instructions:
    """Return the commands in a text, including phrases."""
    read = partial(read_anything, words=phrases.words)
    return read(phrases.translate(text, is_move, read))


def meaning(line: str) -> Meaning | None:
    """Return the meaning of a line in a reply."""
    return IN_REPLIES.meaning(line, is_move, partial(read_anything, words=IN_REPLIES.words))


@pytest.mark.parametrize(
    ("phrases", "examples"),
    [
        pytest.param(TO_THE_PLAIN_ADDRESS, {**ACCOUNT, **ACCOUNT_MAILS}, id="plain"),
        pytest.param(IN_REPLIES, {**GAME, **GAME_MAILS}, id="game"),
    ],
)
def test_no_phrase_changes_the_meaning_of_a_command(phrases: Phrases, examples: dict[str, str]) -> None:
    for text in examples.values():
        assert read_phrases(phrases, text) == read_anything(text, phrases.words), text


def test_each_row_that_ends_something_asks_or_is_exact() -> None:
    """No slot for any words leads to a command that ends something, unless the phrase names it."""
    for _, line in ROWS:
        (row,) = read_table(line)
        if ENDING.intersection(choice.split()[0] for choice in row.choices) and "<" in line.split(">")[0]:
            assert all("<" in choice for choice in row.choices), line


@pytest.mark.parametrize(
    ("line", "text", "asks"),
    [
        ("Could you please show me my games?", "show me my games", True),
        ("I'd like to play nibble, thanks!", "play nibble", False),
        ("Hello Nabu, please list games.", "list games", False),
        ("please", "please", False),
        ("games", "games", False),
    ],
)
def test_polite_words_are_removed(line: str, text: str, asks: bool) -> None:
    assert without_politeness(line) == (text, asks)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("show games", "needs one"),
        ("(show games => games", "bracket"),
        ("[show] => games", "nothing is required"),
        ("show] games => games", "bracket"),
    ],
)
def test_invalid_row_is_refused(row: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_table(row)


@pytest.mark.parametrize(
    "line",
    [
        "not list games",
        "list games of Ben",
        "I would never offer a draw",
        "c4",
        "c4?",
        "",
        "x" * 500,
        "take that",
    ],
)
def test_line_that_no_row_fits_means_nothing(line: str) -> None:
    assert meaning(line) is None


def test_question_beside_other_text_means_nothing() -> None:
    asked = "how do I move?"
    assert commands(asked) == ["moves"]
    for other in ("c4", "resign", "offer draw", "show"):
        assert commands(f"{asked}\n\n{other}") != ["moves"], other
        assert "moves" not in commands(f"{other}\n\n{asked}"), other


def test_lines_below_prose_stay_unchanged() -> None:
    read = read_phrases(IN_REPLIES, "What a week!\n\nc4\n\nWe could offer a draw.\noffer draw")
    assert [str(command) for command in read.commands] == ["c4"]
    assert "offer draw" in read.below


def test_suggestion_is_not_carried_out() -> None:
    assert commands("I resign") == []
    assert meaning("I resign") == Meaning(("resign",), False)


def commands(text: str) -> Sequence[str]:
    return [str(command) for command in read_phrases(IN_REPLIES, text).commands]
