"""The commands of each place: of a reply to an email about a game, and of the plain address."""

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
    """A topic of the help, a game or a command, or nothing; other words are prose."""
    name = _ABOUT.sub("", " ".join(rest.lower().split())).strip('“”"<>.!: ')
    subjects = {"", *registry.RULES, "moving", *(topic.value for topic in Topic)}
    return name if name in subjects or name in REPLY or name in PLAIN else None


_ABOUT = re.compile("^(?:about|for|on|with) ")
HELP = Word(
    "help",
    "the commands that you need every day",
    Argument(_help_subject, is_closed=True),
    Effect.READS,
    also=(
        (
            "help TOPIC",
            "all commands of a topic: help time; a command: help challenge; how moves are written: help nibble",
        ),
    ),
    topic=Topic.EMAIL,
    example="help time",
    synonyms=(
        "commands",
        "info",
    ),
)

REPLY = Vocabulary((*IN_GAMES, *(WORD_OF[preference.name] for preference in CHOSEN), YES, REPORT, STOP, HELP))
"""The commands of a reply to a game's email, besides a move."""
ABOUT_A_GAME = Vocabulary(word for word in REPLY if word.when or word in (MUTE, NOTIFY))
"""The commands that need a game: elsewhere than in a reply they name it by its number, unless only one fits."""
PLAIN = Vocabulary((*OF_ACCOUNTS, YES, HELP))
"""The commands of the plain address."""
SETTABLE = Vocabulary((NAME, *WORD_OF.values()))
"""The settings that `set` can change, by their own commands and by their names."""
SETTABLE.spelled = WORD_OF | SETTABLE.spelled
ANYWHERE = REPLY | Vocabulary(word for word in PLAIN if word is not HELLO)
"""All commands of a reply: those of the plain address, too, but a command that can be about the game is."""
BESIDE_A_MOVE = REPLY.strict | Vocabulary(word for word in PLAIN if word.takes is NOTHING and word is not HELLO)
"""Those of them that can stand next to a move: a line that begins like a sentence is one there."""
