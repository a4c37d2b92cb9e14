"""Who looks after the server, and what they did."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, ForeignKey
from sqlmodel import Field, SQLModel

from server.store.models.columns import Id, UtcDateTime


class Staff(SQLModel, table=True):
    """A player who has a role, and their second factor."""

    player_id: int = Field(sa_column=Column(Id, ForeignKey("player.id"), primary_key=True))
    role: str
    """As in `admin.roles.Role`."""
    since: datetime = Field(sa_type=UtcDateTime)
    sealed_factor: bytes | None = None
    """Their second factor, as `admin.second_factor` writes it; None before they begin to set one up."""
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when it is asked for; None until its first code was right."""
    last_step: int = 0
    """The time step of the last code that was right: neither it nor an earlier one is good again."""
    wrong_codes: int = 0
    """How many wrong codes were given since `wrong_since`."""
    wrong_since: datetime | None = Field(default=None, sa_type=UtcDateTime)


class AuditEntry(SQLModel, table=True):
    """Something that an operator did. Rows are added, and neither changed nor deleted."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    at: datetime = Field(sa_type=UtcDateTime)
    by_id: int | None = Field(
        default=None, sa_column=Column(Id, ForeignKey("player.id"), nullable=True, index=True)
    )
    """Who did it; None for whoever used the command line."""
    what: str
    """What was done, in words of ours: no secret, and nothing that a mail says."""
    player_id: int | None = Field(
        default=None, sa_column=Column(Id, ForeignKey("player.id"), nullable=True, index=True)
    )
    """Whom it was about, if it was a player."""
    game_id: int | None = Field(
        default=None, sa_column=Column(Id, ForeignKey("game.id"), nullable=True, index=True)
    )
    why: str = ""
    """The reason, in the operator's own words; "" where none was asked for."""
