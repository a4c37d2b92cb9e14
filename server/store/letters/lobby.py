"""The letters that open games put: who comes and goes there."""

from dataclasses import dataclass

from server.store.letters.letter import Letter


@dataclass(frozen=True)
class OpenGameChanged(Letter):
    """A player of this name joined an open game of the receiver's, or left it."""

    game: int
    by: str
    joined: bool
    undone: bool = False
    """Whether somebody there had agreed to begin with fewer, and would have to do so again."""

    @property
    def actor(self) -> str:
        return self.by


@dataclass(frozen=True)
class OpenGameClosed(Letter):
    """An open game that the receiver had joined was closed by the player who had opened it."""

    game: int
    by: str

    @property
    def actor(self) -> str:
        return self.by


@dataclass(frozen=True)
class OpenGameExpired(Letter):
    """An open game of the receiver's was closed, as nobody came or went for long."""

    game: int
    command: str
    """What opens a game like it."""


@dataclass(frozen=True)
class StartAsked(Letter):
    """A player of this name wants an open game of the receiver's to begin with those who sit there."""

    game: int
    by: str
    player: int
    """The receiver."""

    @property
    def actor(self) -> str:
        return self.by
