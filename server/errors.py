"""The server's refusals. Each message is a sentence for the player, emailed and shown unchanged.

A sentence that names options or commands is a function of the place where it is read (see `wording.Spoken`).

::

    Refused
    ├── NotYours        the player has no seat in this game, or may not do this
    ├── NotYourTurn     another seat has to move
    ├── StaleReply      the reply answers an earlier turn (names both turns)
    │   ├── TakenBackTurn   that turn was taken back
    │   └── LostTurn        that turn was lost when the database was restored
    ├── GameOver        the game has ended
    ├── NotRunning      the game has not started
    └── BadRequest      a name, an option or a command that cannot be used
        ├── NothingWritten  an email without any text of its sender
        ├── Impossible      no other text would help now, such as a hint in a rated game
        ├── LeftOut         an email with a command in a place where Nabu reads none
        ├── NotUnderstood   the first line is neither a move nor a command
        ├── BreaksOff       the line after a move may belong to it, but cannot be read
        └── Unclear         the email may mean something else, too

`docs/mail.md` lists the answer to each of them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from server.wording import Spoken


class Damaged(Exception):
    """The log of a game does not match its hashes. The game stops until an administrator fixes it."""

    def __init__(self, game: int | None, what: str) -> None:
        super().__init__(
            f"The log of game {game} is damaged, so Nabu did nothing. The administrator of this server has "
            "been notified. Your time does not run out in the meantime."
        )
        self.game, self.what = game or 0, what


class Refused(Spoken):
    """An action was refused and changed nothing; `str(error)` says why, and how to do it right."""


class NotYours(Refused):
    """The player has no seat in the game, or one that may not do this."""


class NotYourTurn(Refused):
    """Another seat has to move."""


class StaleReply(Refused):
    """The reply answers an earlier turn or, if the turn is 0, the invitation."""

    def __init__(self, meant: int, now: int) -> None:
        super().__init__(self._reason(meant, now))
        self.meant = meant
        self.now = now

    def _reason(self, meant: int, now: int) -> str:
        answered = f"turn {meant}, but it" if meant else "the invitation, but the game has started: it"
        return f"This answers {answered} is now turn {now}."


class TakenBackTurn(StaleReply):
    """The reply answers a turn that was taken back, or the number of the takeback."""

    def _reason(self, meant: int, now: int) -> str:
        return f"Turn {meant} was taken back. It is now turn {now}."


class LostTurn(StaleReply):
    """The reply answers a turn that a restore of the database has removed; another may have its number."""

    def _reason(self, meant: int, now: int) -> str:
        return "That turn was lost in a restore. This is the board now."


class GameOver(Refused):
    """The game has ended."""


class NotRunning(Refused):
    """The game has not started, or never will."""


class BadRequest(Refused):
    """A name, an option or a command that cannot be used."""


class NothingWritten(BadRequest):
    """The email has no text of its sender."""


class Impossible(BadRequest):
    """Nothing that the sender could write differently would help now."""


class LeftOut(BadRequest):
    """The email has a command in a place where Nabu reads none; to carry out only the rest would be a guess."""


class NotUnderstood(BadRequest):
    """The first line of an email is neither a move nor a command."""

    def __init__(self, message: str, line: str) -> None:
        super().__init__(message)
        self.line = line


class BreaksOff(NotUnderstood):
    """The line directly below a move may belong to it; to play the move alone would be a guess."""


class Unclear(BadRequest):
    """Another line of the email may be a move or a command, too; to choose one would be a guess."""

    def __init__(self, message: str, choices: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.choices = tuple(choices)


def may_be_retried(problem: Exception) -> bool:
    """Return whether the sender may succeed by writing something else, such as a legal move."""
    return not isinstance(problem, (Damaged, GameOver, Impossible, NotRunning, NotYourTurn))


@contextmanager
def refusing(wrong: type[Exception]) -> Iterator[None]:
    """Turn errors of this class, whose text is a sentence for the player, into BadRequest."""
    try:
        yield
    except wrong as error:
        raise BadRequest(error.sentence if isinstance(error, Spoken) else str(error)) from None
