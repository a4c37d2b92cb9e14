"""Polite words in a line, such as "hi Ben": beside a move, or the complete line.

Only names and the phrases listed in `courtesy_phrases.py` count, so that a text that doubts, denies or asks is
never taken for a courtesy, and a line must be a move completely to count as one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import product
from typing import TypeVar

from mail.reading.spelling import DOUBTFUL_SIGNS, plain_line
from server.commands.courtesy_phrases import COURTESIES, Courtesies

_MOST_WORDS = 40  # of a line that is looked at
_MOST_BEFORE = 8  # words before a move
_MOST_BEHIND = 12
_MOST_NAMES = 3  # words of a name after a greeting
_SMILEY = re.compile(
    r"(?<!\S)(?:[:;=]'?-?[)(DPpOo*3|]+|8-[)D]|\^_*\^|<3|[xX]D+)(?!\w)|(?<=\S)[:;=]'?-?[)D]+(?!\w)"
)
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_BREAK = re.compile(r"[,.!;:…](?:\s|$)|\s-{1,3}\s")
_SENTENCE = re.compile(r"(?<=[,.!;:…]) ")
_ENDS = ".,!;:…-–— \t"
_PARTING = frozenset(".,!;…")
_HOLLOW = frozenset({"greets", "leads", "closes"})
_BEFORE = _HOLLOW | {"says"}
_BEHIND = frozenset({"closes", "says", "hands"})
_TELLING = frozenset({"greets", "says", "hands", "praises"})
_BESIDE_AN_ANSWER = frozenset({"greets", "closes", "says", "hands", "praises"})
_NONE = frozenset[str]()
_ALL = frozenset(field.name for field in fields(Courtesies))
_T = TypeVar("_T")


@dataclass(frozen=True)
class Polite:
    """A move or a command in a line, and the words of that line that are for the other players, if any."""

    text: str
    said: str
    leads: bool
    """True if there is courtesy before it, too."""
    calls: bool
    """True if a name is the first word behind it."""


@dataclass(frozen=True)
class Courtesy:
    """Recognizes polite words and greetings; `names` are the words of people's names, in lower case.

    `meant` are words with a meaning, such as commands, which are never taken for names.
    """

    names: frozenset[str] = frozenset()
    meant: Collection[str] = frozenset()

    def is_all(self, line: str) -> bool:
        """Return True if a line contains nothing but polite words, for example “thanks, Ben”."""
        return self._is_made_of(line, _ALL, asking=True) and _words(line) != []

    def is_polite(self, line: str) -> bool:
        """Return True if a line, in plain spelling, is a greeting or contains nothing but polite words."""
        plain = plain_line(line)[0]
        return self.is_greeting(plain) or self.is_all(plain)

    def is_greeting(self, line: str) -> bool:
        """Return True if a line is a greeting, with any name, and nothing else."""
        words = _words(line)
        if not words or "?" in line or _has_digit(line):
            return False
        greeting, *others = _BREAK.split(line)
        names = _greeted(greeting)
        if names is None or len(names) > _MOST_NAMES or not self._are_names(names):
            return False
        return all(self._is_made_of(other, _ALL) or self.may_be_name(other) for other in others)

    def may_be_name(self, text: str) -> bool:
        """Return True if a text is written like a name, known or not."""
        words = text.split()
        capitals = len(words) <= _MOST_NAMES and all(word[0].isupper() for word in words)
        return capitals and "?" not in text and self._are_names(_words(text))

    def _are_names(self, words: Sequence[str]) -> bool:
        return all(word in self.names or word not in self.meant for word in words)

    def is_hollow(self, line: str) -> bool:
        """Return True if a line contains nothing that the other players would miss."""
        if not _words(line) or self._is_made_of(line, _HOLLOW):
            return True
        greeting, *others = _BREAK.split(line)
        is_said = self._is_made_of(greeting, _TELLING) and not self._is_made_of(greeting, _HOLLOW)
        if is_said or not self.is_greeting(line):
            return False
        unknown = [word for word in _greeted(greeting) or () if word not in self.names]
        if len(unknown) > 1 and not line.startswith(f"{greeting},"):
            return False  # “Greetings from Rome” is a message, “Good day Mrs Miller,” is none
        named = not self.names.isdisjoint(_words(greeting))
        return all(self._is_made_of(other, _HOLLOW) or (not named and self._calls(other)) for other in others)

    def _calls(self, text: str) -> bool:
        """Return True if it is one name, as after "Dear Mrs.", and no praise or wish."""
        return len(text.split()) == 1 and self.may_be_name(text) and not self._is_made_of(text, _TELLING)

    def phrases_in(self, text: str, phrases: Mapping[tuple[str, ...], _T]) -> list[_T]:
        """Return the values of the phrases, by their words, of which a text consists besides courtesies.

        Returns [] if it contains anything else, such as a question or a number.
        """
        if _has_digit(text) or "?" in text or not DOUBTFUL_SIGNS.isdisjoint(text):
            return []
        words, found, at = _words(text), [], 0
        if len(words) == _MOST_WORDS:
            return []  # the rest of the line was not looked at
        longest = max(_longest(), *map(len, phrases))
        while at < len(words):
            for length in range(min(longest, len(words) - at), 0, -1):
                said = tuple(words[at : at + length])
                if said in phrases:
                    found.append(phrases[said])
                    break
                is_name = length == 1 and said[0] in self.names
                if is_name or not _phrases().get(said, _NONE).isdisjoint(_BESIDE_AN_ANSWER):
                    break
            else:
                return []
            at += length
        return found

    def words(self, text: str) -> list[str]:
        """Return the words of a text in lower case, without smileys and punctuation."""
        return _words(text)

    def closes(self, line: str) -> bool:
        """Return True if a line is a closing such as “Best wishes”, which precedes a name."""
        return _words(line) != [] and self._is_made_of(line, frozenset({"closes"}))

    def around(self, line: str) -> Iterator[Polite]:
        """Yield the line without polite words at its ends, in every possible way, the longest first.

        For example, “hi Ben, c4 please” gives several, among them “c4 please” and “c4”.
        """
        words = line.split()
        if len(words) > _MOST_WORDS or "?" in line or not DOUBTFUL_SIGNS.isdisjoint(line):
            return
        starts, ends = self._starts(words), self._ends(words)
        for start, end in sorted(product(starts, ends), key=lambda pair: pair[0] - pair[1]):
            text = _bare(" ".join(words[start:end]))
            if text not in ("", line):
                before, behind = (" ".join(part) for part in (words[:start], words[end:]))
                said = ". ".join(filter(None, map(self._said, (before, behind)))).replace("!. ", "! ")
                calls = not self.names.isdisjoint(_words(behind)[:1])
                yield Polite(text, said, leads=start > 0, calls=calls)

    def _said(self, part: str) -> str:
        """Return the words for the other players in a text, without “please” and the like before them."""
        if self.is_hollow(part):
            return ""
        sentences = _SENTENCE.split(part)
        while len(sentences) > 1 and self.is_hollow(sentences[0]):
            del sentences[0]
        return " ".join(sentences).lstrip("!").strip(_ENDS.replace("!", "") + "()")

    def _starts(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of words after which the rest may begin."""
        if not self._is_known(words[:1], 0):
            return [0]
        return [n for n in range(min(len(words), _MOST_BEFORE)) if self._may_precede(" ".join(words[:n]))]

    def _ends(self, words: Sequence[str]) -> list[int]:
        """Return the places of words before which the rest may end."""
        if not self._is_known(words[-1:], -1):
            return [len(words)]
        ends = range(len(words), max(0, len(words) - _MOST_BEHIND), -1)
        return [end for end in ends if self._is_made_of(" ".join(words[end:]), _BEHIND)]

    def _is_known(self, words: Sequence[str], place: int) -> bool:
        """Return True if a courtesy may have this word at that place, 0 or -1; smileys have none."""
        said = _words(" ".join(words))
        return not said or said[place] in self.names or said[place] in _at_end(place)

    def _may_precede(self, before: str) -> bool:
        """Return True if a text is courtesy that may stand before a move.

        "Thanks c4" may thank for the move, and "Ben: c4" may say who played it.
        """
        if NOBODY._is_made_of(before, _HOLLOW):
            return True
        return before[-1:] in _PARTING and self._is_made_of(before, _BEFORE)

    def _is_made_of(self, text: str, game_types: Collection[str], *, asking: bool = False) -> bool:
        """Return True if all words of a text belong to courtesies of these kinds, or are names."""
        if _has_digit(text) or ("?" in text and not asking):
            return False
        words, at = _words(text), 0
        while at < len(words):
            fitting = (
                length
                for length in range(min(_longest(), len(words) - at), 0, -1)
                if not _phrases().get(tuple(words[at : at + length]), _NONE).isdisjoint(game_types)
            )
            longest = next(fitting, int(words[at] in self.names))
            if not longest:
                return False
            at += longest
        return True


