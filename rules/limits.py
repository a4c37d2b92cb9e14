"""How much text of others the rules read: what is longer is refused before anything looks at it.

Reading takes a time that grows no faster than the text, so these numbers say how long it can take at most. What
the server reads beside it stands in `server/limits.py`, what it costs in `docs/security.md`.
"""

from __future__ import annotations

LONGEST_MOVE = 1000
"""Characters of a move, or of the orders of one seat for a turn: many times the longest that is legal."""
MOST_SEATS = 8
"""Players of a game: twice as many as any kind has."""
