"""The tables. Every table that grows with games carries the game's id.

Columns named `sealed` hold what nobody may read without the key (see `sealing`). Times are UTC.
"""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

Json = dict[str, Any]


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware in Python; without a zone, in UTC, in the database."""

    impl = DateTime(timezone=False)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: object) -> datetime | None:
        """Refuse moments without a zone: they would be read as another time elsewhere."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, _dialect: object) -> datetime | None:
        """Give the moment its zone back."""
        return None if value is None else value.replace(tzinfo=UTC)


class Readable(TypeDecorator[Any]):
    """JSON; what cannot be read as such is None, and found by its checksum or its hash."""

    impl = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Read the text, whatever has become of it."""
        read = super().result_processor(dialect, coltype)

        def tolerantly(value: Any) -> Any:
            try:
                return value if read is None else read(value)
            except (ValueError, RecursionError):
                return None

        return tolerantly


# SQLite numbers rows by itself only in a column of the type INTEGER.
Id = BigInteger().with_variant(Integer, "sqlite")
JsonColumn = JSON(none_as_null=True)
ReadableColumn = Readable(none_as_null=True)


class Player(SQLModel, table=True):
    """A person, or the computer."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    name: str
    name_key: str = Field(unique=True)
    """The name with case folded, by which he is found."""
    name_shape: str = Field(unique=True, index=True)
    """What names that look like his have in common (see `lookalikes`): nobody else can have one."""
    email: str = ""
    """Where his mail goes; "" for the computer."""
    zone: str = "UTC"
    computer: bool = False
    mail_stopped: bool = False
    """Set by `stop` or a complaint: no mail but answers to his own mails."""
    complained_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When a mail of ours was last reported as unwanted by him."""
    suspended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when nothing is mailed to him because his address bounced; undone by a mail from it."""
    bounce_score: int = 0
    """Points for mails that bounced within a window that began at `bounced_at`."""
    bounced_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    login_serial: int = 0
    """Raised by each login, so that a mailed link works once."""
    logged_in_since: int = 0
    """The first login whose browser is still logged in; raised to log out all browsers at once."""
    reminders: str = "half, day"
    """When he is reminded of moves that he owes, as `clock.reminders` writes it."""
    reminded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    digest: str = "off"
    """When he is mailed all that happened at once, as `clock.digests` writes it."""
    digest_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When his next digest comes; None when each turn is mailed to him."""
    auto_vacation: bool = False
    """Whether the server spends vacation for him when his time is up."""
    forced_moves: bool = False
    """Whether a move of his is played at once where the rules allow no other."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When he first did something himself; None for someone who was only invited."""


class Address(SQLModel, table=True):
    """A mail address from which a player writes, normalised."""

    email: str = Field(primary_key=True)
    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), nullable=False, index=True))


class Game(SQLModel, table=True):
    """One match. `position`, `memory` and `rolled` are derived from log and seed, the rest is not."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    kind: str
    rules_version: int
    options: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    setup: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    sealed_seed: bytes
    """The 32 bytes from which dice, layout and seats are drawn."""
    seed_hash: str
    """SHA-256 of the seed, in hexadecimal: public before anything is drawn; "" for a game begun elsewhere."""
    asked: list[int] = Field(sa_column=Column(JsonColumn, nullable=False))
    """The players' numbers in the order in which they were named, before the lot gave them seats."""
    terms: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """What was settled beside the options of the kind, as in `terms.GameTerms`."""
    state: str = "invited"
    """`invited` until all have accepted, then `running`, then `over`; `declined` when one did not want to."""
    turn: int = 1
    """The number of the turn to be played, from 1: one more than were played."""
    entries: int = 0
    """How many entries the log has."""
    head: str = ""
    """The hash of the last entry of the log."""
    position: Json = Field(sa_column=Column(ReadableColumn, nullable=False))
    memory: list[str] = Field(sa_column=Column(ReadableColumn, nullable=False))
    rolled: list[int] | None = Field(default=None, sa_column=Column(ReadableColumn, nullable=True))
    """The dice rolled for the turn to be played, where the kind has dice."""
    checksum: str | None = None
    """Of the three, at this turn (see `game.positions`); None as an earlier version left it."""
    result: Json | None = Field(default=None, sa_column=Column(JsonColumn, nullable=True))
    resolve_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When orders that are all in are opened, where the game leaves time to change them."""
    turn_began_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when the turn to be played is owed."""
    stale_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to look whether the game is still being played at all; None when it is not running."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    changed_at: datetime = Field(sa_type=UtcDateTime)


