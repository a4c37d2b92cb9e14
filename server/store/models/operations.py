"""What the server notes about its own running: heartbeats, keys, failures."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime
from typing import ClassVar

from sqlalchemy import Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime, refers


class Heartbeat(SQLModel, table=True):
    """When a worker was last alive, and when mail was last accepted."""

    WORKER: ClassVar[int] = 1
    INTAKE: ClassVar[int] = 2
    """The numbers of the two rows."""

    id: int = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)
    crediting: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """The game up to which the last downtime is credited already; None when all are. Of the worker alone."""


class KnownKey(SQLModel, table=True):
    """A secret key with which something here was sealed (see `keys`)."""

    mark: str = Field(primary_key=True)
    """What `Vault.marks` says of the key."""
    since: datetime = Field(sa_type=UtcDateTime)


class Failure(SQLModel, table=True):
    """Something that could not be done for a game, player or tournament and is tried again (see `failures`)."""

    __table_args__ = (
        UniqueConstraint("job", "game_id"),
        UniqueConstraint("job", "player_id"),
        Index("ix_failure_job_tournament_id", "job", "tournament_id", unique=True),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    job: str
    """What could not be done: `deadline`, `digest`, `computer`, …"""
    game_id: int | None = Field(default=None, sa_column=refers("game", nullable=True))
    player_id: int | None = Field(default=None, sa_column=refers("player", nullable=True))
    tournament_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    turn: int | None = None
    """The turn that was to be played in the game when it failed."""
    what: str
    """What went wrong, and where in the code."""
    attempts: int = 0
    since: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it first failed."""
    due_at: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it is tried again, if it is still to be done."""
