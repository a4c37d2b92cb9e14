"""Games, their seats and logs, and what is written or given in them."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from server.store.models.columns import NUMBERED, Id, Json, JsonColumn, ReadableColumn, UtcDateTime, refers

SHOW_READY = "show-ready"
"""The term that says whether others may know whose secret orders are in."""
_BY_ADDRESS = text("invited_as != ''")


class Game(SQLModel, table=True):
    """One match. `position`, `memory` and `rolled` are derived from log and seed, the rest is not."""

    __table_args__ = (Index("ix_game_state_changed_at", "state", "changed_at"), NUMBERED)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_type: str
    rules_version: int
    options: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    setup: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    sealed_seed: bytes
    """The 32 bytes from which dice, layout and seats are drawn."""
    seed_hash: str
    """SHA-256 of the seed, in hexadecimal: public before anything is drawn; "" for a game begun elsewhere."""
    asked: list[int] = Field(sa_column=Column(JsonColumn, nullable=False))
    """The players' numbers in the order in which they were named, before the lot gave them seats."""
    again_of: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The game of which this is the rematch."""
    counter_of: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The game in place of which somebody who was invited to it proposed this one."""
    offer: Json | None = Field(default=None, sa_column=Column(JsonColumn, nullable=True))
    """For an open game that opens again: how many at once, and its options, as in `offers.offer`."""
    offer_of: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The first game of that offer; None for the first one, and for games without."""
    offer_due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """Since when to see whether it is to be opened again; None if it need not be."""
    series_of: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The first game of the series that it goes on with; None for the first one, and outside of series."""
    series_place: int = 1
    """Which game of its series it is."""
    series_ended: bool = False
    """Whether no game follows it, though more were agreed."""
    next_due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """Since when the next game of its series is to begin; None if none is to."""
    tournament_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The tournament that it belongs to."""
    terms: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """What was agreed besides the options of the rules, as in `terms.GameTerms`."""
    private: bool = False
    """Whether its terms say that it is shown to its players alone."""
    anonymous: bool = False
    """Whether its terms say that nobody is told who plays until it is over."""
    wanted: Json = Field(default_factory=dict, sa_column=Column(JsonColumn, nullable=False))
    """Whom it wants as long as it is open, as in `wanted.Wanted`; {} for anybody."""
    computers_join_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When computer players take the seats that are free in it as long as it is open; None for never."""
    state: str = "invited"
    """`invited` until all have accepted, then `running`, then `over`; `declined` if someone did not want to.

    Or `open` to those whom it wants until all seats are taken; `closed` if nobody waits there any more.
    """
    turn: int = 1
    """The number of the turn to be played, from 1: one more than were played."""
    entries: int = 0
    """How many entries the log has."""
    head: str = ""
    """The hash of the last entry of the log."""
    position: Json = Field(sa_column=Column(ReadableColumn, nullable=False))
    memory: list[str] = Field(sa_column=Column(ReadableColumn, nullable=False))
    rolled: list[int] | None = Field(default=None, sa_column=Column(ReadableColumn, nullable=True))
    """The dice rolled for the turn to be played, where the game has dice."""
    checksum: str | None = None
    """The checksum of these three, at this turn (see `game.positions`); None if left by an earlier version."""
    result: Json | None = Field(default=None, sa_column=Column(JsonColumn, nullable=True))
    resolve_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When orders that are all in are opened, if the game leaves time to change them."""
    turn_began_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when the turn to be played is owed."""
    stale_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to look whether the game is still being played at all; None when it is not running."""
    count_due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """Since when it has to be counted, or counted again (see `counting`); None if it need not be."""
    serial: int | None = Field(default=None, unique=True, index=True)
    """In which order it was counted; None if it was not."""
    news_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """From when on those who watch it are to be told of something; None if there is nothing."""
    tournament_due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """Since when it is to be counted in its tournament; None before it is over, and once it has been."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    changed_at: datetime = Field(sa_type=UtcDateTime)
    """When the last turn was played, or the game last answered, or since when it is over."""
    version: int = 0
    """Rises with everything that changes for all who may see the game (`store/version_counters.py`)."""
    chat_version: int = 0
    """Rises when a spectator says something."""

    @property
    def shows_ready(self) -> bool:
        """Whether its terms say that others may know whose secret orders are in."""
        return bool(self.terms.get(SHOW_READY, "on") == "on")


