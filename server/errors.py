"""What the server refuses. Each message is a sentence for the player, mailed and shown as it stands.

One that names options or commands is given as a function of where it is read (see `spoken`).

::

    Refused
    ├── NotYours        they have no seat in this game, or it is not theirs to do
    ├── NotYourTurn     another seat is to move
    ├── StaleReply      the reply answers a turn that is over (names both turns)
    ├── GameOver        the game has ended
    ├── NotRunning      the game has not begun
    └── BadRequest      a name, an option, a command that cannot be used
        ├── NothingWritten  a mail without a word of the writer's own
        ├── LeftOut         a mail with a command where none is read, which may be the writer's
        ├── NotUnderstood   its first line is neither a move nor a command
        ├── BreaksOff       a move whose next line may belong to it, and cannot be read
        └── Unclear         besides what was read, something else may be meant

`docs/mail.md` says which answer each of them gets by mail.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from server.wording import Spoken


class Damaged(Exception):
    """The log of a game does not match its hashes: nothing is played until an administrator has fixed it."""

    def __init__(self, game: int | None, what: str) -> None:
        super().__init__(
            f"The log of game {game} is damaged, so nothing was done. The administrator of this server has "
            "been told; your time will not run out in the meantime."
        )
        self.game, self.what = game or 0, what


class Refused(Spoken):
    """Nothing was changed; `str(error)` says why and what would be right."""


class NotYours(Refused):
    """Someone who has no seat in the game, or a seat that may not do this."""


class NotYourTurn(Refused):
    """Another seat is to move."""


class StaleReply(Refused):
    """A reply to a turn that is over or, if the turn is 0, to the invitation."""

    def __init__(self, meant: int, now: int) -> None:
        answered = f"turn {meant}, but it" if meant else "the invitation, but the game has begun: it"
        super().__init__(f"This answers {answered} is now turn {now}. Nothing was played.")
        self.meant = meant
        self.now = now


class GameOver(Refused):
    """The game has ended."""


class NotRunning(Refused):
    """The game has not begun, or never will."""


class BadRequest(Refused):
    """A name, an option or a command that cannot be used."""


class NothingWritten(BadRequest):
    """A mail in which the writer says nothing."""


class LeftOut(BadRequest):
    """A mail with a command where none is read, which may be the writer's: doing the rest would be a guess."""


class NotUnderstood(BadRequest):
    """A line, the first of a mail, that is neither a move nor a command."""

    def __init__(self, message: str, line: str) -> None:
        super().__init__(message)
        self.line = line


class BreaksOff(NotUnderstood):
    """A line right below a move that may belong to it: playing the move alone would be a guess."""


class Unclear(BadRequest):
    """Besides what was read, a line may be another move or a command: what is meant would be a guess."""

    def __init__(self, message: str, choices: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.choices = tuple(choices)


@contextmanager
def refusing(wrong: type[Exception]) -> Iterator[None]:
    """Refuse what raises an error of this sort, whose text is a sentence for the player. Raises BadRequest."""
    try:
        yield
    except wrong as error:
        raise BadRequest(error.sentence if isinstance(error, Spoken) else str(error)) from None
