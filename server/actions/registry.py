"""All actions, in the order in which the API's document lists them."""

from collections.abc import Iterable
from typing import Any

from server.actions import (
    access,
    challenges,
    computer,
    lobby,
    messages,
    notifications,
    play,
    preferences,
    relations,
    tournaments,
)
from server.actions.action import Action, Actor
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import MOVE

GAME_ACTIONS = (*play.ACTIONS, *lobby.ACTIONS, *messages.ACTIONS, *computer.ACTIONS, *notifications.ACTIONS)
REPLY_ACTIONS: tuple[Action[Any, Any], ...] = (*GAME_ACTIONS, *preferences.IN_REPLIES)
"""The actions that may have a command in a reply to a game's email."""
TOURNAMENT_ACTIONS = tournaments.ACTIONS
ACCOUNT_ACTIONS: tuple[Action[Actor, Any], ...] = (
    *challenges.ACTIONS,
    *relations.ACTIONS,
    tournaments.MAKE,
    *preferences.ACTIONS,
    *access.ACTIONS,
)
"""The actions that belong to no existing game or tournament."""


def check_words(actions: Iterable[Action[Any, Any]]) -> None:
    """Raise LookupError unless the word of each action is a command of some kind of email."""
    known = {MOVE, *REPLY, *PLAIN}
    for action in actions:
        if action.word not in known:
            raise LookupError(
                f"the word of the action {action.name} is no command: add it to IN_GAMES in "
                "server/commands/game_words.py, or to OF_ACCOUNTS in account_words.py"
            )


check_words([*REPLY_ACTIONS, *TOURNAMENT_ACTIONS, *ACCOUNT_ACTIONS])
