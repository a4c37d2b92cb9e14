"""What operators decide: who may become or stay a player, what everybody is told, and where no mail goes."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, ForeignKey
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime


class Policy(SQLModel, table=True):
    """Something that operators decide while the server runs; a missing row stands for the usual."""

    name: str = Field(primary_key=True)
    value: str


class Announcement(SQLModel, table=True):
    """What operators tell everybody, on every page."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    text: str
    since: datetime = Field(sa_type=UtcDateTime)
    until: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it is shown no more."""
    by_id: int | None = Field(default=None, sa_column=Column(Id, ForeignKey("player.id"), nullable=True))
    """Who wrote it; None for whoever used the command line."""
    mailed_to: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The number of the last player to whom it was mailed, 0 for none yet; None if it is not, or to all."""
    is_mailed: bool = False
    """Whether it is mailed, or was."""


class Ban(SQLModel, table=True):
    """A player who is suspended, or whose account is closed."""

    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), primary_key=True))
    closed: bool = False
    since: datetime = Field(sa_type=UtcDateTime, index=True)
    until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it ends by itself; None if it does not."""
    why: str
    """The reason, which the player was told."""


class BlockedAddress(SQLModel, table=True):
    """An address, or all of a domain ("@example.com"), from which nobody becomes a player."""

    pattern: str = Field(primary_key=True)
    since: datetime = Field(sa_type=UtcDateTime, index=True)
    why: str


class PausedDomain(SQLModel, table=True):
    """A domain to whose addresses nothing is sent for now (see `server/outbound/paused_domains.py`)."""

    domain: str = Field(primary_key=True)
    """As `Outbox.domain` has it."""
    since: datetime = Field(sa_type=UtcDateTime)
    why: str
