"""Who looks after the server, what they did, and what they decide."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime, refers


class Staff(SQLModel, table=True):
    """A player who has a role, and their second factor."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    role: str
    """As in `admin.roles.Role`."""
    since: datetime = Field(sa_type=UtcDateTime)
    sealed_factor: bytes | None = None
    """Their second factor, as `admin.second_factor` writes it; None before they begin to set one up."""
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when it is asked for; None until its first code was right."""
    last_step: int = 0
    """The time step of the last code that was right: neither it nor an earlier one is good again."""
    wrong_codes: int = 0
    """How many wrong codes were given since `wrong_since`."""
    wrong_since: datetime | None = Field(default=None, sa_type=UtcDateTime)


class AuditEntry(SQLModel, table=True):
    """Something that an administrator did. Rows are added, and neither changed nor deleted."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    at: datetime = Field(sa_type=UtcDateTime)
    by_id: int | None = Field(default=None, sa_column=refers("player", nullable=True, index=True))
    """Who did it; None for whoever used the command line."""
    what: str
    """What was done, in words of ours: no secret, and nothing that a mail says."""
    player_id: int | None = Field(default=None, sa_column=refers("player", nullable=True, index=True))
    """Whom it was about, if it was a player."""
    game_id: int | None = Field(default=None, sa_column=refers("game", nullable=True, index=True))
    why: str = ""
    """The reason, in the administrator's own words; "" where none was asked for."""


class Policy(SQLModel, table=True):
    """Something that administrators decide while the server runs; a missing row stands for the usual."""

    name: str = Field(primary_key=True)
    value: str


class Announcement(SQLModel, table=True):
    """What administrators tell everybody, on every page."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    text: str
    since: datetime = Field(sa_type=UtcDateTime)
    until: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it is shown no more."""
    by_id: int | None = Field(default=None, sa_column=refers("player", nullable=True))
    """Who wrote it; None for whoever used the command line."""
    mailed_to: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The number of the last player to whom it was mailed, 0 for none yet; None if it is not, or to all."""
    is_mailed: bool = False
    """Whether it is mailed, or was."""


class Ban(SQLModel, table=True):
    """A player who is suspended, or whose account is closed."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
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
