"""What stands in the subject of a mail."""

import re

from server.game.vocabulary import PLAIN, REPLY

_PREFIX = re.compile(r"\s*([^\W\d_]{1,6})(?:\[\d+\])? ?[:：]\s*")


def without_prefix(subject: str) -> str:
    """A subject without `Re:` and the like, in any language: it is a command if the mail says nothing else."""
    while (prefix := _PREFIX.match(subject)) and not _is_command(prefix[1].lower()):
        subject = subject[prefix.end() :]
    return subject


def _is_command(word: str) -> bool:
    return word in PLAIN or word in REPLY
