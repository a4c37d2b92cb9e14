"""What concerns talk across games: words that were reported to the operator."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, ForeignKey, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime


class Reported(SQLModel, table=True):
    """Something that a player said in a game, and another who heard it reported to the operator."""

    __table_args__ = (UniqueConstraint("press_id", "by_id"),)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=Column(Id, ForeignKey("game.id"), nullable=False))
    press_id: int = Field(sa_column=Column(Id, ForeignKey("press.id"), nullable=False))
    speaker_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), nullable=False, index=True))
    by_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), nullable=False, index=True))
    sealed: bytes
    """The words, and what the player who reported them wrote about that, as JSON."""
    reported_at: datetime = Field(sa_type=UtcDateTime, index=True)
    settled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the operator was done with it; None until then."""
