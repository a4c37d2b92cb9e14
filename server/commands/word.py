"""The definition of a command: its spelling, its help, and the conditions under which it makes sense.

`server/commands/vocabulary.py` lists all commands; `server/inbound/handlers` carries them out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Self

from mail.reading.spelling import DOUBTFUL_SIGNS, comparable
from server.commands.arguments import CONDITIONS, MOVE_TEXT, OPEN, Argument
from server.commands.prose import is_prose

_LONGEST = 4  # words with which a command begins
_DETAILS = re.compile(r"[:;(]")
"""The signs with which the details of a help begin."""
_ASKS = frozenset("?？؟") | DOUBTFUL_SIGNS


class Effect(Enum):
    """The effect of a command, which decides how certain its sender must be."""

    READS = "changes nothing: it is answered, to the player's own address"
    PLAYS = "belongs to a turn"
    CHANGES = "ends, gives up or changes something"


class Topic(Enum):
    """A part of the help: the commands that belong together. Its value is the word that asks for them."""

    covers: str
    """The subject of these commands."""

    GAMES = ("games", "find, start and repeat games")
    PLAYING = ("playing", "moves, draws, takebacks, hints and rules")
    TIME = ("time", "deadlines, vacation and time zone")
    MESSAGES = ("messages", "messages, notes, blocking and reporting")
    EMAIL = ("email", "which emails you get, and when")
    WATCHING = ("watching", "the games of others, and spectator chat")
    TOURNAMENTS = ("tournaments", "enter, follow and create tournaments")
    CHECKING = ("checking", "prove that a game was fair")
    ACCOUNT = ("account", "name, addresses, logins and your data")

    def __new__(cls, word: str, covers: str) -> Self:
        """Make a topic whose value is a word."""
        topic = object.__new__(cls)
        topic._value_, topic.covers = word, covers
        return topic


class When(Enum):
    """A condition of a game under which a command makes sense."""

    BEFORE = "it has not begun"
    BEGUN = "it has started"
    OVER = "it is over"
    SEALED = "orders are secret"
    SEVERAL = "it has more than two seats"
    SERIES = "another game follows it by itself"
    COACHED = "only computers play against its player, and it is not rated"
    IN_TURN = "there are neither secret orders nor dice"


@dataclass(frozen=True, eq=False)  # each command exists once, and hashing all its fields takes long
class Word:
    """A command. `usage` is its form, beginning with the word itself; `help` describes it."""

    usage: str
    help: str
    takes: Argument
    topic: Topic | None = None
    """The part of the help that explains it; None only for a move, which is in no vocabulary."""
    example: str = ""
    """An example: a line with this command."""
    effect: Effect = Effect.CHANGES
    when: frozenset[When] = frozenset()
    """The conditions that its game must fulfil."""
    also: tuple[tuple[str, str], ...] = ()
    """Other forms, each with its description."""
    topic_of_also: Topic | None = None
    """The part of the help that explains the other forms, if it is not the word's own."""
    synonyms: tuple[str, ...] = ()
    """Other spellings of the word: one to four words in lower case."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Whole lines with its meaning, each with the argument: “daily digest” is `digest daily`."""
    brief_forms: tuple[tuple[str, str], ...] = ()
    """Spellings that stand for the word and the beginning of its argument, each with that beginning."""
    most: int = 0
    """The most of these in one email, as each causes a long answer or emails to others; 0 for no limit."""
    name: str = ""
    """Its name for the administrator, if the word is only a sign."""

    @property
    def word(self) -> str:
        """Its first word."""
        return self.usage.split()[0]

    @property
    def help_by_usage(self) -> dict[str, str]:
        """The help by usage."""
        return {self.usage: self.help, **dict(self.also)}

    def help_about(self, topic: Topic) -> dict[str, str]:
        """Return the help by usage of the forms that belong to a topic."""
        also = dict(self.also) if (self.topic_of_also or self.topic) is topic else {}
        return ({self.usage: self.help} if self.topic is topic else {}) | also

    @property
    def is_of_moves(self) -> bool:
        """True for a move or conditional moves, a part of which may mean something else than the whole."""
        return self.effect is Effect.PLAYS and self.takes in (MOVE_TEXT, CONDITIONS)

    @property
    def brief(self) -> str:
        """The help without the details."""
        return _DETAILS.split(self.help, maxsplit=1)[0].strip()

    @cached_property
    def normalised_lines(self) -> dict[str, str]:
        """`lines` as `comparable` returns them, once for all vocabularies: there are thousands."""
        return {comparable(line): argument for line, argument in self.lines.items()}

    def __str__(self) -> str:
        return self.name or self.word


