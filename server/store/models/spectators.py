"""What happens beside the games: who watches, what they say, and messages that were reported."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime, refers


class SpectatorMessage(SQLModel, table=True):
    """What a spectator of a game said to the others who watch it."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game", index=True))
    turn: int
    """The turn to be played then."""
    player_id: int = Field(sa_column=refers("player", index=True))
    sealed: bytes
    said_at: datetime = Field(sa_type=UtcDateTime)


class AbuseReport(SQLModel, table=True):
    """Something that a player or a spectator said, and another who heard it reported to the administrator."""

    __table_args__ = (
        UniqueConstraint("message_id", "by_id"),
        UniqueConstraint("spectator_message_id", "by_id"),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game"))
    message_id: int | None = Field(default=None, sa_column=refers("gamemessage", nullable=True))
    spectator_message_id: int | None = Field(default=None, sa_column=refers("spectatormessage", nullable=True))
    """One of the two."""
    speaker_id: int = Field(sa_column=refers("player", index=True))
    by_id: int = Field(sa_column=refers("player", index=True))
    sealed: bytes
    """The words, and what the player who reported them wrote about that, as JSON."""
    reported_at: datetime = Field(sa_type=UtcDateTime, index=True)
    resolved_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the administrator was done with it; None until then."""


class Watch(SQLModel, table=True):
    """A game whose turns are mailed to somebody who does not play in it, until it is over."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    game_id: int = Field(sa_column=refers("game", primary_key=True, index=True))
    entries: int
    """How many entries of the log they have been told of."""
    told_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they were last mailed about it; None for never."""
    last_message: int = 0
    """The number of the last spectator message that they have been sent, or that there was before."""


class Follow(SQLModel, table=True):
    """A player whose games are mailed to somebody once they are over."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    other_id: int = Field(sa_column=refers("player", primary_key=True, index=True))
