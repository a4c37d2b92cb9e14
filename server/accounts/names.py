"""Names that would mislead the readers of emails and pages: lookalikes of other names, and reserved words.

Lookalikes and mixed scripts are detected as in Unicode Technical Standard 39; `lookalikes.txt` is its table.
The few libraries that include it do not compute skeletons, or need ICU.

No word of a name may refer to this server or the people who run it, even in disguise. And a complete name may
not be a word that Nabu's emails use for games and players: to this rule `server/commands/player_names.py` adds
the commands. Players who already have such a name keep it.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import chain
from string import digits

from rules.chance import Chance
from rules.registry import RULES
from server.errors import BadRequest
from server.settings import ROOT

_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)
"""Scripts that one language uses together, with Latin: the mixtures that UTS 39 calls highly restricted."""
_OFFICIAL = (
    *("Nabu", "Admin", "Administrator", "Operator", "Moderator", "Staff", "Support", "Helpdesk", "Security"),
    *("Abuse", "System", "Server", "Postmaster", "Hostmaster", "Webmaster", "Daemon", "NoReply"),
)
"""Words for this server, the people who run it, and mailboxes that every domain has (RFC 2142)."""
_PEOPLE = ("You", "Me", "Nobody", "Everyone", "Everybody", "All", "Root")
"""Words that sentences use for players; and root, an account of every machine, which is also a surname."""
_DISGUISE = str.maketrans("i3457", "least")
"""Digits that are read as letters, besides those of `lookalikes.txt`; both i and l look like 1."""
_SPLITS = (r"[\W_]+", r"[\W\d_]+", r"[\W\d_]+|(?<=[a-z])(?=[A-Z])")
"""Three ways to split words: at spaces and signs, also at digits, also at capital letters."""


def shape(name: str) -> str:
    """Return a text that is equal for names that look alike, in any case. It is not for display.

    For example, “paypal” and “paypaI” with a capital I give the same text.
    """
    return _skeleton(_skeleton(name).casefold())


def mixes_scripts(name: str) -> bool:
    """Return whether a name mixes scripts that no language uses together, or contains an invisible letter.

    For example, “Ann” mixes two if its A is Cyrillic.
    """
    letters = (unicodedata.normalize("NFKD", sign)[0] for sign in name if sign.isalpha())
    # Modifier letters, such as the apostrophe of Hawaiian, belong to many scripts.
    own = [sign for sign in letters if unicodedata.category(sign) != "Lm"]
    if any("FILLER" in unicodedata.name(sign, "") for sign in own):
        return True
    scripts = {unicodedata.name(sign, "UNKNOWN").split()[0] for sign in own}
    return len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER)


def _skeleton(text: str) -> str:
    """Return the skeleton of UTS 39, section 4, which is equal for two texts that are easily confused."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", decomposed.translate(_prototypes()))


@cache
def _prototypes() -> dict[int, str]:
    """Return the replacement of each character in a skeleton."""
    lines = (ROOT / "server" / "accounts" / "lookalikes.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split(";") for line in lines if not line.startswith("#"))
    return {int(sign, 16): "".join(chr(int(code, 16)) for code in codes.split()) for sign, codes in rows}


def folded(text: str) -> str:
    """Return a text that is equal for all disguises of a word: “Adm1n” and “admin” give the same text."""
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
