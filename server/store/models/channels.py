"""Channels for notifications beside email, and queued notifications."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, JsonColumn, UtcDateTime, refers


class Channel(SQLModel, table=True):
    """A chat, room or topic of another service. Players who enter the same one share it."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    mark: str = Field(unique=True)
    """The `Sealer.mark` of its address."""
    service: str
    """The name of the service or of the browser."""
    sealed: bytes
    """The address, or the fields of a `Subscription`. It is secret, because it permits sending."""
    failing_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """The time of the first failure since the last success; None if there was none."""


class Browser(SQLModel, table=True):
    """A browser in which a player gets notifications; it has its own channel."""

    channel_id: int = Field(sa_column=refers("channel", primary_key=True))
    player_id: int = Field(sa_column=refers("player", index=True))
    login: int
    """The login in this browser; notifications end with it."""
    since: datetime = Field(sa_type=UtcDateTime)
    told_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the last notification was sent; None for never."""


class Notice(SQLModel, table=True):
    """A queued notification of a turn, deleted once sent or outdated; without a game, a test for a browser."""

    __table_args__ = (UniqueConstraint("game_id", "turn", "channel_id"),)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    channel_id: int = Field(sa_column=refers("channel", index=True))
    game_id: int | None = Field(sa_column=refers("game", nullable=True))
    turn: int
    seats: list[int] = Field(sa_column=Column(JsonColumn, nullable=False))
    """The seats that owed a move when the turn started and use the channel."""
    due_at: datetime = Field(sa_type=UtcDateTime, index=True)
