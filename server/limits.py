"""How much of what others write the server reads, besides what `rules/limits.py` says of moves and records.

Anything longer is answered with the limit before it is looked at. Reading time grows no faster than the text,
so these numbers bound how long it can take; `docs/security.md` says how long.
"""

LONGEST_LINE = 2000
"""Characters of a command with all lines that belong to it, and of a field of a form: a move, a challenge, a
time zone. Only what is said or noted, conditional moves and records are longer."""
MOST_LINES = 40
"""Lines of a command: programs break long lines, and some people write each order on its own."""
MOST_COMMANDS = 250
"""Commands that are read in a mail; fewer of each sort are carried out."""
LONGEST_MESSAGE = 8000
"""Characters that a player says, or notes, at once."""
MOST_VARIATIONS = 30
"""Variations of a game that a player keeps."""
LONGEST_CLIENT_SEED = 200
"""Characters of a player's own words, of which no more are mixed in."""
LONGEST_CONDITIONS = 8000
"""Characters in which conditional moves are written."""
MOST_CONDITIONS = 50
"""Conditional moves in a game."""
MOST_ADDRESSES = 8
"""Addresses from which a player writes."""
MOST_CHANGES = 5
"""Changes of an account that are confirmed by mail, in a day."""
MOST_BROWSERS = 10
"""Browsers in which a player is told their turns."""
MOST_PASSKEYS = 10
"""Passkeys of a player."""
LONGEST_PASSKEY = 2000
"""Characters of what a device calls a passkey, and of its public key, each in base64."""
LONGEST_CREDENTIAL = 16_000
"""Characters of what a browser sends of a passkey, or of what it signed with one."""
LONGEST_PASSKEY_NAME = 40
"""Characters of what a player calls it."""
MOST_TOKENS = 10
"""Tokens with which programs act for a player."""
LONGEST_TOKEN_NAME = 40
"""Characters of what a player calls one."""
LONGEST_KEY = 100
"""Characters by which a program calls a request, so that it can be sent again."""
MOST_ANSWERS_KEPT = 1000
"""Answers to a player's programs that are kept, the latest ones, for requests that are sent again."""
LARGEST_ANSWERS_KEPT = 20_000_000
"""Bytes of all of these."""
MOST_STREAMS = 24
"""Streams of events that a process holds open at once."""
MOST_STREAMS_EACH = 2
"""The same, of one player."""
MOST_STREAMS_OF_NETWORK = 8
"""The same, from one network outside this computer: an IPv4 address, or a /64 of IPv6."""
MOST_RELATIONS = 500
"""Players whom a player blocks or ignores."""
MOST_WATCHED = 50
"""Games and players that a player watches."""
LONGEST_BIO = 160
"""Characters of the line that players write about themselves."""
MOST_LANGUAGES = 10
"""Languages that a player names."""
LONGEST_ENDPOINT = 1000
"""Characters of the address at which a browser is told something."""
KEPT_OF_STRANGERS = 8_000
"""Bytes, with its header, that are kept of a stranger's mail once it is handled."""
LARGEST_ON_A_FULL_DISK = 100_000
"""Bytes of a mail that is stored while the disk of the database is almost full."""
MOST_PARTS = 100
"""Moves and rolls of a line that is tried on the analysis board."""
MOST_HINTS = 50
"""Hints that a player is given in a day."""
MOST_ASSESSMENTS = 10
"""Games that a player has assessed in a day; of those that were before there may be more."""
MOST_FRAMES = 60
"""Boards of a film; of longer games it shows every second turn, every third, and so on."""
LARGEST_FORM = 64 * 1024
"""Bytes of a form, except one with a record."""
LARGEST_RECORD_ON_WEB = 500_000
"""Bytes of a record, and of the form around it, that the web page checks for anybody."""
MOST_TURNS_ON_WEB = 1000
"""Turns of such a record: three times the longest game that was seen."""
MOST_CHECKED_AT_ONCE = 2
"""Records that a process checks on the web at the same time."""
