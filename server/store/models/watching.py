"""What people watch: games of others, and players whose games interest them."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, ForeignKey
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime


class Watch(SQLModel, table=True):
    """A game whose turns are mailed to somebody who does not play in it, until it is over."""

    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), primary_key=True))
    game_id: int = Field(sa_column=Column(Id, ForeignKey("game.id"), primary_key=True, index=True))
    entries: int
    """How many entries of the log they have been told of."""
    told_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they were last mailed about it; None for never."""
    last_message: int = 0
    """The number of the last spectator message that they have been sent, or that there was before."""


class Follow(SQLModel, table=True):
    """A player whose games are mailed to somebody once they are over."""

    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), primary_key=True))
    other_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), primary_key=True, index=True))
