"""Tournaments, who entered them, and who meets whom."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import NUMBERED, Id, Json, JsonColumn, UtcDateTime, refers


class Tournament(SQLModel, table=True):
    """Many games of one type, options and terms, and who wins most of them."""

    __table_args__ = (Index("ix_tournament_state_id", "state", "id"), NUMBERED)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    name: str
    game_type: str
    options: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """The options of the rules, in all its games."""
    terms: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """What is agreed besides, in all its games, as in `terms.GameTerms`."""
    plan: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """How it is played, as in `tournaments.plan.Plan`."""
    made_by: int = Field(sa_column=refers("player", index=True))
    state: str = "open"
    """`open` for sign-up, then `running`, then `over`; `cancelled` if too few entered."""
    round: int = 0
    """The last round that has begun; on a ladder, 1 throughout."""
    rounds: int = 0
    """How many rounds there are; 0 until it begins."""
    told_round: int = 0
    """The last round whose beginning was told to everybody."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    closes_at: datetime = Field(sa_type=UtcDateTime)
    """When sign-up ends; once the tournament has begun, when it did."""
    ends_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it ends whatever is still played: only a ladder does, once it has begun."""
    over_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    sealed_lot: bytes | None = None
    """The secret from which equal seeds are drawn."""
    lot_hash: str = ""
    """Its SHA-256, public as soon as the tournament is open."""
    lot: str = ""
    """The secret in hexadecimal, public once the tournament has begun; "" before, and where none was drawn."""
    due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When there is something to do next, other than counting games; None when it is over."""
    version: int = 0
    """Rises with everything that changes on its page (`store/version_counters.py`)."""

    @property
    def room(self) -> int:
        """For how many players it has places."""
        return int(self.plan["places"].rpartition("-")[2])


class Entrant(SQLModel, table=True):
    """Who entered a tournament; whoever leaves before it begins is gone without a trace."""

    tournament_id: int = Field(sa_column=refers("tournament", primary_key=True))
    player_id: int = Field(sa_column=refers("player", primary_key=True, index=True))
    number: int
    """In the order in which they entered."""
    seed: int | None = None
    """Their seed, from 1, once they play; None while they wait for a place."""
    left: bool = False
    """Whether they left after it had begun."""


class Pairing(SQLModel, table=True):
    """Two entrants who meet, or one without an opponent: in one game, or in none."""

    __table_args__ = (
        UniqueConstraint("tournament_id", "round", "board", "leg"),
        Index("ix_pairing_game_id", "game_id", unique=True),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    tournament_id: int = Field(sa_column=refers("tournament"))
    round: int
    board: int
    """From 1; in a knock-out, two boards next to each other lead to one board of the next round."""
    leg: int = 1
    """2 for the game that is played because the first one of a knock-out was drawn."""
    first_id: int = Field(sa_column=refers("player"))
    second_id: int | None = Field(default=None, sa_column=refers("player", nullable=True))
    """None for a bye."""
    game_id: int | None = Field(default=None, sa_column=refers("game", nullable=True))
    """Their game once it has begun; never for a bye, or if one of them left before."""
    adjudicate_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When a game that is not over is adjudicated if its clocks never stop; None where none is."""
    warned_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the two were told that it will be."""
    adjudicated: bool = False
    """Whether its game was adjudicated."""
    first_points: float | None = None
    second_points: float | None = None
    """What each got for it; None while that is not known, or if it no longer counts."""
    first_thought: int | None = None
    second_thought: int | None = None
    """Seconds of thinking time of each in their game; None while it goes on, and where not measured."""
