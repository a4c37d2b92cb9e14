"""All actions, in the order in which the API's document lists them."""

from server.actions import account, computer, lobby, messages, notices, play, tournaments

GAME_ACTIONS = (*play.ACTIONS, *lobby.ACTIONS, *messages.ACTIONS, *computer.ACTIONS, *notices.ACTIONS)
TOURNAMENT_ACTIONS = tournaments.ACTIONS
ACCOUNT_ACTIONS = (*account.ACTIONS, tournaments.MAKE)
"""The actions that belong to no existing game or tournament."""
