"""Who hears what is said in a game: all others, or the one to whom it is said; of notes nobody else.

Both rules are for a message, or, without one, a condition on the column of each message in a statement.
"""

from typing import Any

from server.store.models.games import GameMessage


def heard(seat: Any, message: Any = GameMessage) -> Any:
    """Whether others say it, and `seat` (its number, or a column of numbers) hears it."""
    listener, is_private = message.listener, message.private
    to_it = (listener == None) | (listener == seat)  # noqa: E711
    return (message.seat != seat) & (is_private == False) & to_it  # noqa: E712


def is_audible_to(seat: Any, message: Any = GameMessage) -> Any:
    """Whether `seat` hears it, or has said or noted it."""
    return (message.seat == seat) | heard(seat, message)
