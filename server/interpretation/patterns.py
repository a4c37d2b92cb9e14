"""The patterns of `phrase_table.py` as regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from rules.registry import RULES
from server.accounts.computer_characters import COMPUTER_PLAYERS
from server.clock.calendar_names import in_english
from server.commands.account_words import WORD_OF
from server.commands.game_words import AGREEMENTS, YES
from server.interpretation.phrase_table import WORDS

_TOKEN = re.compile(r"<[a-z]+>|[\[\]()|,]|[^\s\[\]()|,<>]+")
_NAMED = re.compile(r"\{([a-z ]+)\}")
_PAUSE = "[,:;]? "
_CONTRACTED = {
    "what is": "what's|whats",
    "who is": "who's|whos",
    "how is": "how's",
    "when is": "when's",
    "where is": "where's",
    "it is": "it's|its",
    "i am": "i'm|im",
    "i would": "i'd",
    "do not": "don't|dont",
    "does not": "doesn't|doesnt",
    "can not": "cannot|can't|cant",
}
"""Words of the table, each with the shorter forms that fit as well."""
_BRACKETS = {"(": ")", "[": "]"}
_NO_NAME = (
    "a|an|the|my|your|for|to|in|at|of|with|as|me|him|her|them|it|this|that|someone|somebody|anyone|anybody"
)
_NO_NAME_BEHIND = r"me\b|you\b|him\b|her\b|them\b|it\b|us\b"
_NAME = rf"(?!(?:{_NO_NAME})\b)[^\W\d_][\w.'-]*(?: (?!{_NO_NAME_BEHIND})[\w.'-]+){{0,2}}?"
_EMAIL = r"[^\s@<>]+@[^\s@<>]+"
STRENGTHS = {
    said: COMPUTER_PLAYERS[level].name
    for level, words in enumerate(
        ("easiest weakest gentlest", "easy weak beginner", "medium average", "strong hard", "strongest hardest")
    )
    for said in words.split()
}
"""The computer players, by the words for their strength."""
_COUNTS = {
    count: str(number)
    for number, counts in enumerate(("", "a an one another", "two", "three", "four", "five", "six", "seven"))
    for count in counts.split()
}


@dataclass(frozen=True)
class Slot:
    """A variable part of a phrase: `regex` finds it, and `write` changes its text to that for a command."""

    regex: str
    write: Callable[[str], str] = str


def _short_span(text: str) -> str:
    """Return “3 days” as “3d”."""
    count = re.match(r"\d+|\w+", text)
    if count is None:
        return text
    unit = text[count.end() :].split()[-1][:1].lower()
    return f"{_COUNTS.get(count[0].lower(), count[0])}{unit}"


SLOTS = {
    "game": Slot("|".join(RULES), str.lower),
    "number": Slot(r"#?\d{1,15}", lambda text: text.lstrip("#")),
    "name": Slot(_NAME),
    "email": Slot(_EMAIL),
    "proper": Slot(rf"(?-i:(?![a-z])){_NAME}"),
    "who": Slot(f"{_NAME}|{_EMAIL}"),
    "span": Slot(
        rf"(?:\d{{1,4}} ?|(?:{'|'.join(_COUNTS)}) )(?:more )?(?:d|days?|h|hours?|w|weeks?)", _short_span
    ),
    "setting": Slot("|".join(map(re.escape, WORD_OF)), str.lower),
    "often": Slot("daily|weekly", str.lower),
    "level": Slot("|".join(STRENGTHS), lambda text: STRENGTHS[text.lower()]),
    "agreed": Slot("|".join(sorted(AGREEMENTS)), lambda _: YES.word),
    "move": Slot(r"\S.{0,59}?"),
    "answer": Slot(r"\S.{0,59}?"),
    "next": Slot(r"\S.{0,59}?"),
    "conditions": Slot(r"\S.*"),
    "text": Slot(r"\S.*"),
    "dates": Slot(r"\S.*", in_english),
    "days": Slot(r"\S.*", in_english),
}


@dataclass(frozen=True)
class Pattern:
    """A pattern as a regular expression, for a text that has a space before each word."""

    regex: str
    first: frozenset[str] = frozenset()
    """The words with which a text may begin that fits; "" for any."""
    can_be_empty: bool = True
    words: frozenset[str] = frozenset()
    """All words in it, in lower case."""

    def __add__(self, following: Pattern) -> Pattern:
        first = self.first | following.first if self.can_be_empty else self.first
        can_be_empty = self.can_be_empty and following.can_be_empty
        return Pattern(self.regex + following.regex, first, can_be_empty, self.words | following.words)

    def __or__(self, other: Pattern) -> Pattern:
        can_be_empty = self.can_be_empty or other.can_be_empty
        first, words = self.first | other.first, self.words | other.words
        return Pattern(f"{self.regex}|{other.regex}", first, can_be_empty, words)


def read_pattern(text: str) -> Pattern:
    """Return the pattern that a row of the phrase table contains as text, such as `[show] my games`.

    Raises ValueError if a bracket is missing, or if no word is required.
    """
    tokens = _TOKEN.findall(_with_words(text))
    pattern, rest = _alternatives(tokens)
    if rest or pattern.can_be_empty:
        raise ValueError(f"a bracket is missing, or nothing is required: {text}")
    return pattern


def _with_words(text: str) -> str:
    """Return a pattern with the words in place of each `{…}`. Raises KeyError for an unknown name."""
    while _NAMED.search(text):
        text = _NAMED.sub(lambda found: _words()[found[1]], text)
    for words, shorter in _CONTRACTED.items():
        text = re.sub(rf"\b{words}\b", f"({words}|{shorter})", text)
    return text


@cache
def _words() -> dict[str, str]:
    lines = (line.partition(": ") for line in WORDS.splitlines() if line)
    return {name: words for name, _, words in lines}


def _alternatives(tokens: Sequence[str]) -> tuple[Pattern, Sequence[str]]:
    """Read up to a closing bracket; also return the tokens that are left."""
    pattern, tokens = _sequence(tokens)
    while tokens[:1] == ["|"]:
        other, tokens = _sequence(tokens[1:])
        pattern |= other
    return pattern, tokens


def _sequence(tokens: Sequence[str]) -> tuple[Pattern, Sequence[str]]:
    pattern = Pattern("")
    while tokens and tokens[0] not in "|)]":
        part, tokens = tokens[0], tokens[1:]
        if part in _BRACKETS:
            inner, tokens = _alternatives(tokens)
            if tokens[:1] != [_BRACKETS[part]]:
                raise ValueError(f"a bracket is missing behind {inner.regex}")
            tokens = tokens[1:]
            pattern += _bracket(inner, is_optional=part == "[")
        else:
            pattern += _word(part)
    return pattern, tokens


def _bracket(inner: Pattern, *, is_optional: bool) -> Pattern:
    regex = f"(?:{inner.regex})" + ("?" if is_optional else "")
    return Pattern(regex, inner.first, inner.can_be_empty or is_optional, inner.words)


def _word(part: str) -> Pattern:
    """Return the pattern of a word, a slot or a comma."""
    if part == ",":
        return Pattern(",")
    if part == "'s":
        return Pattern(part, can_be_empty=False)
    if part.startswith("<"):
        name = part.strip("<>")
        return Pattern(f"{_PAUSE}(?P<{name}>{SLOTS[name].regex})", frozenset({""}), False)
    words = frozenset({part.lower()})
    return Pattern(_PAUSE + re.escape(part), words, False, words)
