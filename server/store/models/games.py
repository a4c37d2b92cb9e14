"""Games with their seats, logs, messages and clocks."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from server.store.models.columns import NUMBERED, Id, Json, JsonColumn, ReadableColumn, UtcDateTime, refers

SHOW_READY = "show-ready"
"""The term for whether others can see which players' sealed orders are in."""
_BY_ADDRESS = text("invited_as != ''")


class Game(SQLModel, table=True):
    """A game. `position`, `memory` and `rolled` are derived from log and seed."""

    __table_args__ = (Index("ix_game_state_changed_at", "state", "changed_at"), NUMBERED)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_type: str
    rules_version: int
    options: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    setup: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    sealed_seed: bytes
    """The 32 bytes that determine dice, layout and seats."""
    seed_hash: str
    """SHA-256 of the seed in hexadecimal, public before anything is drawn; "" for an imported game."""
    asked: list[int] = Field(sa_column=Column(JsonColumn, nullable=False))
    """The player numbers in the order of the challenge, before seats are drawn."""
    again_of: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The game of which this is the rematch."""
    counter_of: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The game that this one replaces, for a proposal of other terms."""
    offer: Json | None = Field(default=None, sa_column=Column(JsonColumn, nullable=True))
    """For an open game that reopens: the maximum number and its options, as in `recurring_games.offer`."""
    offer_of: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The first game of that offer; None for the first one, and for games without."""
    offer_due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to check whether to open the game again; None for no check."""
    series_of: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The first game of its series; None for the first one, and for games without a series."""
    series_place: int = 1
    """The number of the game in its series."""
    series_ended: bool = False
    """Whether the series ended early with this game."""
    next_due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to start the next game of its series; None for no next game."""
    tournament_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The tournament of the game."""
    terms: Json = Field(sa_column=Column(JsonColumn, nullable=False))
    """The terms besides the options of the rules, as in `terms.GameTerms`."""
    private: bool = False
    """Whether only its players can see the game; copied from the terms."""
    anonymous: bool = False
    """Whether the names of the players are hidden until the end; copied from the terms."""
    wanted: Json = Field(default_factory=dict, sa_column=Column(JsonColumn, nullable=False))
    """The conditions for joining an open game, as in `entry_conditions.Wanted`; {} for none."""
    computers_join_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When computer players take the free seats of an open game; None for never."""
    state: str = "invited"
    """`invited` until all have accepted, then `running`, then `over`; `declined` if a player declined.

    An open game is `open` until all seats are taken, or `closed` without having started.
    """
    turn: int = 1
    """The number of the current turn, from 1."""
    entries: int = 0
    """The number of entries in the log."""
    head: str = ""
    """The hash of the last entry of the log."""
    position: Json = Field(sa_column=Column(ReadableColumn, nullable=False))
    memory: list[str] = Field(sa_column=Column(ReadableColumn, nullable=False))
    rolled: list[int] | None = Field(default=None, sa_column=Column(ReadableColumn, nullable=True))
    """The dice of the current turn, in games with dice."""
    checksum: str | None = None
    """The checksum of these three at this turn (see `game.log.checksums`); None before the start."""
    result: Json | None = Field(default=None, sa_column=Column(JsonColumn, nullable=True))
    resolve_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When complete orders are opened, if the terms allow time to change them."""
    turn_began_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the current turn started."""
    stale_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to check whether the game is abandoned; None if it is not running."""
    count_due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to count the game for ratings and results, or to count it again; None if not necessary."""
    serial: int | None = Field(default=None, unique=True, index=True)
    """The position in the order of counting; None if it was not counted."""
    news_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to send news to spectators; None if there is none."""
    tournament_due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to count the result in its tournament; None before the end, and once it is counted."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    changed_at: datetime = Field(sa_type=UtcDateTime)
    """The time of the last turn, the last answer to the invitation, or the end."""
    version: int = 0
    """Rises with every change that all viewers of the game can see (`store/version_counters.py`)."""
    chat_version: int = 0
    """Rises with every spectator message."""

    @property
    def shows_ready(self) -> bool:
        """Return whether players can see whose sealed orders are in."""
        return bool(self.terms.get(SHOW_READY, "on") == "on")


class Seat(SQLModel, table=True):
    """A seat of a game: its player, clock and emails."""

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
    """When the player joined an open game of another player; None for the challenger and invited players."""
    agreed: bool = False
    """Whether the player agrees to start an open game with fewer players."""
    invited_as: str = ""
    """The email address in the challenge; "" if the challenger entered a name, and once the game starts."""
    client_seed: str = ""
    """The player's words for luck, which are mixed into everything random; "" for none."""
    owes: bool = False
    """Whether the running game waits for a move of this player."""
    left: bool = False
    """Whether the player is out of a running game in which the others play on: resigned, out of time, or unable
    to move. Derived, like `owes`."""
    thinking_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the lease of the process that computes the move of a computer player ends; None for no lease."""
    bank: int = 0
    """Seconds in the time bank at the start of the turn, in games with banks."""
    thought: int | None = None
    """Seconds of thinking time in all earlier turns, in a tournament; None if not measured."""
    misses: int = 0
    """The number of turns in a row without orders from the player."""
    zone: str = "UTC"
    """The player's time zone at the start of the turn."""
    deadline_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """The deadline of the owed move; derived, like the next two."""
    grace_until: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When the server acts on a missed deadline."""
    remind_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    reminded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the last reminder of this game was sent."""
    outcome: str = ""
    """The result for this player, as in `Result.outcome`; "" while there is none."""
    over_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the game ended or was declined; None otherwise."""
    overdue: bool = False
    """Whether the player is out of time and an opponent can claim the game."""
    absent_turn: int | None = None
    """The turn that will be played without the player, who has missed its deadline."""
    heard_turn: int | None = None
    """The last turn in which the player sent a valid command; then a missed turn does not count."""
    stood_turn: int | None = None
    """The last turn in which the clock was paused after the deadline and the others were notified."""
    muted_until: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When the mute of this game ends."""
    channel_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The channel for notifications of this game; None for the player's usual one."""
    proposals: dict[str, int] = Field(default_factory=dict, sa_column=Column(ReadableColumn, nullable=False))
    """The player's proposals and agreements (`server/game/play/proposals.py`), each with a turn: they end when
    a later turn starts. A takeback has the turn to take back."""
    sealed_conditions: bytes | None = None
    """The player's conditional moves, as `conditional_moves` writes them; None for none."""
    sealed_words: bytes | None = None
    """Extra text beside the player's commands that waits for their decision; None for none."""
    unreported_turn: int | None = None
    """The first turn without a report to the player, 0 for the start of the game; None for none."""
    deferred_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when all emails about this game are deferred; None if only turns are, until the next report."""
    deferred_until: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When to send emails that were deferred because the player was at the game's page; None for none."""
    page_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the player last acted on the game's page; None once they have left it."""
    seen_turn: int | None = None
    """The current turn when the player last looked at the game's page; None before."""
    seen_message: int | None = Field(default=None, sa_column=Column(Id, nullable=True))
    """The number of the last message at that time; None for none."""
    sealed_aside: bytes | None = None
    """The deferred parts of reports that are only for this player, as JSON; None for none."""
    version: int = 0
    """Rises with every change that its player, but not everyone, can see."""
    lists_version: int = 0
    """Rises with every change that is also in the player's lists of games."""

    def propose(self, name: str, turn: int) -> None:
        """Store a proposal or an agreement."""
        self.proposals = {**self.proposals, name: turn}

    def end_proposals(self, turn: int) -> None:
        """End the proposals that are no longer valid in this turn, and all of a player who has left."""
        valid = {name: last for name, last in self.proposals.items() if last >= turn and not self.left}
        if valid != self.proposals:
            self.proposals = valid


