"""Players, their email addresses, sessions, passkeys, API tokens and relations."""

# No `from __future__ import annotations` here: SQLModel reads the annotations as they are.

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Index, text
from sqlmodel import Field, SQLModel

from server.store.models.columns import NUMBERED, Id, JsonColumn, UtcDateTime, refers

_SAID_SO = text("complained_at IS NOT NULL")


class Player(SQLModel, table=True):
    """A person or a computer player."""

    __table_args__ = (
        Index("ix_player_computer", "id", sqlite_where=text("computer = 1"), postgresql_where=text("computer")),
        Index("ix_player_complained_at", "complained_at", sqlite_where=_SAID_SO, postgresql_where=_SAID_SO),
        NUMBERED,
    )

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    name: str
    name_key: str = Field(unique=True)
    """The case-folded name, for look-ups."""
    name_shape: str = Field(unique=True, index=True)
    """A text that is equal for names that look alike (see `accounts.names`), so they are taken."""
    email: str = ""
    """The main address; "" for computer players and for stand-ins (see `players.stand_in`)."""
    zone: str = ""
    """Their time zone; "" until they choose one, or log in with a browser that knows it. See `players.zone`."""
    bio: str = ""
    """A public line about themselves; "" for none."""
    languages: str = ""
    """Their languages, separated by commas; "" for none."""
    computer: bool = False
    strength: int | None = Field(default=None, unique=True, index=True)
    """The level of a computer player, as in `rules.strengths`; None for people."""
    mail_stopped: bool = False
    """Set by `stop` or a complaint: no email except answers to their own emails."""
    complained_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they last reported an email from Nabu as spam."""
    suspended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when email to them is suspended because of bounces; an email from their address ends it."""
    bounce_score: int = 0
    """Points for bounces in a window that starts at `bounced_at`."""
    bounced_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    login_serial: int = 0
    """The number of their latest login, so that a login link works only once."""
    reminders: str = "half, day"
    """When to send reminders, as `clock.reminders` writes it."""
    reminded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    digest: str = "off"
    """When to send digests, as `clock.digests` writes it."""
    digest_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    """When the next digest is due; None without digests."""
    auto_vacation: bool = False
    """Whether the server uses vacation days when they are out of time."""
    forced_moves: bool = False
    """Whether their only legal move is played automatically."""
    choices: dict[str, str] = Field(default_factory=dict, sa_column=Column(JsonColumn, nullable=False))
    """The values of their preferences by name (see `accounts.choices`)."""
    channel_id: int | None = Field(default=None, sa_column=Column(Id, nullable=True, index=True))
    """The channel for notifications beside email (see `channels`); None for none."""
    feed_key: str | None = Field(default=None, unique=True, index=True)
    """The secret part of their private feed and calendar addresses; None for none."""
    created_at: datetime = Field(sa_type=UtcDateTime)
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When they first acted themselves; None for a person who was only invited."""


class Address(SQLModel, table=True):
    """A normalised email address from which a player can send moves."""

    email: str = Field(primary_key=True)
    player_id: int = Field(sa_column=refers("player", index=True))
    logs_in: bool = True
    """Whether the address can also log in and change the account."""
    since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it was added; None for addresses older than this column, and for restored ones."""
    usual_lines: list[list[Any]] | None = Field(default=None, sa_column=Column(JsonColumn, nullable=True))
    """Marks of the lines around the commands in its latest emails (see `inbound.usual_lines`)."""


class Login(SQLModel, table=True):
    """A session of a player in a browser, such as “Firefox on Android”; it ends when this row is deleted."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    number: int = Field(primary_key=True)
    """The number among the player's logins, which is also in the cookie."""
    browser: str
    """The browser in words: "Firefox on Android"."""
    since: datetime = Field(sa_type=UtcDateTime)
    seen_at: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it was last used, with an accuracy of an hour."""


class Passkey(SQLModel, table=True):
    """A passkey of a player (see `accounts.login.passkeys`)."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    number: int = Field(primary_key=True)
    """The number among the player's passkeys."""
    credential: str = Field(unique=True, index=True)
    """The ID that the device uses, in base64 like the public key."""
    public_key: str
    sign_count: int = Field(sa_column=Column(Id, nullable=False))
    """The usage counter of the device; many devices always send 0."""
    name: str
    added_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it was last used to log in."""


class Change(SQLModel, table=True):
    """A change of a player's account that needs confirmation (see `accounts.account_changes`)."""

    __table_args__ = NUMBERED

    id: int | None = Field(default=None, sa_column=Column(Id, primary_key=True))
    player_id: int = Field(sa_column=refers("player", index=True))
    what: str
    """`add` an address, make one the `main` address, or `delete` the account."""
    email: str = ""
    """The new address; "" for a deletion."""
    old_agrees: bool = False
    """Whether the player's main address has confirmed it."""
    new_agrees: bool = False
    """Whether the new address has confirmed it."""
    asked_at: datetime = Field(sa_type=UtcDateTime)
    told_at: datetime = Field(sa_type=UtcDateTime)
    """When the last reminder was sent to the main address."""
    due_at: datetime = Field(sa_type=UtcDateTime, index=True)
    """When it lapses, or takes effect if only the main address has not answered."""
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it took effect, was cancelled or lapsed; the row stays for a while for the limit of changes."""


class Relation(SQLModel, table=True):
    """Another player whom a player ignores or blocks."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    other_id: int = Field(sa_column=refers("player", primary_key=True, index=True))
    blocked: bool
    """Whether the other player is blocked, not only ignored."""


class ApiToken(SQLModel, table=True):
    """An API token, valid until this row is deleted (see `accounts.login.api_tokens`)."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    number: int = Field(primary_key=True)
    """The number among the player's tokens."""
    fingerprint: str = Field(unique=True, index=True)
    """The SHA-256 of the token; the token itself is not stored."""
    name: str
    made_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it was last used, with an accuracy of an hour."""


class ApiAnswer(SQLModel, table=True):
    """A stored response to an API request, for repetitions of the same request."""

    player_id: int = Field(sa_column=refers("player", primary_key=True))
    key: str = Field(primary_key=True)
    """The `Idempotency-Key` of the request."""
    fingerprint: str
    """The SHA-256 of the request."""
    sealed: bytes
    """The body of the response."""
    at: datetime = Field(sa_type=UtcDateTime, index=True)
