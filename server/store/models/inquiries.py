"""What players ask the computer about games."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, Index
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, Json, JsonColumn, UtcDateTime, refers


class Inquiry(SQLModel, table=True):
    """One question of a player's: a hint, or how a game that is over went; kept for some days."""

    __table_args__ = (Index("ix_inquiry_player_id_asked_at", "player_id", "asked_at"),)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game", index=True))
    player_id: int = Field(sa_column=refers("player"))
    what: str
    """`hint` or `assessment`."""
    turn: int
    """The turn to be played then."""
    seat: int | None = None
    """The seat of whoever asks; None for a spectator."""
    by_mail: bool
    """Whether the answer is mailed."""
    asked_at: datetime = Field(sa_type=UtcDateTime)
    due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """From when on it may be taken up; None once it is answered, or no longer asked."""
    answer: Json | None = Field(default=None, sa_column=Column(JsonColumn, nullable=True))
    """The hint; None before it is answered, and for an assessment, which has a row of its own."""


class AssessedGame(SQLModel, table=True):
    """How a game that is over went, as the computer sees it: public like the game, and found out once."""

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    answer: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """As `rules.analysis.game_report.Assessment` writes it."""
    made_at: datetime = Field(sa_type=UtcDateTime)
