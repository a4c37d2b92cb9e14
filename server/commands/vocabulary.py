"""The commands of the two kinds of email: a reply about a game, and an email to the plain address."""

import re

from rules import registry
from server.commands.account_words import HELLO, NAME, OF_ACCOUNTS, WORD_OF
from server.commands.arguments import (
    NOTHING,
    Argument,
    IsMove,
)
from server.commands.game_words import IN_GAMES, MUTE, NOTIFY, REPORT, STOP, YES
from server.commands.word import Effect, Topic, Vocabulary, Word
from server.game.preferences.preferences import CHOSEN


def _help_subject(rest: str, is_move: IsMove) -> str | None:
    """Read a topic of the help, a game, a command, or nothing; other words are prose."""
    name = _ABOUT.sub("", " ".join(rest.lower().split())).strip('“”"<>.!: ')
    subjects = {"", *registry.RULES, "moving", *(topic.value for topic in Topic)}
    return name if name in subjects or name in REPLY or name in PLAIN else None


_ABOUT = re.compile("^(?:about|for|on|with) ")
HELP = Word(
    "help",
    "the commands that you need every day",
    Argument(_help_subject, is_closed=True),
    Topic.EMAIL,
    "help time",
    effect=Effect.READS,
    also=(
        (
            "help TOPIC",
            "all commands of a topic: help time; a command: help challenge; how moves are written: help nibble",
        ),
    ),
    synonyms=("commands", "info"),
)

REPLY = Vocabulary((*IN_GAMES, *(WORD_OF[preference.name] for preference in CHOSEN), YES, REPORT, STOP, HELP))
"""The commands of a reply to a game's email, besides a move."""
ABOUT_A_GAME = Vocabulary(word for word in REPLY if word.when or word in (MUTE, NOTIFY))
"""The commands that need a game; outside a reply they name its number, unless only one game fits."""
PLAIN = Vocabulary((*OF_ACCOUNTS, YES, HELP))
"""The commands of the plain address."""
SETTABLE = Vocabulary((NAME, *WORD_OF.values()))
"""The settings that `set` can change, by their own commands and by their names."""
SETTABLE.spelled = WORD_OF | SETTABLE.spelled
ANYWHERE = REPLY | Vocabulary(word for word in PLAIN if word is not HELLO)
"""All commands of a reply: those of the game first, then those of the plain address."""
BESIDE_A_MOVE = REPLY.strict | Vocabulary(word for word in PLAIN if word.takes is NOTHING and word is not HELLO)
"""The commands of these that can stand next to a move, where a line that may be a sentence is not a command."""
