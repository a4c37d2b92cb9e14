"""The functions that carry out commands, for emails about games and for emails to the plain address."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from server.actions.action import Action
from server.commands.word import Word
from server.inbound.reply import Reply
from server.inbound.request import AccountMail

MailT = TypeVar("MailT")
Handler = Callable[[MailT, str], None]
"""Carries out a command of an email, given the text after its word."""


class Handlers(Generic[MailT]):
    """The functions that carry out the commands in one kind of email, by command."""

    def __init__(self) -> None:
        self.by_word: dict[Word, Handler[MailT]] = {}

    def handles(self, word: Word) -> Callable[[Handler[MailT]], Handler[MailT]]:
        """Return a decorator that makes a function the handler of a command.

        Raises ValueError if the command already has one.
        """

        def add(handler: Handler[MailT]) -> Handler[MailT]:
            if word in self.by_word:
                raise ValueError(f"{word} has a handler already")
            self.by_word[word] = handler
            return handler

        return add

    def __or__(self, other: "Handlers[MailT]") -> "Handlers[MailT]":
        """Return the handlers of both. Raises ValueError if a command has one in each."""
        both = Handlers[MailT]()
        for word, handler in (*self.by_word.items(), *other.by_word.items()):
            both.handles(word)(handler)
        return both

    def check(self, words: Iterable[Word]) -> None:
        """Raise LookupError unless each of these commands, and no other, has a handler."""
        wanted = set(words)
        if lacking := ", ".join(sorted(word.word for word in wanted - self.by_word.keys())):
            raise LookupError(
                f"commands without a handler: {lacking}. Add the action of each to ACTIONS in its module in "
                "server/actions, or a handler to a module in server/inbound/handlers."
            )
        if lost := ", ".join(sorted(word.word for word in self.by_word.keys() - wanted)):
            raise LookupError(
                f"handlers without a command: {lost}. Add each command to IN_GAMES in "
                "server/commands/game_words.py, or to OF_ACCOUNTS in account_words.py."
            )


def carrying_out(action: Action[Any, Any]) -> Callable[[AccountMail | Reply, str], None]:
    """Return a handler that carries out this action and answers with its result."""
    return lambda mail, text: mail.confirm(action.carry_out_text(mail.actor, text))
