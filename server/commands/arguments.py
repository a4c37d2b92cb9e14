"""The arguments of commands; they decide whether a line that begins with the word is a command or prose."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from server.clock.errors import BadTime
from server.clock.reminders import ReminderChoice
from server.clock.spans import read_span
from server.game.play import conditional_moves

IsMove = Callable[[str], bool]
"""Returns True if a text is written like a move."""

_NUMBER = re.compile(r"[0-9]{1,15}")  # no game has more digits, and databases cannot search for more
_GAME = re.compile(r"^game (?=#?[0-9])", re.IGNORECASE)
_OPTION = re.compile(r"[a-z-]+=\S", re.IGNORECASE)


_NO_NAMES = frozenset(
    word
    for words in (
        "me us him them it this that these those you yourself myself ourselves",
        "out up off on over back here there now again please",
    )
    for word in words.split()
)
"""Words that are never names, if they are written in lower case."""
_IN_SENTENCES = _NO_NAMES.union(
    word
    for words in (
        "a an the my your our his her its their i for to at of with in by about from as if when while until",
        "is are was were am be do does did not no never one some any all every",
    )
    for word in words.split()
)
"""Words with which no name of several words begins, if they are written in lower case."""


_REMINDERS = frozenset({*ReminderChoice, "on", "off", "none", "never", "always"})


def _never(above: str, line: str, is_move: IsMove) -> bool:
    return False


@dataclass(frozen=True)
class Argument:
    """The form of the text that follows a command word."""

    read: Callable[[str, IsMove], str | None]
    """Reads the rest of the line; None if it has another form, so that the line is not this command."""
    goes_on: Callable[[str, str, IsMove], bool] = _never
    """Returns True if a line that is not another command continues the argument above it."""
    as_spelled: bool = False
    """Names keep their spelling: no letter is read as a similar one."""
    is_closed: bool = False
    """Only certain words fit, so that courtesies may stand beside them."""
    is_free: bool = False
    """Any text fits, so that a sentence could be meant."""
    to_the_end: bool = False
    """All text below belongs to it, of any length."""


def _plain(rest: str) -> str:
    return rest.strip(".! ")


def _nothing(rest: str, is_move: IsMove) -> str | None:
    return None if _plain(rest) else ""


def _line(rest: str, is_move: IsMove) -> str | None:
    return rest


def _named(rest: str, is_move: IsMove) -> str | None:
    """Read a name; a text that begins like a sentence, as in “register my account”, is none."""
    first, *others = rest.split(" ") if rest else [""]
    is_prose = first in _IN_SENTENCES if others else first.strip(".!?") in _NO_NAMES
    return None if is_prose else rest


def _word(rest: str, is_move: IsMove) -> str | None:
    return _plain(rest) if len(_plain(rest).split()) <= 1 else None


def _number(rest: str, is_move: IsMove) -> str | None:
    number = _GAME.sub("", _plain(rest)).lstrip("#")
    return number if not _plain(rest) or _NUMBER.fullmatch(number) else None


def _place(rest: str, is_move: IsMove) -> str | None:
    """Read a number, with nothing after it, or a name."""
    first = _plain(rest).partition(" ")[0].lstrip("#").rstrip(",;:")
    return _number(rest, is_move) if _NUMBER.fullmatch(first) else _named(rest, is_move)


def _span(rest: str, is_move: IsMove) -> str | None:
    """Read a length of time, also a wrong one, so that the answer can say why it is wrong."""
    text = _plain(rest)
    if not text or text.lstrip("-")[:1].isdigit():
        return text
    try:
        read_span(text)
    except BadTime:
        return None
    return text


def _options(rest: str, is_move: IsMove) -> str | None:
    """Read options, also wrong ones, perhaps after the number of a game; other words are prose."""
    first, _, others = _plain(rest).partition(" ")
    options = others.strip() if _NUMBER.fullmatch(first.lstrip("#")) else _plain(rest)
    return rest if not options or _OPTION.match(options) else None


def _reminders(rest: str, is_move: IsMove) -> str | None:
    """Read times of reminders, or one other word; a sentence such as “remind Ben of his turn” is prose."""
    words = re.findall(r"\w+", rest.lower())
    return rest if len(words) <= 1 or not _REMINDERS.isdisjoint(words) else None


def _always(rest: str, is_move: IsMove) -> str | None:
    said = _plain(rest).lower()
    return said if said in ("", "always") else None


def _move(rest: str, is_move: IsMove) -> str | None:
    return rest if rest and is_move(rest) else None


def _goes_on_as_move(above: str, line: str, is_move: IsMove) -> bool:
    return is_move(line) or is_move(f"{above}\n{line}")


def _conditions(rest: str, is_move: IsMove) -> str | None:
    """Read conditional moves, also wrong ones; sentences that are not about moves are prose."""
    if conditional_moves.is_off(f"if {rest}"):
        return "off"
    return rest if conditional_moves.is_meant(f"if {rest}", is_move) else None


def _goes_on_as_conditions(above: str, line: str, is_move: IsMove) -> bool:
    return conditional_moves.goes_on(f"if {above}", line, is_move)


def _goes_on_as_options(above: str, line: str, is_move: IsMove) -> bool:
    return _OPTION.match(line) is not None


NOTHING = Argument(_nothing, is_closed=True)
LINE = Argument(_line, as_spelled=True)
REMINDERS = Argument(_reminders, as_spelled=True)
FREE = Argument(_line, as_spelled=True, is_free=True)
"""A line of any text."""
NEW_NAME = Argument(_named, as_spelled=True, is_free=True)
"""A name that is not in use yet."""
NAMED = Argument(_named, as_spelled=True)
"""The name of a player or a game's number, or nothing."""
WORD = Argument(_word)
"""One word, or none."""
NUMBER = Argument(_number, is_closed=True)
"""The number of a game, or nothing."""
PLACE = Argument(_place, is_closed=True)
"""The number of a game or a tournament, the name of a tournament, or nothing."""
SPAN = Argument(_span)
ALWAYS = Argument(_always, is_closed=True)
"""`always`, or nothing."""
TEXT = Argument(_word, to_the_end=True)
"""The rest of the email; in a list item at most one word, as more is prose."""
MOVE_TEXT = Argument(_move, _goes_on_as_move)
CONDITIONS = Argument(_conditions, _goes_on_as_conditions)
OPTIONS = Argument(_line, _goes_on_as_options, as_spelled=True)
"""A line that options may follow below."""
ONLY_OPTIONS = Argument(_options, _goes_on_as_options, as_spelled=True)
"""Only options, perhaps after the number of a game."""
OPEN = (LINE, REMINDERS, FREE, NAMED, NEW_NAME, WORD, TEXT, OPTIONS, PLACE)
"""The forms that a sentence of prose may also have."""
