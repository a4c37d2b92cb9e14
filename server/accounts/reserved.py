"""Names that no player can take, because readers would take what comes from them for something else.

Two rules: no word of a name may be one that stands for this server or the people who run it, however it is
disguised; and a name as a whole may not be a word that our emails use of the games and their players. To the
second the game adds its commands (`server/commands/player_names.py`). Players who already have such a
name keep it.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain
from string import digits

from rules.chance import Chance
from rules.registry import RULES
from server.accounts.confusable_names import shape
from server.errors import BadRequest

_OFFICIAL = (
    *("Nabu", "Admin", "Administrator", "Operator", "Moderator", "Staff", "Support", "Helpdesk", "Security"),
    *("Abuse", "System", "Server", "Postmaster", "Hostmaster", "Webmaster", "Daemon", "NoReply"),
)
"""Words that stand for this server, the people who run it, or mailboxes that every domain has (RFC 2142)."""
_PEOPLE = ("You", "Me", "Nobody", "Everyone", "Everybody", "All", "Root")
"""Words that sentences use of players; and an account of every machine, which is a surname as well."""
_DISGUISE = str.maketrans("i3457", "least")
"""Digits that are read as letters, besides those of `lookalikes`; both i and l look like 1."""
_SPLITS = (r"[\W_]+", r"[\W\d_]+", r"[\W\d_]+|(?<=[a-z])(?=[A-Z])")
"""Where words end: at a space or a sign, at a digit, at a capital letter."""


def folded(text: str) -> str:
    """The same text for all disguises of a word: lookalikes, accents, capitals, digits for letters."""
    plain = "".join(sign for sign in shape(text) if not unicodedata.combining(sign))
    return plain.translate(_DISGUISE)


def _any(*words: str) -> str:
    return f"(?:{'|'.join(map(folded, words))})"


_STANDING = re.compile(f"{_any('the')}?{_any(*_OFFICIAL)}+{_any('s', 'team', 'help', 'info', 'mail', 'bot')}?")
"""One or several of them written together, with little around them."""


def official_word(name: str) -> str:
    """The first word of a name that stands for the server or its staff, as it is written; "" for none."""
    return next((word for word in _words(name) if _STANDING.fullmatch(folded(word))), "")


def check_official(name: str) -> None:
    """Raise BadRequest for a name that seems to be one of the server or its staff."""
    if word := official_word(name):
        raise BadRequest(
            f"“{name}” cannot be a name: “{word}” is reserved for this server and the people who run it. "
            "Choose a name without it."
        )


def check(name: str) -> None:
    """Raise BadRequest for a name that is reserved, but for those of commands."""
    check_official(name)
    if folded(name) in _SPOKEN:
        raise taken_alone(name, "the games and our emails use the word")


def is_reserved(name: str) -> bool:
    """Return whether `check` refuses a name."""
    return bool(official_word(name)) or folded(name) in _SPOKEN


def taken_alone(name: str, reason: str) -> BadRequest:
    """The refusal of a name that is fine as a part of a longer one: nobody has to give up their own."""
    return BadRequest(
        f"“{name}” cannot be a name by itself, because {reason}. Add another name or an initial, for example "
        f"“{name} B.”"
    )


def _words(name: str) -> Iterable[str]:
    """The words of a name in every way it can be read, with and without the digits around them."""
    written = chain(*(re.split(split, name) for split in _SPLITS), [re.sub(r"[\W_]+", "", name)])
    bare = ((word, word.lstrip(digits), word.rstrip(digits), word.strip(digits)) for word in written)
    return dict.fromkeys(chain.from_iterable(bare))


def _of_the_games() -> Iterable[str]:
    """The games' names, and what their players are called there, whatever the options are."""
    for rules in RULES.values():
        yield from (rules.name, rules.title)
        for variant in rules.variants:
            options = rules.options(variant)
            yield from rules.seats(options)
            yield from rules.titles(rules.start(options, rules.setup(options, Chance(bytes(32), "names"))))


_SPOKEN = frozenset(folded(form) for word in (*_PEOPLE, *_of_the_games()) for form in (word, word.upper()))
