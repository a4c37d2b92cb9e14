"""The letters about people and their mail that are put below the games, or counted there."""

from dataclasses import dataclass

from server.store.letters.letter import Letter


@dataclass(frozen=True)
class Welcome(Letter):
    """A new player."""

    subject = "Welcome to Nabu"
    is_owed = True

    name: str


@dataclass(frozen=True)
class Games(Letter):
    """The games of a player."""

    subject = "Your games"
    is_answer = True

    player: int


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
class Asked(Letter):
    """A mail is not certainly from whom it says: was it they?"""

    subject = "Was this you?"
    is_answer = True

    sender: str
    mail: int
    """Its number in the inbox."""
    read: list[str]
    """What stands in it, or no more than its commands where it is to a stranger."""
    known: bool = False
    """Whether it is from an address of theirs, if it is from where it says."""