class Seat(SQLModel, table=True):
    """Who plays what in a game."""

    __table_args__ = (
        Index("ix_seat_player_id_game_id", "player_id", "game_id"),
        Index("ix_seat_player_id_over_at", "player_id", "over_at", "game_id"),
        Index("ix_seat_owes_player_id", "owes", "player_id"),
        Index("ix_seat_invited_as", "invited_as", sqlite_where=_BY_ADDRESS, postgresql_where=_BY_ADDRESS),
    )

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    number: int = Field(primary_key=True)
    player_id: int = Field(sa_column=refers("player"))
    accepted: bool = False
    joined_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they joined an open game of another player; None where they were named, or named others."""
    agreed: bool = False
    """Whether they want an open game to begin with those who sit there."""
    invited_as: str = ""
    """The address by which the challenger named them; "" where that was their name, and once the game began."""
    client_seed: str = ""
    """Their own words, mixed into everything that is drawn; "" for none."""
    owes: bool = False
    """Whether the game waits for them now: only one that runs does."""
    thinking_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Until when a process thinks about the move that a computer player owes; None while none does."""
    bank: int = 0
    """Seconds in the bank when the turn began, where the game has banks."""
    thought: int | None = None
    """Seconds of thinking time in all turns before this one, in a tournament; None where not measured."""
    misses: int = 0
    """Turns in a row that were played without their orders."""
    zone: str = "UTC"
    """Their time zone when the turn began."""
    deadline_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the move that they owe is due; derived, like the two after it."""
    grace_until: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When the server has to act on their silence."""
    remind_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    reminded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they were last reminded of this game."""
    outcome: str = ""
    """What the result is for them, as in `Result.outcome`; "" while there is none."""
    over_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when their game is over, or was declined; None for all others."""
    overdue: bool = False
    """Whether their time is up and an opponent may claim the game."""
    absent_turn: int | None = None
    """The turn that will be played without them because their time for it was up."""
    heard_turn: int | None = None
    """The last turn in which they wrote anything valid: then a missed turn is not counted."""
    stood_turn: int | None = None
    """The last turn in which their time was up, but then stood still, and the others were told."""
    muted_until: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """Until when they want no mail about this game."""
    channel_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """Where they are told their turns in this game, in place of where they are told others; None for there."""
    undo_of: int | None = None
    """The turn that they ask to have taken back, or agree to have taken back; None as soon as a turn begins."""
    sealed_conditions: bytes | None = None
    """Their conditional moves, as `conditions` writes them; None for none."""
    sealed_words: bytes | None = None
    """What they wrote beside their commands and have not decided about; None for nothing."""
    untold_turn: int | None = None
    """The first turn that they were not mailed, 0 for the beginning; None when they were told all."""
    untold_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when all mail about this game is deferred; None when only turns are, until their next report."""
    deferred_until: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When they are told what waits because they were at the game's page; None when nothing does."""
    page_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they last did something on the game's page, other than looking; None once they are not there."""
    seen_turn: int | None = None
    """The turn that was to be played when they last looked at the game's page; None before."""
    seen_message: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """The number of the last thing that had been said by then; None for nothing."""
    sealed_aside: bytes | None = None
    """What reports that were deferred told them alone, as JSON; None for nothing."""
    draw_turn: int | None = None
    """The turn at which they offered a draw; the offer stands until the turn after it is over."""
    version: int = 0
    """Rises with everything that changes for its player, but not for everybody."""
    lists_version: int = 0
    """Rises with whatever of it their lists of games show."""

    def offers_draw(self, turn: int) -> bool:
        """Whether an offer of a draw stands when this turn is to be played."""
        return self.draw_turn is not None and self.draw_turn >= turn - 1


class Entry(SQLModel, table=True):
    """One entry of a game's log: the truth, and public. Written only through `play`, never changed.

    `docs/verify.md` tells what `body` holds and how `hash` chains each entry to the one before.
    """

    __table_args__ = (UniqueConstraint("game_id", "turn"),)

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    number: int = Field(primary_key=True)
    turn: int | None = None
    """The number of the turn, for an entry that is one, or that takes turns back."""
    undone_by: int | None = None
    """For a turn that was taken back: the number of the entry that did so, which has its own number here."""
    body: Json = Field(sa_column=Column(ReadableColumn, nullable=False))
    hash: str
    position: Json | None = Field(default=None, sa_column=Column(ReadableColumn, nullable=True))
    """The position after a turn; derived."""
    checksum: str | None = None
    """The checksum of the position after this turn; None if left by an earlier version."""
    at: datetime = Field(sa_type=UtcDateTime)


class Envelope(SQLModel, table=True):
    """A sealed order set for a turn that is not resolved yet."""

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    turn: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    sealed: bytes
    commitment: str
    written_at: datetime = Field(sa_type=UtcDateTime)


class GameMessage(SQLModel, table=True):
    """What one player said to the others in a game, or noted for themselves."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game", index=True))
    turn: int
    seat: int
    private: bool = False
    """Whether it is a note that only its writer sees."""
    listener: int | None = None
    """The one seat that it is said to; None for all."""
    sealed: bytes
    said_at: datetime = Field(sa_type=UtcDateTime)


class Variation(SQLModel, table=True):
    """A line of a game that a player keeps; moves, comment and link are sealed."""

    __table_args__ = (UniqueConstraint("game_id", "link_hash"),)

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    player_id: int = Field(sa_column=refers("player", primary_key=True))
    number: int = Field(primary_key=True)
    """Among those that they keep of the game."""
    sealed: bytes
    link_hash: str | None = None
    """SHA-256 of the secret part of its link, in hexadecimal; None while only its owner sees it."""


class Pause(SQLModel, table=True):
    """Time that stands still: for a player, for a game or one seat of it, or, with neither, for everybody."""

    __table_args__ = (Index("ix_pause_whose", "player_id", "game_id", "end_at"),)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    player_id: int | None = Field(default=None, sa_column=refers("player", nullable=True))
    game_id: int | None = Field(default=None, sa_column=refers("game", nullable=True, index=True))
    seat: int | None = None
    start_at: datetime = Field(sa_type=UtcDateTime)
    end_at: datetime = Field(sa_type=UtcDateTime, index=True)
    said_at: datetime = Field(sa_type=UtcDateTime)
    """When the server learned of it."""
    why: str
    """As in `clock.pauses.Why`."""


class Gift(SQLModel, table=True):
    """Time that an opponent gave for one turn."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game", index=True))
    turn: int
    seat: int
    """Who was given it."""
    seconds: int
    said_at: datetime = Field(sa_type=UtcDateTime)
