"""What is said beside the games: messages of spectators, and words that were reported to the operator."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, ForeignKey, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime


class SpectatorMessage(SQLModel, table=True):
    """What a spectator of a game said to the others who watch it."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=Column(Id, ForeignKey("game.id"), nullable=False, index=True))
    turn: int
    """The turn to be played then."""
    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), nullable=False, index=True))
    sealed: bytes
    said_at: datetime = Field(sa_type=UtcDateTime)


class AbuseReport(SQLModel, table=True):
    """Something that a player or a spectator said, and another who heard it reported to the operator."""

    __table_args__ = (
        UniqueConstraint("message_id", "by_id"),
        UniqueConstraint("spectator_message_id", "by_id"),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=Column(Id, ForeignKey("game.id"), nullable=False))
    message_id: int | None = Field(
        default=None, sa_column=Column(Id, ForeignKey("gamemessage.id"), nullable=True)
    )
    spectator_message_id: int | None = Field(
        default=None, sa_column=Column(Id, ForeignKey("spectatormessage.id"), nullable=True)
    )
    """One of the two."""
    speaker_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), nullable=False, index=True))
    by_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), nullable=False, index=True))
    sealed: bytes
    """The words, and what the player who reported them wrote about that, as JSON."""
    reported_at: datetime = Field(sa_type=UtcDateTime, index=True)
    resolved_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the operator was done with it; None until then."""
