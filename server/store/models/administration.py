"""Administrators and moderators, their actions and their decisions."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime, refers


class Staff(SQLModel, table=True):
    """A player with a role, and their second factor."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    role: str
    """The role, as in `admin.roles.Role`."""
    since: datetime = Field(sa_type=UtcDateTime)
    sealed_factor: bytes | None = None
    """The second factor, as `admin.second_factor` writes it; None until the setup starts."""
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the second factor became required; None until its first correct code."""
    last_step: int = 0
    """The time step of the last correct code; codes up to this step are no longer valid."""
    wrong_codes: int = 0
    """The number of wrong codes since `wrong_since`."""
    wrong_since: datetime | None = Field(default=None, sa_type=UtcDateTime)


class AuditEntry(SQLModel, table=True):
    """An action of an administrator. Rows are never changed or deleted."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    at: datetime = Field(sa_type=UtcDateTime)
    by_id: int | None = Field(default=None, sa_column=refers("player", nullable=True, index=True))
    """The administrator; None for the command line."""
    what: str
    """A description of the action, without secrets and without contents of emails."""
    player_id: int | None = Field(default=None, sa_column=refers("player", nullable=True, index=True))
    """The player concerned, if any."""
    game_id: int | None = Field(default=None, sa_column=refers("game", nullable=True, index=True))
    why: str = ""
    """The reason in the administrator's words; "" if none was required."""


class Policy(SQLModel, table=True):
    """A value that administrators change while the server runs; without a row, the default applies."""

    name: str = Field(primary_key=True)
    value: str


class Announcement(SQLModel, table=True):
    """An announcement on every page."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    text: str
    since: datetime = Field(sa_type=UtcDateTime)
    until: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it disappears."""
    by_id: int | None = Field(default=None, sa_column=refers("player", nullable=True))
    """The author; None for the command line."""
    mailed_to: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The last player to whom it was sent by email, 0 for none yet; None once complete, or without email."""
    is_mailed: bool = False
    """Whether it is also sent by email."""


class Ban(SQLModel, table=True):
    """The suspension of a player, or the closure of an account."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    closed: bool = False
    since: datetime = Field(sa_type=UtcDateTime, index=True)
    until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When a suspension ends; None for never."""
    why: str
    """The reason, which the player sees."""


class BlockedAddress(SQLModel, table=True):
    """An address or a domain ("@example.com") that cannot sign up."""

    pattern: str = Field(primary_key=True)
    since: datetime = Field(sa_type=UtcDateTime, index=True)
    why: str


class PausedDomain(SQLModel, table=True):
    """A domain to which no emails are sent at the moment (see `server/outbound/paused_domains.py`)."""

    domain: str = Field(primary_key=True)
    """The domain, as in `Outbox.domain`."""
    since: datetime = Field(sa_type=UtcDateTime)
    why: str