NOBODY = Courtesy()
"""Courtesy without known names."""


def _bare(text: str) -> str:
    """Return a text without smileys, and without punctuation at its ends."""
    return _SMILEY.sub(" ", text).strip(_ENDS)


def _greeted(greeting: str) -> list[str] | None:
    """Return the words after the beginning of a greeting, such as a name; None if it is no greeting."""
    words = _words(greeting)
    lengths = [n for n in range(1, len(words) + 1) if "greets" in _phrases().get(tuple(words[:n]), ())]
    return words[max(lengths) :] if lengths else None


def _words(text: str) -> list[str]:
    """Return the words in lower case, without smileys and punctuation."""
    return _WORD.findall(_SMILEY.sub(" ", text).replace("’", "'").lower())[:_MOST_WORDS]


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, _SMILEY.sub(" ", text)))


@cache
def _phrases() -> dict[tuple[str, ...], frozenset[str]]:
    """Return the kinds of courtesy of each phrase, by its words."""
    found: dict[tuple[str, ...], frozenset[str]] = {}
    for language in COURTESIES:
        for game_type in _ALL:
            for phrase in filter(None, map(_words, getattr(language, game_type).split(";"))):
                found[tuple(phrase)] = found.get(tuple(phrase), frozenset()) | {game_type}
    return found


@cache
def _at_end(place: int) -> frozenset[str]:
    """Return all words that are the first (0) or the last (-1) of a phrase."""
    return frozenset(phrase[place] for phrase in _phrases())


@cache
def polite_words() -> frozenset[str]:
    """Return all words that occur in courtesies."""
    return frozenset(word for phrase in _phrases() for word in phrase)


@cache
def _longest() -> int:
    return max(map(len, _phrases()))
