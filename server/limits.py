"""The limits on the input of the server, besides those on moves and records in `rules/limits.py`.

Longer input is refused with the limit before it is read. The time to read grows no faster than the text, so
these numbers limit that time, too; `docs/security.md` has measurements.
"""

LONGEST_LINE = 2000
"""The most characters of a command with all its lines, and of a form field such as a move or a time zone.

Messages, notes, conditional moves and records may be longer.
"""
MOST_LINES = 40
"""The most lines of a command: mail programs break long lines, and some people write one order per line."""
MOST_COMMANDS = 250
"""The most commands that are read in an email; for most commands, fewer are carried out."""
LONGEST_MESSAGE = 8000
"""The most characters of a message or a note."""
MOST_VARIATIONS = 30
"""The most variations of a game that a player keeps."""
LONGEST_CLIENT_SEED = 200
"""The most characters of a player's words for luck; further ones are ignored."""
LONGEST_CONDITIONS = 8000
"""The most characters of conditional moves."""
MOST_CONDITIONS = 50
"""The most conditional moves in a game."""
MOST_ADDRESSES = 8
"""The most email addresses of a player."""
MOST_CHANGES = 5
"""The most account changes in a day that are confirmed by email."""
MOST_BROWSERS = 10
"""The most browsers in which a player gets notifications."""
MOST_PASSKEYS = 10
"""The most passkeys of a player."""
LONGEST_PASSKEY = 2000
"""The most characters of a passkey's identifier, and of its public key, each in base64."""
LONGEST_CREDENTIAL = 16_000
"""The most characters of the answer of a browser that creates or uses a passkey."""
LONGEST_PASSKEY_NAME = 40
"""The most characters of the name that a player gives a passkey."""
MOST_TOKENS = 10
"""The most API tokens of a player."""
LONGEST_TOKEN_NAME = 40
"""The most characters of the name of an API token."""
LONGEST_KEY = 100
"""The most characters of the key with which a program marks a request, so that it can repeat it."""
MOST_ANSWERS_KEPT = 1000
"""The most answers, the latest ones, that are kept for repeated requests of a player's programs."""
LARGEST_ANSWERS_KEPT = 20_000_000
"""The most bytes of all these answers."""
MOST_STREAMS = 24
"""The most open event streams of a process."""
MOST_STREAMS_EACH = 2
"""The most open event streams of a player."""
MOST_STREAMS_OF_NETWORK = 8
"""The most open event streams of an outside network: an IPv4 address, or a /64 of IPv6."""
MOST_PAGE_STREAMS = 2500
"""The most event streams of a process for open pages: one for each browser."""
MOST_PAGE_STREAMS_EACH = 10
"""The most event streams of a player for open pages."""
MOST_PAGE_STREAMS_OF_NETWORK = 24
"""The most event streams of an outside network for open pages; other browsers there poll."""
MOST_PAGES_OF_STREAM = 30
"""The most open pages of a browser that get events; further ones poll."""
MOST_RELATIONS = 500
"""The most players that a player blocks or ignores."""
MOST_WATCHED = 50
"""The most games and players that a player watches."""
LONGEST_BIO = 160
"""The most characters of a player's line about themselves."""
MOST_LANGUAGES = 10
"""The most languages of a player."""
LONGEST_ENDPOINT = 1000
"""The most characters of the URL to which a browser's notifications are sent."""
KEPT_OF_STRANGERS = 8_000
"""The bytes of a stranger's email, with its header, that are kept after it was handled."""
LARGEST_ON_A_FULL_DISK = 100_000
"""The most bytes of an email that is stored while the disk of the database is almost full."""
MOST_PARTS = 100
"""The most moves and rolls of a line on the analysis board."""
MOST_HINTS = 50
"""The most hints for a player in a day."""
MOST_ASSESSMENTS = 10
"""The most games in a day that are analysed for a player, not counting games analysed before."""
MOST_FRAMES = 60
"""The most boards of a film; for longer games it shows every second turn, every third, and so on."""
LARGEST_FORM = 64 * 1024
"""The most bytes of a form, except one with a record."""
LARGEST_RECORD_ON_WEB = 500_000
"""The most bytes of a record, with the form around it, that the web page checks for any visitor."""
MOST_TURNS_ON_WEB = 1000
"""The most turns of such a record: three times the longest known game."""
MOST_CHECKED_AT_ONCE = 2
"""The most records that a process checks on the web at the same time."""