class Entry(SQLModel, table=True):
    """An entry of a game's log, which is public. Written only by `play`, and never changed.

    See `docs/verify.md` for the content of `body` and the chain of hashes.
    """

    __table_args__ = (UniqueConstraint("game_id", "turn"),)

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    number: int = Field(primary_key=True)
    turn: int | None = None
    """The number of the turn, for a turn or a takeback."""
    undone_by: int | None = None
    """The number of the entry with the takeback, for a turn that was taken back and for the takeback itself."""
    body: Json = Field(sa_column=Column(ReadableColumn, nullable=False))
    hash: str
    position: Json | None = Field(default=None, sa_column=Column(ReadableColumn, nullable=True))
    """The position after a turn; derived."""
    checksum: str | None = None
    """The checksum of the position after this turn; None for other entries."""
    at: datetime = Field(sa_type=UtcDateTime)


class Envelope(SQLModel, table=True):
    """The sealed orders of a seat for a turn that is not resolved yet."""

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    turn: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    sealed: bytes
    commitment: str
    written_at: datetime = Field(sa_type=UtcDateTime)


class GameMessage(SQLModel, table=True):
    """A message or a private note of a player in a game."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game", index=True))
    turn: int
    seat: int
    private: bool = False
    """Whether it is a note that only its author sees."""
    listener: int | None = None
    """The seat of the only recipient; None for all."""
    sealed: bytes
    said_at: datetime = Field(sa_type=UtcDateTime)


class Variation(SQLModel, table=True):
    """A line of moves that a player has saved; moves, comment and link are sealed."""

    __table_args__ = (UniqueConstraint("game_id", "link_hash"),)

    game_id: int = Field(sa_column=refers("game", primary_key=True))
    player_id: int = Field(sa_column=refers("player", primary_key=True))
    number: int = Field(primary_key=True)
    """The number among the player's lines of the game."""
    sealed: bytes
    link_hash: str | None = None
    """SHA-256 of the secret part of its link, in hexadecimal; None if it is not shared."""


class Pause(SQLModel, table=True):
    """A pause of clocks: of a player, of a game or one of its seats, or, without both, of all players."""

    __table_args__ = (Index("ix_pause_whose", "player_id", "game_id", "end_at"),)

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    player_id: int | None = Field(default=None, sa_column=refers("player", nullable=True))
    game_id: int | None = Field(default=None, sa_column=refers("game", nullable=True, index=True))
    seat: int | None = None
    start_at: datetime = Field(sa_type=UtcDateTime)
    end_at: datetime = Field(sa_type=UtcDateTime, index=True)
    said_at: datetime = Field(sa_type=UtcDateTime)
    """When the server was informed of it."""
    why: str
    """The reason, as in `clock.pauses.Why`."""


class Gift(SQLModel, table=True):
    """Extra time from an opponent for one turn."""

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    game_id: int = Field(sa_column=refers("game", index=True))
    turn: int
    seat: int
    """The seat that gets the time."""
    seconds: int
    said_at: datetime = Field(sa_type=UtcDateTime)
