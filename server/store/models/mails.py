"""Mails that came in, and mails to be sent."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import BigInteger, Column, Index, text
from sqlmodel import Field, SQLModel

from server.store.models.columns import NUMBERED, Id, UtcDateTime

_WAITS = text("state = 'new'")
_IS_KEPT = text("sealed IS NOT NULL")


class Inbox(SQLModel, table=True):
    """A mail that came in, for one recipient, and what became of it."""

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
    """The way in which it came, as in `mail.incoming.receiving.Received`."""
    peer: str = ""
    """The IP address that handed it over; "" for a mail server of ours."""
    results: str = ""
    """What the provider who posted it found of its sender, as in Authentication-Results."""
    mail_from: str
    recipient: str
    fingerprint: str = Field(unique=True)
    """The same mail again has the same fingerprint."""
    mark: str | None = None
    """Once it was acted upon, what all its copies have in common, since relays may have changed them."""
    sealed: bytes | None
    """The raw mail; None once it has been thrown away."""
    state: str = "new"
    """`new`, then `done`, `refused` (answered) or `quarantined` (kept for the administrator); or, before one of
    these, `asked` (somebody is asked whether it is theirs)."""
    why: str = ""
    attempts: int = 0
    """How often handling it failed or was broken off, counting the attempt that is under way."""
    put_off: int = 0
    """How often it was postponed because the name servers did not answer."""
    due_at: datetime = Field(sa_type=UtcDateTime)
    queue: str = ""
    """The queue that it waits in, as `inbox.store` writes it."""
    turn: int = 0
    """When it is handled among those that wait: the lower the sooner, whenever they came."""
    game_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The game that the reply address names."""
    asked_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The player who is asked whether it is theirs."""
    received_at: datetime = Field(sa_type=UtcDateTime)
    handled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Intake(SQLModel, table=True):
    """How many bytes of incoming mail one day has counted against one budget (see `inbound.budgets`)."""

    day: int = Field(primary_key=True)
    """The number of the day, in UTC, as `date.toordinal` counts."""
    budget: str = Field(primary_key=True)
    """The name of a budget in total, or a keyed hash of whose budget it is."""
    size: int = Field(sa_type=BigInteger)
    most: int = Field(sa_type=BigInteger)
    """The budget in bytes, as it was when the last mail was counted."""


class Outbox(SQLModel, table=True):
    """A mail to be sent: which letter to whom about what; written out only when it is sent."""

    __table_args__ = (
        Index("ix_outbox_due", "state", "due_at"),
        Index("ix_outbox_sent", "state", "sent_at"),
        Index("ix_outbox_domain", "domain", "sent_at"),
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
    """Random; the Message-ID begins with it, so that a mail sent twice is one mail."""
    game_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    recipient: str = Field(index=True)
    player_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """Whose address that is, if it is a player's."""
    domain: str
    """The part of the recipient behind the @, for limits by domain."""
    origin: str | None = None
    """Where a stranger is who had it mailed, as `strangers.origin` writes it; None when none had."""
    doubtful: bool = False
    """Whether nothing shows that whoever had it mailed is the one it goes to: such are counted apart."""
    caused_by: int | None = None
    """The seat of its game that had it mailed, if one can as often as it likes (see `Letter.at_will_of`)."""
    actor_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """The player whose mail or request had it mailed, to whomever; None when a job had."""
    letter: str
    sealed: bytes
    """What the letter says beyond the game's log, as JSON."""
    state: str = "queued"
    """`queued`, or `paused` while nothing is sent to its domain; then `sent`, `failed`, or `dropped` if it was
    no longer true (see `letters.timely`) or an administrator dropped it; one that was sent may be
    `returned`, or `unwanted`."""
    attempts: int = 0
    due_at: datetime = Field(sa_type=UtcDateTime)
    error: str = ""
    refusal: str = ""
    """What its error has in common with those of others that are refused for the same reason."""
    failing_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when it has been tried in vain; None if it was not tried, or was sent."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Ticket(SQLModel, table=True):
    """A signature that does not cover a mail, and the one mail for which it is good (see `tickets`)."""

    mark: str = Field(primary_key=True)
    """What `Vault.mark` says of the signature."""
    mail: str
    """The same, of what is the mail in it."""
    since: datetime = Field(sa_type=UtcDateTime, index=True)
