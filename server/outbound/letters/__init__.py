"""The emails that Nabu sends: the content of each, and text and HTML from one template.

Importing this package imports every module that defines letters, which fills `LETTERS`.
"""

from server.outbound.letters import (
    account,
    game_parts,
    help,
    hints_and_analysis,
    lobby,
    reminders,
    replies,
    report,
    settings_list,
    tournaments,
    watching,
)
from server.store.letters.letter import LETTERS

__all__ = [
    "LETTERS",
    "account",
    "game_parts",
    "help",
    "hints_and_analysis",
    "lobby",
    "reminders",
    "replies",
    "report",
    "settings_list",
    "tournaments",
    "watching",
]
