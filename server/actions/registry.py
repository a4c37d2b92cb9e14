"""All actions, in the order in which the API's document lists them."""

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
