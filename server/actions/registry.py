"""All actions in a game."""

from server.actions import computer, lobby, messages, notices, play

ACTIONS = (*play.ACTIONS, *lobby.ACTIONS, *messages.ACTIONS, *computer.ACTIONS, *notices.ACTIONS)
"""In the order in which the API's document lists them."""
