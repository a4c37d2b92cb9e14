"""Incoming and outgoing emails."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import BigInteger, Column, Index, text
from sqlmodel import Field, SQLModel

from server.store.models.columns import NUMBERED, Id, UtcDateTime

_WAITS = text("state = 'new'")
_IS_KEPT = text("sealed IS NOT NULL")


class Inbox(SQLModel, table=True):
    """An incoming email for one recipient, and its state."""

    __table_args__ = (
        Index("ix_inbox_turn", "state", "turn", "due_at"),
        Index("ix_inbox_queue", "queue", "turn", sqlite_where=_WAITS, postgresql_where=_WAITS),
        Index("ix_inbox_mark", "mark", unique=True),
        Index("ix_inbox_handled", "state", "handled_at"),
        Index("ix_inbox_sealed", "state", "handled_at", sqlite_where=_IS_KEPT, postgresql_where=_IS_KEPT),
        NUMBERED,
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    source: str
    """The source, as in `mail.incoming.receiving.Received`."""
    peer: str = ""
    """The IP address of the sending host; "" for the server's own mail server."""
    results: str = ""
    """The provider's authentication of the sender, as in an Authentication-Results header."""
    mail_from: str = Field(index=True)
    """The envelope sender, in lower case."""
    recipient: str
    fingerprint: str = Field(unique=True)
    """Equal for two deliveries of the same email."""
    mark: str | None = None
    """For a handled email, a mark of its content that is equal for copies that relays have changed."""
    sealed: bytes | None
    """The raw email; None once it is deleted."""
    state: str = "new"
    """`new`, then `done`, `refused` (answered) or `quarantined` (kept for the administrator); before one of
    these, it may be `asked` (a player has to confirm it)."""
    why: str = ""
    attempts: int = 0
    """The number of attempts that failed or were interrupted, including the current one."""
    put_off: int = 0
    """The number of times it was postponed because DNS servers did not answer."""
    due_at: datetime = Field(sa_type=UtcDateTime)
    queue: str = ""
    """The name of its queue, see `inbox.store`."""
    turn: int = 0
    """The order of handling: lower numbers first."""
    game_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The game in the reply address."""
    asked_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The player who has to confirm it."""
    received_at: datetime = Field(sa_type=UtcDateTime)
    handled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Intake(SQLModel, table=True):
    """The bytes of incoming email that count against one limit on one day (see `store.mail_budgets`)."""

    day: int = Field(primary_key=True)
    """The day in UTC, as `date.toordinal` counts."""
    budget: str = Field(primary_key=True)
    """The name of a total budget, or a keyed hash of the network, domain or player."""
    size: int = Field(sa_type=BigInteger)
    most: int = Field(sa_type=BigInteger)
    """The budget in bytes when the last email was counted."""


class Outbox(SQLModel, table=True):
    """An outgoing email: letter, recipient and content; rendered only when it is sent."""

    __table_args__ = (
        Index("ix_outbox_due", "state", "due_at"),
        Index("ix_outbox_sent", "state", "sent_at"),
        Index("ix_outbox_domain", "domain", "sent_at"),
        Index("ix_outbox_recipient", "recipient", "created_at"),
        Index("ix_outbox_player", "player_id", "created_at"),
        Index(
            "ix_outbox_origin",
            "created_at",
            sqlite_where=text("origin IS NOT NULL"),
            postgresql_where=text("origin IS NOT NULL"),
        ),
        Index(
            "ix_outbox_actor",
            "actor_id",
            "created_at",
            sqlite_where=text("actor_id IS NOT NULL"),
            postgresql_where=text("actor_id IS NOT NULL"),
        ),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    key: str = Field(unique=True)
    """Random; the beginning of the Message-ID, so that an email sent twice counts as one."""
    game_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    recipient: str
    player_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """The player with this address, if any."""
    domain: str
    """The part of the recipient after the @, for limits by domain."""
    origin: str | None = None
    """The network of the stranger who caused it, as `newcomers.origin` writes it; None if no stranger did."""
    doubtful: bool = False
    """Whether the recipient may not be the person who caused it; such emails count separately."""
    caused_by: int | None = None
    """The seat that caused it, for letters that a seat can cause at will (see `Letter.at_will_of`)."""
    actor_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """The player whose email or request caused it; None for a job."""
    letter: str
    sealed: bytes
    """The fields of the letter, as JSON."""
    state: str = "queued"
    """`queued`, or `paused` with its domain; then `sent`, `failed`, or `dropped` if it was no longer true (see
    `letters.expiry`) or an administrator dropped it. A sent one may become `returned` (bounced) or `unwanted`
    (reported as spam)."""
    attempts: int = 0
    due_at: datetime = Field(sa_type=UtcDateTime)
    error: str = ""
    refusal: str = ""
    """The part of the error that is equal for emails refused for the same reason."""
    failing_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """The time of the first failed attempt; None if there was none, or it was sent."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Ticket(SQLModel, table=True):
    """A signature that does not cover the content of an email, and the only email for which it is valid."""

    mark: str = Field(primary_key=True)
    """The `Sealer.mark` of the signature."""
    mail: str
    """The `Sealer.mark` of the email."""
    since: datetime = Field(sa_type=UtcDateTime, index=True)
