"""Spectators, their chat, and reported messages."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime, refers


class SpectatorMessage(SQLModel, table=True):
    """A message in the spectator chat of a game."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game", index=True))
    turn: int
    """The current turn at that time."""
    player_id: int = Field(sa_column=refers("player", index=True))
    sealed: bytes
    said_at: datetime = Field(sa_type=UtcDateTime)


class AbuseReport(SQLModel, table=True):
    """A report of a message of a player or spectator to the administrator."""

    __table_args__ = (
        UniqueConstraint("message_id", "by_id"),
        UniqueConstraint("spectator_message_id", "by_id"),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game"))
    message_id: int | None = Field(default=None, sa_column=refers("gamemessage", nullable=True))
    spectator_message_id: int | None = Field(default=None, sa_column=refers("spectatormessage", nullable=True))
    """Exactly one of the two is set."""
    speaker_id: int = Field(sa_column=refers("player", index=True))
    by_id: int = Field(sa_column=refers("player", index=True))
    sealed: bytes
    """The text of the message and the comment of the reporting player, as JSON."""
    reported_at: datetime = Field(sa_type=UtcDateTime, index=True)
    resolved_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the administrator resolved it; None until then."""


class Watch(SQLModel, table=True):
    """A game that a spectator watches by email until it is over."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    game_id: int = Field(sa_column=refers("game", primary_key=True, index=True))
    entries: int
    """The number of log entries that were sent to the spectator."""
    told_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the last email about it was sent; None for never."""
    last_message: int = 0
    """The number of the last spectator message that was sent to them, or existed before."""


class Follow(SQLModel, table=True):
    """A player whose finished games are sent to another player by email."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    other_id: int = Field(sa_column=refers("player", primary_key=True, index=True))
