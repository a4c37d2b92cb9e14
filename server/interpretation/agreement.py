"""Find out whether a text agrees or refuses, with the words in `agreement_phrases`.

A text agrees only if all of it is made of such phrases, courtesies and names: nothing is agreed to because of a
sentence that only contains “sure”. Other texts may have a direction, which is good enough for a suggestion.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import product

from mail.reading.spelling import DOUBTFUL_SIGNS
from server.commands.courtesy import NOBODY, Courtesy
from server.interpretation import agreement_phrases
from server.interpretation.doubts import is_doubtful

_BREAK = re.compile(r"[,.!;:…，、。！\n](?:\s|$)?|\s[-–—]+\s")
_WHY_NOT = re.compile(
    r"\b(why not|warum nicht|pourquoi pas|por qué no|perché no|waarom niet)\s*\?", re.IGNORECASE
)
_MOST_CLAUSES = 12
_LONGEST = 400  # characters of a text


class Stance(Enum):
    """The answer of a text to an offer or a question."""

    AGREES = "yes"
    LEANS = "perhaps yes: the words may also be a comment"
    REFUSES = "no"


Phrases = Mapping[tuple[str, ...], Stance]


def stance(text: str, courtesy: Courtesy, *, wrote_it: bool = False, invited: bool = False) -> Stance | None:
    """Return the stance of a text that says nothing else, in one line besides courtesies; None for other texts.

    With `wrote_it`, it answers the question “Was this you?”; with `invited`, an invitation to a game.
    """
    lines = list(_telling(text, courtesy, invited)) if len(text) <= _LONGEST else []
    if len(lines) != 1:
        return None
    line = _WHY_NOT.sub(r"\1", lines[0])
    greeting, _, rest = line.partition(",")
    line = rest if rest and courtesy.is_greeting(greeting) and not _has_phrase(greeting, invited) else line
    found = courtesy.phrases_in(line, _phrases(wrote_it, invited))
    if not found:
        return None
    if Stance.REFUSES in found:
        return Stance.REFUSES if set(found) == {Stance.REFUSES} else None
    return Stance.AGREES if Stance.AGREES in found else Stance.LEANS


def direction(text: str, courtesy: Courtesy = NOBODY, *, invited: bool = False) -> Stance | None:
    """Return whether a text seems to agree or to refuse, for a suggestion; None if it is not clear.

    Single words count at the beginning of a clause: in “Sure, I would love that”, not in “I am not sure”. With
    `invited`, the text answers an invitation to a game.
    """
    known = stance(text, courtesy, invited=invited)
    if known is not None:
        return Stance.REFUSES if known is Stance.REFUSES else Stance.AGREES
    text = _WHY_NOT.sub(r"\1", text[:_LONGEST])
    if "?" in text or not DOUBTFUL_SIGNS.isdisjoint(text):
        return None
    clauses = [clause for clause in _BREAK.split(text)[:_MOST_CLAUSES] if clause]
    found = [each for clause in clauses for each in _occurring(clause, invited)]
    said, meant = ({each for each, is_clear in found if is_clear or every} for every in (True, False))
    if Stance.REFUSES in meant and Stance.AGREES not in said:
        return Stance.REFUSES
    is_open = Stance.REFUSES in said or any(map(is_doubtful, clauses))
    return Stance.AGREES if Stance.AGREES in meant and not is_open else None


def may_agree(text: str) -> bool:
    """Return whether a text contains a phrase that agrees, such as “Sure!”."""
    found = (_at_each_place(NOBODY.words(line), _phrases(wrote_it=True)) for line in text.splitlines())
    return any(each is not Stance.REFUSES for places in found for each in places.values())


@cache
def words_known() -> frozenset[str]:
    """Return all words that occur in the phrases."""
    return frozenset(word for phrase in _phrases(wrote_it=True) for word in phrase)


def _telling(text: str, courtesy: Courtesy, invited: bool) -> Iterator[str]:
    """Yield the lines that are not only polite, without a name below a closing."""
    closed = False
    for line in filter(None, map(str.strip, text.splitlines())):
        has_phrase = _has_phrase(line, invited)
        is_name = closed and courtesy.may_be_name(line) and not has_phrase
        if not is_name and (has_phrase or not courtesy.is_polite(line)):
            yield line
        closed = closed or courtesy.closes(line)


def _has_phrase(line: str, invited: bool) -> bool:
    return bool(_at_each_place(NOBODY.words(line), _phrases(wrote_it=True, invited=invited)))


def _occurring(clause: str, invited: bool) -> Iterator[tuple[Stance, bool]]:
    """Yield the stances of the phrases in a clause; True for those of several words or at its beginning."""
    words = NOBODY.words(clause)
    found = _at_each_place(words, _phrases(wrote_it=False, invited=invited))
    for (start, end), stance in found.items():
        if stance is Stance.LEANS and end - start > 1:
            yield Stance.AGREES, True
        else:
            yield stance, start == 0 or end - start > 1


def _at_each_place(words: Sequence[str], phrases: Phrases) -> dict[tuple[int, int], Stance]:
    """Return the stances of the longest phrases in some words, by the place of their words."""
    found, at = {}, 0
    while at < len(words):
        lengths = range(min(_longest(), len(words) - at), 0, -1)
        length = next((each for each in lengths if tuple(words[at : at + each]) in phrases), 0)
        if length:
            found[at, at + length] = phrases[tuple(words[at : at + length])]
        at += length or 1
    return found


@cache
def _phrases(wrote_it: bool, invited: bool = False) -> Phrases:
    tables = [
        (agreement_phrases.LEANING, Stance.LEANS),
        (agreement_phrases.AGREEING, Stance.AGREES),
        (agreement_phrases.REFUSING, Stance.REFUSES),
    ]
    if invited:
        tables.append((agreement_phrases.JOINING, Stance.AGREES))
    if wrote_it:
        tables += [(agreement_phrases.WROTE_IT, Stance.AGREES), (agreement_phrases.NOT_MINE, Stance.REFUSES)]
    return {words: stance for table, stance in tables for words in _read(table)}


def _read(table: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each phrase in a table."""
    for phrase in filter(None, map(str.strip, table.replace("\n", ";").split(";"))):
        for parts in product(*(part.split("|") for part in phrase.split())):
            yield tuple(NOBODY.words(" ".join(parts).replace("_", " ")))


@cache
def _longest() -> int:
    return max(map(len, _phrases(wrote_it=True, invited=True)))
