"""Tables about the operation of the server: heartbeats, known keys, failures."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime
from typing import ClassVar

from sqlalchemy import Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime, refers


class Heartbeat(SQLModel, table=True):
    """The last activity of a worker, and the last accepted email."""

    WORKER: ClassVar[int] = 1
    INTAKE: ClassVar[int] = 2
    """The numbers of the two rows."""

    id: int = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)
    crediting: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """The last game to which a downtime was credited; None once all are done. Only in the row of the worker."""


class DatabaseAge(SQLModel, table=True):
    """The only row: the age of the database, which increases with each heartbeat, and its last backup.

    Older copies of the database have a lower age (see `rollback.history`).
    """

    id: int = Field(default=1, primary_key=True)
    generation: int = Field(default=0, sa_column=Column(Id, nullable=False))
    """Raised by `nabu restore` and `nabu admin skip-numbers`, to the time in seconds."""
    beats: int = 0
    """The number of heartbeats of workers and mail processes."""
    backup_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the last backup was made; None before the first."""
    backup_bytes: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """The size of its file."""
    verified_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When a backup was last restored to verify it."""


class KnownKey(SQLModel, table=True):
    """A secret key with which data in this database was sealed (see `keys.check`)."""

    mark: str = Field(primary_key=True)
    """The mark of the key, from `Sealer.marks`."""
    since: datetime = Field(sa_type=UtcDateTime)


class Failure(SQLModel, table=True):
    """A failed job for a game, player or tournament, which is retried (see `failures`)."""

    __table_args__ = (
        UniqueConstraint("job", "game_id"),
        UniqueConstraint("job", "player_id"),
        Index("ix_failure_job_tournament_id", "job", "tournament_id", unique=True),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    job: str
    """The name of the job: `deadline`, `digest`, `computer`, …"""
    game_id: int | None = Field(default=None, sa_column=refers("game", nullable=True))
    player_id: int | None = Field(default=None, sa_column=refers("player", nullable=True))
    tournament_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    turn: int | None = None
    """The turn of the game when the job failed."""
    what: str
    """The error and its place in the code."""
    attempts: int = 0
    since: datetime = Field(sa_type=UtcDateTime, index=True)
    """When the job first failed."""
    due_at: datetime = Field(sa_type=UtcDateTime, index=True)
    """When the job is retried, if it is still due."""
