"""Commands and moves with the number of their game, before or after them: `resign 87`, `87 c4`, `#87`."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from server.commands.word import Vocabulary, Word

_GAME = r"(?:(?:in|of|for|about|from)\s{1,3})?(?P<sign>(?:game|match)\s{0,3}(?:no\.?\s{0,3})?#?|#)"
_NUMBER = r"(?P<number>[0-9]{1,15})"
_AHEAD = re.compile(rf"(?:{_GAME}\s{{0,3}})?{_NUMBER}(?::\s*|,?(?:\s+|$))", re.IGNORECASE)
_BEHIND = re.compile(rf"(?<=\S)[\s,(]{{1,3}}{_GAME}\s{{0,3}}{_NUMBER}[.!)]{{0,3}}$", re.IGNORECASE)
_LAST = re.compile(rf"(?<=\S)[\s,]{{1,3}}{_NUMBER}[.!]?$")
_ALONE = re.compile(rf"#?{_NUMBER}[:,.!]?")


@dataclass(frozen=True)
class NumberedGames:
    """The games that an email may be about besides the one whose email it answers."""

    words: Vocabulary
    """The commands about a game."""
    has: Callable[[int], bool]
    """Returns True if the writer has a seat in the game with this number."""
    reads: Callable[[int, str], bool]
    """Returns True if a text is written like a move of the writer's in this game."""
    plain: bool
    """True if the email itself is about no game: a number alone may name one, for the following lines, too."""


@dataclass(frozen=True)
class Numbered:
    """A line that names a game, and the rest of it; `bare` if the number could be a part of a move."""

    game: int
    text: str
    bare: bool = False


def split_number(line: str) -> Numbered | None:
    """Return the game that a line such as `87 c4` names at its beginning or end; None if it names none."""
    found = _AHEAD.match(line) or _BEHIND.search(line) or _LAST.search(line)
    if found is None:
        return None
    text = line[found.end() :] if found.start() == 0 else line[: found.start()]
    return Numbered(int(found["number"]), text.strip(), bare=not found.groupdict().get("sign"))


def number_behind_word(rest: str) -> Numbered | None:
    """Return the game whose number directly follows a word, and the text after it; None without a number.

    For example, after `resign` the text `87 because` names game 87.
    """
    first, *others = rest.split(maxsplit=1)[:2] or [""]
    found = _ALONE.fullmatch(first)
    return Numbered(int(found["number"]), "".join(others), bare=not first.startswith("#")) if found else None


def split_word(words: Vocabulary, line: str) -> tuple[Word, Numbered] | None:
    """Return the command of a line, its argument, and the game that it names; None if it is not a command."""
    word, rest = words.split(line)
    if word is not None and (behind := number_behind_word(rest)):
        return word, behind
    if named := split_number(line):
        word, rest = words.split(named.text) if named.text else (None, "")
        if word is not None:
            return word, Numbered(named.game, rest, named.bare)
    return None
