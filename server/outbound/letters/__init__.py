"""The mails that Nabu writes: what each shows, and text and HTML from one template.

Whoever imports any of this has all letters in `LETTERS`: here stand all files that hold some.
"""

from server.outbound.letters import (
    account,
    analysis,
    help,
    lobby,
    reminders,
    replies,
    report,
    settings_list,
    sources,
    tournaments,
    watching,
)
from server.store.letters.letter import LETTERS

__all__ = [
    "LETTERS",
    "account",
    "analysis",
    "help",
    "lobby",
    "reminders",
    "replies",
    "report",
    "settings_list",
    "sources",
    "tournaments",
    "watching",
]
