"""Reserved names, which would mislead the readers of emails and pages.

There are two rules. No word of a name may refer to this server or the people who run it, even in disguise. And
a complete name may not be a word that Nabu's emails use for games and players;
`server/commands/player_names.py` adds the commands to this rule. Players who already have such a name keep it.
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
"""Words for this server, the people who run it, and mailboxes that every domain has (RFC 2142)."""
_PEOPLE = ("You", "Me", "Nobody", "Everyone", "Everybody", "All", "Root")
"""Words that sentences use for players; and root, an account of every machine, which is also a surname."""
_DISGUISE = str.maketrans("i3457", "least")
"""Digits that are read as letters, besides those of `lookalikes`; both i and l look like 1."""
_SPLITS = (r"[\W_]+", r"[\W\d_]+", r"[\W\d_]+|(?<=[a-z])(?=[A-Z])")
"""Three ways to split words: at spaces and signs, also at digits, also at capital letters."""


def folded(text: str) -> str:
    """Return a text that is equal for all disguises of a word: lookalikes, accents, capitals, digits.

    For example, “Adm1n” and “admin” give the same text.
    """
    plain = "".join(sign for sign in shape(text) if not unicodedata.combining(sign))
    return plain.translate(_DISGUISE)


def _any(*words: str) -> str:
    return f"(?:{'|'.join(map(folded, words))})"


_STANDING = re.compile(f"{_any('the')}?{_any(*_OFFICIAL)}+{_any('s', 'team', 'help', 'info', 'mail', 'bot')}?")
"""One or several official words written together, with a common prefix or suffix."""


def official_word(name: str) -> str:
    """Return the first word of a name that refers to the server or its staff, as written; "" for none."""
    return next((word for word in _words(name) if _STANDING.fullmatch(folded(word))), "")


def check_official(name: str) -> None:
    """Raise BadRequest for a name that seems to belong to the server or its staff."""
    if word := official_word(name):
        raise BadRequest(
            f"“{name}” cannot be a name: “{word}” is reserved for this server and the people who run it. "
            "Choose a name without it."
        )


def check(name: str) -> None:
    """Raise BadRequest for a reserved name, except for commands."""
    check_official(name)
    if folded(name) in _SPOKEN:
        raise taken_alone(name, "the games and emails use the word")


def is_reserved(name: str) -> bool:
    """Return whether `check` refuses a name."""
    return bool(official_word(name)) or folded(name) in _SPOKEN


def taken_alone(name: str, reason: str) -> BadRequest:
    """Return the refusal of a name that is allowed as a part of a longer one."""
    return BadRequest(
        f"“{name}” cannot be a name by itself, because {reason}. Add another name or an initial, for example "
        f"“{name} B.”"
    )


def _words(name: str) -> Iterable[str]:
    """Return the words of a name, split in every way, with and without the digits around them."""
    written = chain(*(re.split(split, name) for split in _SPLITS), [re.sub(r"[\W_]+", "", name)])
    bare = ((word, word.lstrip(digits), word.rstrip(digits), word.strip(digits)) for word in written)
    return dict.fromkeys(chain.from_iterable(bare))


def _of_the_games() -> Iterable[str]:
    """Yield the names of all games, and those of their seats in every variant."""
    for rules in RULES.values():
        yield from (rules.name, rules.title)
        for variant in rules.variants:
            options = rules.options(variant)
            yield from rules.seats(options)
            yield from rules.titles(rules.start(options, rules.setup(options, Chance(bytes(32), "names"))))


_SPOKEN = frozenset(folded(form) for word in (*_PEOPLE, *_of_the_games()) for form in (word, word.upper()))
