"""The letters about people and their mail that accounts put."""

from dataclasses import dataclass

from server.store.letters.letter import Letter, Moment


@dataclass(frozen=True)
class Welcome(Letter):
    """A new player."""

    subject = "Welcome to Nabu"
    is_owed = True

    name: str
    player: int = 0
    """Whose guided game it shows; 0 for nobody's."""


@dataclass(frozen=True)
class LoginLink(Letter):
    """The link that logs a player in."""

    subject = "Your link to Nabu"
    is_answer = True

    player: int


@dataclass(frozen=True)
class RegisterLink(Letter):
    """The link that makes somebody a player."""

    subject = "Become a player"

    email: str
    name: str


@dataclass(frozen=True)
class ChangeAsked(Letter):
    """A change of an account waits until it is confirmed where this goes."""

    subject = "Please confirm"

    change: int
    """Its number."""
    what: str
    """As `Change.what` has it."""
    name: str
    """Whose account it is."""
    email: str
    """The address that it is about; "" for none."""
    to: str
    """Where this goes: that address, or the player's main one."""
    due: Moment
    """When it lapses; or, if only the main address has not answered, is made."""
    zone: str


@dataclass(frozen=True)
class AccountChanged(Letter):
    """A change of who can use the receiver's account (see `accounts.access`)."""

    subject = "Your account was changed"

    player: int
    act: str
    """The name of the act."""
    what: str
    """The name or address that it is about; "" for none."""
    where: str
    """How it was done: "in Firefox on Android", "by an email from ann@example.org"."""
    at: Moment
    main: str
    """The player's main address then, to which this goes."""
    removed_logs_in: bool = False
    """Whether an address that was removed could log in."""


@dataclass(frozen=True)
class BrowserClosed(Letter):
    """Nothing was taken where the receiver was told their turns in a browser, or the server has another key."""

    subject = "A browser no longer shows your turns"

    browser: str
    span: str
    """For how long, in words; "" if it is because of the key."""


@dataclass(frozen=True)
class ChannelClosed(Letter):
    """Nothing was taken where the receiver was told their turns besides by mail, or that is gone."""

    subject = "Your turns are told by email only"

    service: str
    span: str
    """For how long, in words; "" if the service says that the channel is gone."""
