"""What players are to one another."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from sqlalchemy import Column, ForeignKey
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id


class Relation(SQLModel, table=True):
    """Somebody whose talk a player does not want to hear."""

    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), primary_key=True))
    other_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), primary_key=True, index=True))
    blocked: bool
    """Whether they do not want to play with them either."""
