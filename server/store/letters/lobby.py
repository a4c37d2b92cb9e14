"""The letters that open games put: who comes and goes there."""

from dataclasses import dataclass

from server.store.letters.letter import Letter


@dataclass(frozen=True)
class TableChanged(Letter):
    """A player of this name joined an open game of the receiver's, or left it."""

    game: int
    by: str
    joined: bool

    @property
    def actor(self) -> str:
        return self.by


@dataclass(frozen=True)
class TableClosed(Letter):
    """An open game that the receiver had joined was closed by the player who had opened it."""

    game: int
    by: str

    @property
    def actor(self) -> str:
        return self.by