MOVE = Word("MOVE", "play it", MOVE_TEXT, effect=Effect.PLAYS, name="move")
"""A move or orders. They have no word, so no vocabulary contains this."""


class Vocabulary:
    """The commands of one kind of email, in the order in which help lists them."""

    def __init__(self, words: Iterable[Word]) -> None:
        """Raise ValueError if two commands have the same spelling."""
        self.spelled: dict[str, Word] = {}
        """The commands by all their spellings."""
        self.lines: dict[str, tuple[Word, str]] = {}
        """Whole lines with the meaning of a command, normalised, each with the command and its argument."""
        for word in words:
            self.lines |= {line: (word, rest) for line, rest in word.normalised_lines.items()}
            for spelling in (word.word, *word.synonyms, *dict(word.brief_forms)):
                if spelling in self.spelled:
                    raise ValueError(f"two commands begin with {spelling!r}")
                self.spelled[spelling] = word

    def __iter__(self) -> Iterator[Word]:
        return iter(dict.fromkeys(self.spelled.values()))

    def __contains__(self, spelling: str) -> bool:
        return spelling in self.spelled

    def __or__(self, other: Vocabulary) -> Vocabulary:
        """Return the commands of both; the first one takes precedence."""
        both = Vocabulary([])
        both.spelled = other.spelled | self.spelled
        both.lines = other.lines | self.lines
        return both

    @cached_property
    def strict(self) -> Vocabulary:
        """The vocabulary without one-word synonyms that often begin sentences."""
        strict = Vocabulary([])
        strict.lines = self.lines
        strict.spelled = {
            spelling: word
            for spelling, word in self.spelled.items()
            if spelling == word.word or " " in spelling or word.takes not in OPEN
        }
        return strict

    def help_by_usage(self, true: Collection[When] = frozenset(When)) -> dict[str, str]:
        """Return the help by usage of the commands that make sense under these conditions."""
        offered = (word for word in self if word.when.issubset(true))
        return {usage: what for word in offered for usage, what in word.help_by_usage.items()}

    def split(self, line: str) -> tuple[Word | None, str]:
        """Return the command with which a line begins (None for none), and the text after its word.

        For example, `resign 87` gives the command `resign` and the text `87`.
        """
        if line.startswith("?"):
            return self.spelled.get("?"), line[1:].strip()
        if (meant := self.lines.get(comparable(line))) is not None and _ASKS.isdisjoint(line):
            return meant
        words = line.split(maxsplit=_LONGEST)
        for length in range(min(_LONGEST, len(words)), 0, -1):
            spelling = _spelling(" ".join(words[:length]))
            if spelling in self.spelled:
                word, rest = self.spelled[spelling], line.split(maxsplit=length)[length:]
                if not words[length - 1].endswith(":") and _is_prose(word, spelling, "".join(rest)):
                    return None, line
                begins = dict(word.brief_forms).get(spelling, "")
                return word, f"{begins} {''.join(rest)}".strip()
        return None, line


def _is_prose(word: Word, spelling: str, rest: str) -> bool:
    is_text, is_synonym = word.takes.to_the_end, spelling != word.word
    return word.takes in OPEN and is_prose(spelling, rest, is_text=is_text, is_synonym=is_synonym)


def _spelling(text: str) -> str:
    return text.lower().rstrip(".:!")
