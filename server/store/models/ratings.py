"""Statistics of players: ratings, results and punctuality."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, Index
from sqlmodel import Field, SQLModel

from server.store.models.columns import JsonColumn, UtcDateTime, refers


class Rating(SQLModel, table=True):
    """The present rating of a player in a game type at a pace; it can be computed from the rating changes."""

    __table_args__ = (Index("ix_rating_rank", "game_type", "pace", "mu"),)

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    game_type: str = Field(primary_key=True)
    pace: str = Field(primary_key=True)
    mu: float
    sigma: float
    games: int = 0


class RatingChange(SQLModel, table=True):
    """A player's rating after a game; it can be computed from all counted games."""

    __table_args__ = (Index("ix_ratingchange_player_id_serial", "player_id", "serial"),)

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    player_id: int = Field(sa_column=refers("player", primary_key=True))
    serial: int
    """The serial of the game."""
    game_type: str
    pace: str
    mu: float
    sigma: float
    at: datetime = Field(sa_type=UtcDateTime)
    """When the game ended."""


class Tally(SQLModel, table=True):
    """A player's wins, draws and losses against other people in a game type; computed from the games."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    game_type: str = Field(primary_key=True)
    won: int = 0
    drawn: int = 0
    lost: int = 0
    abandoned: int = 0


class Conduct(SQLModel, table=True):
    """The answering times of a player in the last turns of a finished game; read from its log."""

    __table_args__ = (Index("ix_conduct_player_id_serial", "player_id", "serial"),)

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    seat: int = Field(primary_key=True)
    player_id: int = Field(sa_column=refers("player"))
    serial: int
    """The serial of the game."""
    answers: list[int | None] = Field(sa_column=Column(JsonColumn, nullable=False))
    """The response of each turn, as in `ratings.punctuality`."""


class Habit(SQLModel, table=True):
    """The answering times of a player in the last turns of all finished games; computed from `Conduct`."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    answers: list[int | None] = Field(sa_column=Column(JsonColumn, nullable=False))
    """The response of each turn, as in `ratings.punctuality`, the latest last."""


class Ledger(SQLModel, table=True):
    """The only row: the number of counted games. Its lock ensures that games are counted one by one."""

    id: int = Field(primary_key=True)
    counted: int = 0
    """The serial of the last counted game."""
