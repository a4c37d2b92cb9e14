"""The tables. Every table that grows with games carries the game's id.

Columns named `sealed` hold what nobody may read without the key (see `sealing`). Times are UTC.
"""

from server.store.models.channels import Browser, Channel, Notice
from server.store.models.columns import Json, UtcDateTime
from server.store.models.games import Entry, Envelope, Game, Gift, Pause, Press, Seat, Variation
from server.store.models.house import Announcement, Bar, BlockedAddress, HeldDomain, Policy
from server.store.models.inquiries import Assessed, Inquiry
from server.store.models.mails import Inbox, Intake, Outbox, Ticket
from server.store.models.people import Conduct, Habit, Ledger, Rating, RatingChange, Relation, Tally
from server.store.models.players import Address, Change, Login, Passkey, Player
from server.store.models.robots import ApiAnswer, ApiToken
from server.store.models.staff import Deed, Staff
from server.store.models.talk import Remark, Reported
from server.store.models.tournaments import Entrant, Pairing, Tournament
from server.store.models.upkeep import Failure, Heartbeat, KnownKey
from server.store.models.watching import Follow, Watch

__all__ = [
    "Address",
    "Announcement",
    "ApiAnswer",
    "ApiToken",
    "Assessed",
    "Bar",
    "BlockedAddress",
    "Browser",
    "Change",
    "Channel",
    "Conduct",
    "Deed",
    "Entrant",
    "Entry",
    "Envelope",
    "Failure",
    "Follow",
    "Game",
    "Gift",
    "Habit",
    "Heartbeat",
    "HeldDomain",
    "Inbox",
    "Inquiry",
    "Intake",
    "Json",
    "KnownKey",
    "Ledger",
    "Login",
    "Notice",
    "Outbox",
    "Pairing",
    "Passkey",
    "Pause",
    "Player",
    "Policy",
    "Press",
    "Rating",
    "RatingChange",
    "Relation",
    "Remark",
    "Reported",
    "Seat",
    "Staff",
    "Tally",
    "Ticket",
    "Tournament",
    "UtcDateTime",
    "Variation",
    "Watch",
]
