"""Actions about other players and their games: blocking, ignoring and watching them."""

from collections.abc import Callable
from typing import Any

from pydantic import Field

from server.accounts import relations
from server.actions.action import Action, Actor, Arguments, Line, Outcome
from server.commands import account_words
from server.commands.word import Word
from server.game.leaving import leave_everything
from server.game.spectators import watching
from server.outbound.letters.account import Confirmation
from server.store.letters.letter import About
from server.store.models import Player
from server.store.models.columns import row_number
from server.store.outbox import ActionContext


class NameArguments(Arguments):
    """The name of a player."""

    name: Line


class WatchArguments(NameArguments):
    """A game or a player to watch."""

    name: Line = Field(default="", description="The number of a game, or the name of a player.")


def _changing(
    change: Callable[[ActionContext, Player, str], str], undo: Word | None = None
) -> Callable[[Actor, NameArguments], Outcome]:
    """Return a function that calls `change` with a name; its answer names the command `undo` to revert it."""

    def act(here: Actor, given: NameArguments) -> Outcome:
        sentence, about = change(here.context, here.player, given.name), given.name.strip().lstrip("#")
        advice = f" To undo it: {undo.word} {about}" if undo and about else ""
        game = row_number(about)
        return Outcome(sentence, Confirmation(sentence + advice), About(game) if game else None)

    return act


def _avoiding(
    word: Word, change: Callable[[ActionContext, Player, str], str], undo: Word | None = None, what: str = ""
) -> Action[Actor, NameArguments]:
    """Return an action that blocks or ignores a player, or ends that."""
    act = _changing(change, undo)
    return Action(word.word, word, NameArguments, act, what=what, shows_game=False, anchor="kept-away")


BLOCK = _avoiding(account_words.BLOCK, leave_everything.block, account_words.UNBLOCK)
UNBLOCK = _avoiding(account_words.UNBLOCK, relations.unblock, what="unblock a player")
IGNORE = _avoiding(account_words.IGNORE, relations.ignore, account_words.UNIGNORE)
UNIGNORE = _avoiding(account_words.UNIGNORE, relations.unignore, what="stop ignoring a player")
WATCH = Action(
    "watch",
    account_words.WATCH,
    WatchArguments,
    _changing(watching.watch, account_words.UNWATCH),
    what="get an email after each turn of a game, by its number, or whenever a game of a player ends",
    shows_game=False,
)
UNWATCH = Action(
    "unwatch",
    account_words.UNWATCH,
    WatchArguments,
    _changing(watching.unwatch),
    what="stop watching a game or a player; `all` for all of them",
    shows_game=False,
)

WATCHING = (WATCH, UNWATCH)
ACTIONS: tuple[Action[Actor, Any], ...] = (BLOCK, UNBLOCK, IGNORE, UNIGNORE, WATCH, UNWATCH)
