"""What programs need that act for a player over the API."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, ForeignKey
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime


class ApiToken(SQLModel, table=True):
    """What lets a program act for a player until this row is gone (see `accounts.api_tokens`)."""

    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), primary_key=True))
    number: int = Field(primary_key=True)
    """Among the player's tokens."""
    fingerprint: str = Field(unique=True, index=True)
    """The SHA-256 of the token, which itself is kept nowhere."""
    name: str
    made_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When a program last came with it, give or take an hour."""


class ApiAnswer(SQLModel, table=True):
    """What a program was answered when it did something, for when it asks for the same again."""

    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), primary_key=True))
    key: str = Field(primary_key=True)
    """What the program calls the request: its `Idempotency-Key`."""
    fingerprint: str
    """The SHA-256 of the request."""
    sealed: bytes
    """The body of the answer."""
    at: datetime = Field(sa_type=UtcDateTime, index=True)
