"""Limits on the length of texts that the rules read; anything longer is refused without reading it.

Reading time grows no faster than the text, so these numbers bound how long it can take. `server/limits.py` has
the other limits of the server; `docs/security.md` has the costs.
"""

from __future__ import annotations

LONGEST_MOVE = 1000
"""Characters of a move, or of the orders of one seat for a turn: many times the longest legal one."""
MOST_SEATS = 8
"""Players of a game: twice as many as any game has."""
LARGEST_RECORD = 5_000_000
"""Characters of a record, or of a single position."""
MOST_TURNS = 20_000
"""Turns of a record: sixty times the longest game on record."""
LONGEST_NAME = 200
"""Characters of a player's name, of a client seed, or of the reason of a result, in a record."""
MOST_OPTIONS = 20
"""Options given for a game."""
LONGEST_OPTION = 200
"""Characters of the name of an option, and of its value."""
MOST_HEADS = 100
"""Log heads, copied from emails, that a record is checked against."""
