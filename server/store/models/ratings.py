"""What is counted of the games of players: ratings, results, and how they answered."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, Index
from sqlmodel import Field, SQLModel

from server.store.models.columns import JsonColumn, UtcDateTime, refers


class Rating(SQLModel, table=True):
    """The rating of a player in a game type at a pace, after all counted games; derived."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    game_type: str = Field(primary_key=True)
    pace: str = Field(primary_key=True)
    mu: float
    sigma: float
    games: int = 0


class RatingChange(SQLModel, table=True):
    """What a rating was after a game; derived."""

    __table_args__ = (Index("ix_ratingchange_player_id_serial", "player_id", "serial"),)

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    player_id: int = Field(sa_column=refers("player", primary_key=True))
    serial: int
    """That of the game."""
    game_type: str
    pace: str
    mu: float
    sigma: float
    at: datetime = Field(sa_type=UtcDateTime)
    """When the game was over."""


class Tally(SQLModel, table=True):
    """How a player's games of a type with other people ended; derived."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    game_type: str = Field(primary_key=True)
    won: int = 0
    drawn: int = 0
    lost: int = 0
    abandoned: int = 0


class Conduct(SQLModel, table=True):
    """How a player answered in a game that is over, the last turns of it; read from its log."""

    __table_args__ = (Index("ix_conduct_player_id_serial", "player_id", "serial"),)

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    seat: int = Field(primary_key=True)
    player_id: int = Field(sa_column=refers("player"))
    serial: int
    """That of the game."""
    answers: list[int | None] = Field(sa_column=Column(JsonColumn, nullable=False))
    """As in `game.conduct`."""


class Habit(SQLModel, table=True):
    """How a player answered their last turns in all games that are over; derived."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    answers: list[int | None] = Field(sa_column=Column(JsonColumn, nullable=False))
    """As in `game.conduct`, the latest last."""


class Ledger(SQLModel, table=True):
    """One row, locked by whoever counts games: so they are counted one after the other."""

    id: int = Field(primary_key=True)
    counted: int = 0
    """The serial of the last one."""
