"""The argument of `join`, `leave`, `start` and `cancel`: a game or a tournament; that of `standings`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from sqlmodel import Session, col, select

from rules.sentences import quoted
from server.commands.word import Word
from server.errors import BadRequest, Unclear
from server.interpretation.command_checks import TO_PEOPLE
from server.store.models import Tournament

_KIND = re.compile(r"(?:the\s+)?(game|tournament)\b\s*", re.IGNORECASE)
_NUMBER = re.compile(r"#?([0-9]{1,15})[.!]?")
_AROUND_NAMES = re.compile(r"[.!?“”\"]|\b(?:the|a|das|dem|den|le|el|il|tournament|turnier|tournoi|torneo)\b")
_MOST_LIKE = 3
_LIKE = 0.8  # of the letters
_LIST = "For a list of tournaments, write: tournaments."
Fits = Callable[[int], bool]
"""Returns True if a command makes sense for the game or tournament with this number."""


@dataclass(frozen=True)
class Place:
    """A game or, if `is_tournament`, a tournament, by its number."""

    number: int
    is_tournament: bool


def find_place(session: Session, word: Word, text: str, fits_game: Fits, fits_tournament: Fits) -> Place:
    """Return the game or tournament of a text: `12`, `game 12`, `tournament 3` or `Spring Cup`.

    A number alone means a game, unless the command makes sense only for the tournament with that number. Raises
    Unclear if it makes sense for both, and BadRequest for a name that no tournament has.
    """
    kind = _KIND.match(text)
    name = text[kind.end() :] if kind else text
    found = _NUMBER.fullmatch(name)
    if kind and not name:
        example = f"{word.word} {kind[1].lower()} 3"
        raise BadRequest(
            f"Say which {kind[1].lower()}, for example: {example}. For a list of your games, write: games. For "
            "a list of tournaments, write: tournaments. To get no more email, write: stop"
        )
    if found is None:
        unknown = f"There is no tournament called {quoted(name)} now."
        return Place(_tournament_called(session, word, (text, name), unknown), is_tournament=True)
    number = int(found[1])
    if kind:
        return Place(number, is_tournament=kind[1].lower() == "tournament")
    is_tournament = fits_tournament(number)
    if is_tournament and fits_game(number):
        raise Unclear(
            f"There is a game {number}, and a tournament {number}. Write which of them you mean.",
            [f"{word.word} game {number}", f"{word.word} tournament {number}"],
        )
    return Place(number, is_tournament=is_tournament)


def find_tournament(session: Session, word: Word, text: str) -> int:
    """Return the number of the tournament of a text: `3`, `tournament 3` or `Spring Cup`.

    A name means an open or running tournament, else the latest one. Raises Refused.
    """
    kind = _KIND.match(text)
    name = (text[kind.end() :] if kind and kind[1].lower() == "tournament" else "") or text
    if found := _NUMBER.fullmatch(name):
        return int(found[1])
    unknown = f"There is no tournament called {quoted(name)}."
    return _tournament_called(session, word, (text, name), unknown, past=True)


def _tournament_called(
    session: Session, word: Word, written: Sequence[str], unknown: str, *, past: bool = False
) -> int:
    """Return the number of the open or running tournament of the first of these names that one has.

    With `past`, otherwise that of the latest one. If there is none, raises BadRequest with the sentence
    `unknown`, or Unclear if some have similar names. Raises Unclear if there are several.
    """
    query = select(Tournament.id, Tournament.name).order_by(col(Tournament.id).desc())
    current = query.where(col(Tournament.state).in_(("open", "running")))
    same = _called(session, current, written)
    if not same and past:
        same = _called(session, query, written)[:1]
    if not same:
        if like := _names_like(written[-1], [name for _, name in session.exec(query if past else current)]):
            raise Unclear(unknown, [f"{word.word} {name}" for name in like])
        raise BadRequest(f"{unknown} {_LIST}")
    if len(same) > 1:
        raise Unclear(
            f"Several tournaments are called {quoted(written[-1])}. Write which you mean by its number.",
            [f"{word.word} tournament {number}" for number in sorted(filter(None, same))[:5]],
        )
    return same[0] or 0


def _names_like(written: str, names: Sequence[str]) -> list[str]:
    """Return at most three names that contain the written words, or else similar ones.

    Names that begin with the words come first.
    """
    words = " ".join(_AROUND_NAMES.sub(" ", written.casefold()).split())
    known = {name.casefold(): name for name in names}
    found = sorted(
        (name for name in known if words and words in name), key=lambda name: not name.startswith(words)
    )
    return [known[name] for name in found or get_close_matches(words, known, _MOST_LIKE, _LIKE)][:_MOST_LIKE]


def _called(session: Session, query: Any, written: Sequence[str]) -> list[int | None]:
    """Return the numbers of all tournaments with the first of these names that any has."""
    found: dict[str, list[int | None]] = {}
    for number, name in session.exec(query):
        found.setdefault(name.casefold(), []).append(number)
    names = (" ".join(each.split()).rstrip(".!").casefold() for each in written)
    return next((found[name] for name in names if name in found), [])


def is_to_tournament(session: Session, text: str) -> bool:
    """Return whether a message begins with a tournament as its addressee: “to all players of Spring Cup: …”.

    “The tournament: when does it start?” only mentions one, as neither “to” nor people stand before it.
    """
    line = text.partition("\n")[0].casefold()
    found = TO_PEOPLE.match(line)
    if found is None:
        return False
    if found["tournament"] and sum(map(bool, found.group("to", "people", "colon"))) > 1:
        return True
    current = select(Tournament.name).where(col(Tournament.state).in_(("open", "running")))
    end = r"\b" if found["to"] else r"\s*:"
    names = map(str.casefold, session.exec(current))
    return any(re.match(f"{re.escape(name)}{end}", line[found.end() :]) for name in names)
