"""How much text written by others the rules read: anything longer is refused before it is looked at.

Reading time grows no faster than the text, so these numbers bound how long it can take. `server/limits.py` has
the limits on what else the server reads, `docs/security.md` what it costs.
"""

from __future__ import annotations

LONGEST_MOVE = 1000
"""Characters of a move, or of the orders of one seat for a turn: many times the longest that is legal."""
MOST_SEATS = 8
"""Players of a game: twice as many as any game has."""
LARGEST_RECORD = 5_000_000
"""Characters of a record, or of a single position."""
MOST_TURNS = 20_000
"""Turns of a record: sixty times the longest game that was seen."""
LONGEST_NAME = 200
"""Characters of the name of a player, of a player's own words, or of the reason of a result, in a record."""
MOST_OPTIONS = 20
"""Options that are given for a game."""
LONGEST_OPTION = 200
"""Characters of the name of an option, and of what is written for it."""
MOST_HEADS = 100
"""Heads, copied from mails, that a record is checked against."""
