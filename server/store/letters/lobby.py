"""The letters that open games queue."""

from server.store.letters.letter import Letter


class OpenGameChanged(Letter):
    """A notification that the player named `by` has joined or left an open game of the receiver."""

    game: int
    by: str
    joined: bool
    undone: bool = False
    """Whether this cancelled an agreement to start with fewer players."""

    @property
    def actor(self) -> str:
        return self.by


class OpenGameClosed(Letter):
    """A notification that the player who opened a game, which the receiver had joined, has closed it."""

    game: int
    by: str

    @property
    def actor(self) -> str:
        return self.by


class OpenGameExpired(Letter):
    """A notification that an open game of the receiver was closed because no player joined or left for long."""

    game: int
    command: str
    """The command that opens a game like it."""


class StartAsked(Letter):
    """A question from the player named `by`: start an open game with fewer players?"""

    game: int
    by: str
    player: int
    """The receiver."""

    @property
    def actor(self) -> str:
        return self.by
