"""Where players are told their turns besides by mail, and what waits to be told there."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, JsonColumn, UtcDateTime, refers


class Channel(SQLModel, table=True):
    """A chat, room or topic of another service; players who name the same one share it."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    mark: str = Field(unique=True)
    """That of its address, as `Sealer.mark` makes it."""
    service: str
    """What the service is called, or the browser."""
    sealed: bytes
    """Its address, or what `Subscription` says: whoever knows that can write there."""
    failing_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when nothing is taken there; None if the last notice was, or there was none."""


class Browser(SQLModel, table=True):
    """A browser in which a player is told their turns; its channel is nobody else's."""

    channel_id: int = Field(sa_column=refers("channel", primary_key=True))
    player_id: int = Field(sa_column=refers("player", index=True))
    login: int
    """The login with which they use it: it ends with that."""
    since: datetime = Field(sa_type=UtcDateTime)
    told_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it was last told something; None for never."""


class Notice(SQLModel, table=True):
    """That it is somebody's turn, to be told in a channel; gone once it is told, or no longer true.

    One without a game tells nothing: a player tries a browser with it.
    """

    __table_args__ = (UniqueConstraint("game_id", "turn", "channel_id"),)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    channel_id: int = Field(sa_column=refers("channel", index=True))
    game_id: int | None = Field(sa_column=refers("game", nullable=True))
    turn: int
    seats: list[int] = Field(sa_column=Column(JsonColumn, nullable=False))
    """Whose turn it was when the turn began, of those who named the channel."""
    due_at: datetime = Field(sa_type=UtcDateTime, index=True)