class Seat(SQLModel, table=True):
    """Who plays what in a game."""

    game_id: int = Field(sa_column=Column(Id, ForeignKey("game.id"), primary_key=True))
    number: int = Field(primary_key=True)
    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), nullable=False, index=True))
    accepted: bool = False
    invited_as: str = ""
    """The address by which the challenger named him; "" where that was his name, and once the game began."""
    client_seed: str = ""
    """His own words, mixed into everything that is drawn; "" for none."""
    owes: bool = Field(default=False, index=True)
    """Whether the game waits for him now."""
    bank: int = 0
    """Seconds in the bank when the turn began, where the game has banks."""
    misses: int = 0
    """Turns in a row that were played without his orders."""
    zone: str = "UTC"
    """His time zone when the turn began."""
    deadline_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the move that he owes is due; derived, like the two after it."""
    grace_until: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When the server has to act on his silence."""
    remind_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    reminded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When he was last reminded of this game."""
    overdue: bool = False
    """Whether his time was up and an opponent may claim the game."""
    absent_turn: int | None = None
    """The turn that will be played without him, as his time for it was up."""
    heard_turn: int | None = None
    """The last turn in which he wrote anything valid: then a missed turn is not counted."""
    stood_turn: int | None = None
    """The last turn in which his time was up, but stood still after all, and the others were told."""
    muted_until: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """Until when he wants no mail about this game."""
    undo_of: int | None = None
    """The turn that he asks to have taken back, or agrees to have taken back; None as soon as a turn begins."""
    sealed_conditions: bytes | None = None
    """His conditional moves, as `conditions` writes them; None for none."""
    untold_turn: int | None = None
    """The first turn that he was not mailed, 0 for the beginning; None when he was told all."""
    untold_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when mail about this game is held back, for his digest or until he is not muted any more."""
    sealed_aside: bytes | None = None
    """What reports that were held back told him alone, as JSON; None for nothing."""
    draw_turn: int | None = None
    """The turn at which he offered a draw; the offer stands until the turn after it is over."""

    def offers_draw(self, turn: int) -> bool:
        """Whether an offer of a draw stands when this turn is to be played."""
        return self.draw_turn is not None and self.draw_turn >= turn - 1


class Entry(SQLModel, table=True):
    """One entry of a game's log: the truth, and public. Written through `play` alone, never changed.

    `docs/verify.md` tells what `body` holds and how `hash` chains each entry to the one before.
    """

    __table_args__ = (UniqueConstraint("game_id", "turn"),)

    game_id: int = Field(sa_column=Column(Id, ForeignKey("game.id"), primary_key=True))
    number: int = Field(primary_key=True)
    turn: int | None = None
    """The number of the turn, for an entry that is one, or that takes turns back."""
    undone_by: int | None = None
    """For a turn that was taken back: the number of the entry that did so, which has its own number here."""
    body: Json = Field(sa_column=Column(ReadableColumn, nullable=False))
    hash: str
    position: Json | None = Field(default=None, sa_column=Column(ReadableColumn, nullable=True))
    """The position after a turn; derived."""
    checksum: str | None = None
    """Of the position, after this turn; None as an earlier version left it."""
    at: datetime = Field(sa_type=UtcDateTime)

    @property
    def line(self) -> Json:
        """A turn as in a record: `{"seat": 0, "move": "c4"}`."""
        line: Json = self.body["line"]
        return line


class Envelope(SQLModel, table=True):
    """A sealed order set for a turn that is not resolved yet."""

    game_id: int = Field(sa_column=Column(Id, ForeignKey("game.id"), primary_key=True))
    turn: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    sealed: bytes
    commitment: str
    written_at: datetime = Field(sa_type=UtcDateTime)


class Press(SQLModel, table=True):
    """What one player said to the others in a game, or noted for himself."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=Column(Id, ForeignKey("game.id"), nullable=False, index=True))
    turn: int
    seat: int
    private: bool = False
    """Whether it is a note that only its writer sees."""
    sealed: bytes
    said_at: datetime = Field(sa_type=UtcDateTime)


class Pause(SQLModel, table=True):
    """Time that stands still: for a player, for a game or one seat of it, or, with neither, for everybody."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    player_id: int | None = Field(
        default=None, sa_column=Column(Id, ForeignKey("player.id"), nullable=True, index=True)
    )
    game_id: int | None = Field(
        default=None, sa_column=Column(Id, ForeignKey("game.id"), nullable=True, index=True)
    )
    seat: int | None = None
    start_at: datetime = Field(sa_type=UtcDateTime)
    end_at: datetime = Field(sa_type=UtcDateTime, index=True)
    said_at: datetime = Field(sa_type=UtcDateTime)
    """When the server learned of it."""
    why: str
    """As in `clock.pauses.Why`."""


