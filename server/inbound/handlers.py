"""Which function does what a command says: for each command of a place exactly one."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from server.game.commands import Command
from server.game.words import Word

MailT = TypeVar("MailT")
Handler = Callable[[MailT, str], None]
"""Does what a command says in a mail that is being carried out, given what stands behind its word."""


class Handlers(Generic[MailT]):
    """The handlers of the commands of one place."""

    def __init__(self, words: Iterable[Word]) -> None:
        self._words = frozenset(words)
        self._by_word: dict[Word, Handler[MailT]] = {}

    def of(self, *words: Word) -> Callable[[Handler[MailT]], Handler[MailT]]:
        """Make a function the handler of commands; raises ValueError where one has another, or is not known."""

        def add(handler: Handler[MailT]) -> Handler[MailT]:
            for word in words:
                if word not in self._words or word in self._by_word:
                    raise ValueError(f"{word} cannot have this handler: it has another, or is not written here")
                self._by_word[word] = handler
            return handler

        return add

    def check(self) -> None:
        """Raise LookupError when nobody handles a command."""
        missing = ", ".join(sorted(str(word) for word in self._words - self._by_word.keys()))
        if missing:
            raise LookupError(f"nobody handles {missing}")

    def carry_out(self, mail: MailT, command: Command) -> None:
        """Do what a command says."""
        self._by_word[command.word](mail, command.argument)
