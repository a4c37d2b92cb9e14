"""Tournaments, their players and pairings."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from server.store.models.columns import NUMBERED, Id, Json, JsonColumn, UtcDateTime, refers


class Tournament(SQLModel, table=True):
    """A tournament: games with the same type, options and terms."""

    __table_args__ = (Index("ix_tournament_state_id", "state", "id"), NUMBERED)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    name: str
    game_type: str
    options: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """The options of the rules for all games."""
    terms: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """The other terms of all games, as in `terms.GameTerms`."""
    plan: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """The form and its settings, as in `tournaments.plan.TournamentPlan`."""
    made_by: int = Field(sa_column=refers("player", index=True))
    state: str = "open"
    """`open` for sign-up, then `running`, then `over`; or `cancelled`."""
    round: int = 0
    """The last round that has started; always 1 on a running ladder."""
    rounds: int = 0
    """The number of rounds; 0 until it starts."""
    told_round: int = 0
    """The last round whose start was announced to all players."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    closes_at: datetime = Field(sa_type=UtcDateTime)
    """When sign-up ends; once the tournament is running, when it started."""
    ends_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When a running ladder ends; None for other forms."""
    over_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    sealed_lot: bytes | None = None
    """The secret from which equal seeds are drawn."""
    lot_hash: str = ""
    """The SHA-256 of the secret, public from the start of sign-up."""
    lot: str = ""
    """The secret in hexadecimal, public once the tournament has started; "" before, and without a lot."""
    due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When the next action besides counting games is due; None when it is over."""
    version: int = 0
    """Rises with every change on its page (`store/version_counters.py`)."""

    @property
    def room(self) -> int:
        """Return the maximum number of players of the tournament."""
        return int(self.plan["places"].rpartition("-")[2])


class Entrant(SQLModel, table=True):
    """A player in a tournament. The row is deleted if they leave before the start."""

    tournament_id: int = Field(sa_column=refers("tournament", primary_key=True))
    player_id: int = Field(sa_column=refers("player", primary_key=True, index=True))
    number: int
    """The position in the order of joining."""
    seed: int | None = None
    """The seed, from 1, once they play; None on the waiting list."""
    left: bool = False
    """Whether they left after the start."""


class Pairing(SQLModel, table=True):
    """A pairing of two players, or a bye."""

    __table_args__ = (
        UniqueConstraint("tournament_id", "round", "board", "leg"),
        Index("ix_pairing_game_id", "game_id", unique=True),
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    tournament_id: int = Field(sa_column=refers("tournament"))
    round: int
    board: int
    """The number from 1; in a knock-out, the winners of boards 1 and 2 meet at board 1 of the next round."""
    leg: int = 1
    """2 for the second game of a knock-out after a draw in the first one."""
    first_id: int = Field(sa_column=refers("player"))
    second_id: int | None = Field(default=None, sa_column=refers("player", nullable=True))
    """None for a bye."""
    game_id: int | None = Field(default=None, sa_column=refers("game", nullable=True))
    """Their game once it has started; None for a bye, or if one of them left before."""
    adjudicate_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When an unfinished game is adjudicated, unless clocks are paused; None for never."""
    warned_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When both players were notified of the adjudication."""
    adjudicated: bool = False
    """Whether its game was adjudicated."""
    first_points: float | None = None
    second_points: float | None = None
    """The points of each player; None while unknown, or if they no longer count."""
    first_thought: int | None = None
    second_thought: int | None = None
    """Seconds of thinking time of each player; None while the game is running, or if not measured."""