class Gift(SQLModel, table=True):
    """Time that an opponent gave for one turn."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=Column(Id, ForeignKey("game.id"), nullable=False, index=True))
    turn: int
    seat: int
    """Who was given it."""
    seconds: int
    said_at: datetime = Field(sa_type=UtcDateTime)


class Heartbeat(SQLModel, table=True):
    """When a worker last lived (row 1), and when mail was last accepted (row 2)."""

    id: int = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)
    crediting: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """The game up to which the last outage is credited already; None when all are."""


class KnownKey(SQLModel, table=True):
    """A secret key with which something here was sealed (see `keys`)."""

    mark: str = Field(primary_key=True)
    """What `Vault.marks` says of the key."""
    since: datetime = Field(sa_type=UtcDateTime)


class Ticket(SQLModel, table=True):
    """A signature that does not cover a mail, and the one mail for which it is good (see `tickets`)."""

    mark: str = Field(primary_key=True)
    """What `Vault.mark` says of the signature."""
    mail: str
    """The same, of what is the mail in it."""
    since: datetime = Field(sa_type=UtcDateTime, index=True)


class Failure(SQLModel, table=True):
    """Something that could not be done with a game, or for a player, and is tried again (see `failures`)."""

    __table_args__ = (UniqueConstraint("job", "game_id"), UniqueConstraint("job", "player_id"))

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    job: str
    """What could not be done: `deadline`, `digest`, `computer`, …"""
    game_id: int | None = Field(default=None, sa_column=Column(Id, ForeignKey("game.id"), nullable=True))
    player_id: int | None = Field(default=None, sa_column=Column(Id, ForeignKey("player.id"), nullable=True))
    turn: int | None = None
    """The turn that was to be played in the game when it failed."""
    what: str
    """What went wrong, and where in the code."""
    attempts: int = 0
    since: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it failed first."""
    due_at: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it is tried again, if it is still to be done."""


_WAITS = text("state = 'new'")


class Inbox(SQLModel, table=True):
    """A mail that came in, for one recipient, and what became of it."""

    __table_args__ = (
        Index("ix_inbox_turn", "state", "turn", "due_at"),
        Index("ix_inbox_queue", "queue", "turn", sqlite_where=_WAITS, postgresql_where=_WAITS),
        Index("ix_inbox_mark", "mark", unique=True),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    source: str
    """The way in which it came, as in `mail.receiving.Source`."""
    peer: str = ""
    """The IP address that handed it over; "" for a mail server of ours."""
    results: str = ""
    """What the provider who posted it found of its sender, as in Authentication-Results."""
    mail_from: str
    recipient: str
    fingerprint: str = Field(unique=True)
    """The same mail again has the same fingerprint."""
    mark: str | None = None
    """Once it was acted upon, what all copies of it have in common, as relays may have changed them."""
    sealed: bytes | None
    """The raw mail; None once it has been thrown away."""
    state: str = "new"
    """`new`, then `done`, `refused` (answered) or `held` (kept for the operator); or, before one of these,
    `asked` (somebody is asked whether it is his)."""
    why: str = ""
    attempts: int = 0
    """How often its handling failed, or was broken off; with the one that is under way."""
    put_off: int = 0
    """How often it was put off, as the name servers did not answer."""
    due_at: datetime = Field(sa_type=UtcDateTime)
    queue: str = ""
    """Of whom it is one mail among many, as `inbox.store` writes it."""
    turn: int = 0
    """When it is handled among those that wait: the lower the sooner, whenever they came."""
    game_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The game that the reply address names."""
    asked_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The player who is asked whether it is his."""
    received_at: datetime = Field(sa_type=UtcDateTime)
    handled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Outbox(SQLModel, table=True):
    """A mail to be sent: which letter to whom about what; written out only when it is sent."""

    __table_args__ = (
        Index("ix_outbox_due", "state", "due_at"),
        Index("ix_outbox_domain", "domain", "sent_at"),
        Index(
            "ix_outbox_origin",
            "created_at",
            sqlite_where=text("origin IS NOT NULL"),
            postgresql_where=text("origin IS NOT NULL"),
        ),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    key: str = Field(unique=True)
    """Random; the Message-ID begins with it, so that a mail sent twice is one mail."""
    game_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    recipient: str = Field(index=True)
    player_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """Whose address that is, if it is a player's."""
    domain: str
    """The part of the recipient behind the @, for limits by domain."""
    origin: str | None = None
    """Where a stranger is who had it mailed, as `quotas.origin` writes it; None when none had."""
    doubtful: bool = False
    """Whether nothing says that whoever had it mailed is whom it goes to: such letters are counted apart."""
    caused_by: int | None = None
    """The seat of its game that had it mailed, where one can as often as it likes (see `deferral.AT_WILL`)."""
    letter: str
    sealed: bytes
    """What the letter says beyond the game's log, as JSON."""
    state: str = "queued"
    """`queued`, then `sent` or `failed`; one that was sent may be `returned`, or `unwanted`."""
    attempts: int = 0
    due_at: datetime = Field(sa_type=UtcDateTime)
    error: str = ""
    refusal: str = ""
    """What its error has in common with that of others who are refused for the same reason."""
    failing_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when it is tried in vain; None for what was not tried, or was sent."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
