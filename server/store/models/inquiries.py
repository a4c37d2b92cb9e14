"""Hints and analyses that players request from the computer."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, Index
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, Json, JsonColumn, UtcDateTime, refers


class Inquiry(SQLModel, table=True):
    """A request for a hint or for the analysis of a finished game; stored for some days."""

    __table_args__ = (Index("ix_inquiry_player_id_asked_at", "player_id", "asked_at"),)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game", index=True))
    player_id: int = Field(sa_column=refers("player"))
    what: str
    """`hint` or `assessment`."""
    turn: int
    """The current turn at the time of the request."""
    seat: int | None = None
    """The seat of the player; None for a spectator."""
    by_mail: bool
    """Whether to send the answer by email."""
    asked_at: datetime = Field(sa_type=UtcDateTime)
    due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to process it; None once it is answered or cancelled."""
    answer: Json | None = Field(default=None, sa_column=Column(JsonColumn, nullable=True))
    """The hint; None before it is answered, and for an analysis, which is in `AssessedGame`."""


class AssessedGame(SQLModel, table=True):
    """The computer's analysis of a finished game, computed once and as public as the game."""

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    answer: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """The analysis, as `rules.analysis.game_report.Assessment` writes it."""
    made_at: datetime = Field(sa_type=UtcDateTime)
