"""The tables. Every table that grows with games has the number of the game.

Columns whose names begin with `sealed` are encrypted (see `keys.sealing`). Times are in UTC.
"""

from server.store.models.administration import (
    Announcement,
    AuditEntry,
    Ban,
    BlockedAddress,
    PausedDomain,
    Policy,
    Staff,
)
from server.store.models.channels import Browser, Channel, Notice
from server.store.models.columns import Json, UtcDateTime
from server.store.models.games import Entry, Envelope, Game, GameMessage, Gift, Pause, Seat, Variation
from server.store.models.inquiries import AssessedGame, Inquiry
from server.store.models.mails import Inbox, Intake, Outbox, Ticket
from server.store.models.operations import DatabaseAge, Failure, Heartbeat, KnownKey
from server.store.models.players import Address, ApiAnswer, ApiToken, Change, Login, Passkey, Player, Relation
from server.store.models.ratings import Conduct, Habit, Ledger, Rating, RatingChange, Tally
from server.store.models.spectators import AbuseReport, Follow, SpectatorMessage, Watch
from server.store.models.tournaments import Entrant, Pairing, Tournament

__all__ = [
    "AbuseReport",
    "Address",
    "Announcement",
    "ApiAnswer",
    "ApiToken",
    "AssessedGame",
    "AuditEntry",
    "Ban",
    "BlockedAddress",
    "Browser",
    "Change",
    "Channel",
    "Conduct",
    "DatabaseAge",
    "Entrant",
    "Entry",
    "Envelope",
    "Failure",
    "Follow",
    "Game",
    "GameMessage",
    "Gift",
    "Habit",
    "Heartbeat",
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
    "PausedDomain",
    "Player",
    "Policy",
    "Rating",
    "RatingChange",
    "Relation",
    "Seat",
    "SpectatorMessage",
    "Staff",
    "Tally",
    "Ticket",
    "Tournament",
    "UtcDateTime",
    "Variation",
    "Watch",
]
