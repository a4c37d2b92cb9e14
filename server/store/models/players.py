"""Who plays, the addresses from which they write, and what lets them and their programs in."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime

from sqlalchemy import Column, Index, text
from sqlmodel import Field, SQLModel

from server.store.models.columns import NUMBERED, Id, JsonColumn, UtcDateTime, refers

_SAID_SO = text("complained_at IS NOT NULL")


class Player(SQLModel, table=True):
    """A person, or one of the computer players."""

    __table_args__ = (
        Index("ix_player_computer", "id", sqlite_where=text("computer = 1"), postgresql_where=text("computer")),
        Index("ix_player_complained_at", "complained_at", sqlite_where=_SAID_SO, postgresql_where=_SAID_SO),
        NUMBERED,
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    name: str
    name_key: str = Field(unique=True)
    """The name with case folded, by which they are found."""
    name_shape: str = Field(unique=True, index=True)
    """What names that look like theirs have in common (see `lookalikes`): nobody else can have such a name."""
    email: str = ""
    """Where their mail goes; "" for computer players, and for those who stand in for others (see `company`)."""
    zone: str = "UTC"
    bio: str = ""
    """What they tell everybody about themselves, a line; "" for nothing."""
    languages: str = ""
    """Those they speak, as they name them, with commas between; "" if they name none."""
    computer: bool = False
    strength: int | None = Field(default=None, unique=True, index=True)
    """How strong a computer player is, as in `rules.strengths`; None for people."""
    mail_stopped: bool = False
    """Set by `stop` or a complaint: no mail but answers to their own mails."""
    complained_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When a mail of ours was last reported as unwanted by them."""
    suspended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when nothing is mailed to them because their mail bounced; undone by a mail from their address."""
    bounce_score: int = 0
    """Points for mails that bounced within a window that began at `bounced_at`."""
    bounced_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    login_serial: int = 0
    """The number of their latest login, so that a mailed link works once."""
    reminders: str = "half, day"
    """When they are reminded of moves that they owe, as `clock.reminders` writes it."""
    reminded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    digest: str = "off"
    """When they are mailed everything that happened in one go, as `clock.digests` writes it."""
    digest_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When their next digest comes; None when each turn is mailed to them."""
    auto_vacation: bool = False
    """Whether the server spends vacation for them when their time is up."""
    forced_moves: bool = False
    """Whether a move of theirs is played at once if the rules allow no other."""
    choices: dict[str, str] = Field(default_factory=dict, sa_column=Column(JsonColumn, nullable=False))
    """What they have chosen, by the name of the choice (see `accounts.choices`)."""
    channel_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """Where they are told their turns besides by mail (see `channels`); None for nowhere."""
    feed_key: str | None = Field(default=None, unique=True, index=True)
    """The secret part of their private addresses of a feed and a calendar; None for none."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they first did something themselves; None for someone who was only invited."""


class Address(SQLModel, table=True):
    """An email address of a player, normalised. From each of them they can send moves."""

    email: str = Field(primary_key=True)
    player_id: int = Field(sa_column=refers("player", index=True))
    logs_in: bool = True
    """Whether the player can also log in from there, and change their account."""
    since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it became theirs; None for addresses older than this column, and for those that came back."""


class Login(SQLModel, table=True):
    """A browser in which a player is logged in, until this row is gone."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    number: int = Field(primary_key=True)
    """Among the player's logins; their cookie says it, too."""
    browser: str
    """What it is used with, in words: "Firefox on Android"."""
    since: datetime = Field(sa_type=UtcDateTime)
    seen_at: datetime = Field(sa_type=UtcDateTime, index=True)
    """When a page was last visited with it, give or take an hour."""


class Passkey(SQLModel, table=True):
    """What a device of a player's proves itself with when they log in (see `accounts.passkeys`)."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    number: int = Field(primary_key=True)
    """Among the player's passkeys."""
    credential: str = Field(unique=True, index=True)
    """By what their device knows it; in base64, like its public key."""
    public_key: str
    sign_count: int = Field(sa_column=Column(Id, nullable=False))
    """How often the device says it was used; always 0 with many."""
    name: str
    added_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it last logged the player in."""


class Change(SQLModel, table=True):
    """A change of a player's account that waits until it is confirmed (see `accounts.changes`)."""

    __table_args__ = NUMBERED

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    player_id: int = Field(sa_column=refers("player", index=True))
    what: str
    """`add` an address, make one the `main` address, or `delete` the account."""
    email: str = ""
    """The address that it is about; "" for none."""
    old_agrees: bool = False
    """Whether it was confirmed at the player's main address."""
    new_agrees: bool = False
    """Whether it was confirmed at the address that it is about."""
    asked_at: datetime = Field(sa_type=UtcDateTime)
    told_at: datetime = Field(sa_type=UtcDateTime)
    """When the player was last reminded of it at their main address."""
    due_at: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it lapses; or is made, if only the main address has not answered."""
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it was made, cancelled or had lapsed; it is kept for a while, so that changes can be counted."""


class Relation(SQLModel, table=True):
    """Somebody whose talk a player does not want to hear."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    other_id: int = Field(sa_column=refers("player", primary_key=True, index=True))
    blocked: bool
    """Whether they do not want to play with them either."""


class ApiToken(SQLModel, table=True):
    """What lets a program act for a player until this row is gone (see `accounts.api_tokens`)."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    number: int = Field(primary_key=True)
    """Among the player's tokens."""
    fingerprint: str = Field(unique=True, index=True)
    """The SHA-256 of the token, which itself is kept nowhere."""
    name: str
    made_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When a program last came with it, give or take an hour."""


class ApiAnswer(SQLModel, table=True):
    """What a program was answered when it did something, for when it asks for the same again."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    key: str = Field(primary_key=True)
    """What the program calls the request: its `Idempotency-Key`."""
    fingerprint: str
    """The SHA-256 of the request."""
    sealed: bytes
    """The body of the answer."""
    at: datetime = Field(sa_type=UtcDateTime, index=True)
