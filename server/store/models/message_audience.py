"""The audience of messages in a game: all players, one of them, or only the author for a note.

Both functions check a message. Without one, they return an SQL condition on the columns of `GameMessage`.
"""

from typing import Any

from server.store.models.games import GameMessage


def heard(seat: Any, message: Any = GameMessage) -> Any:
    """Return whether a message from another player is for `seat` (a number or a column)."""
    listener, is_private = message.listener, message.private
    to_it = (listener == None) | (listener == seat)  # noqa: E711
    return (message.seat != seat) & (is_private == False) & to_it  # noqa: E712


def is_audible_to(seat: Any, message: Any = GameMessage) -> Any:
    """Return whether `seat` has written a message, or it is for `seat`."""
    return (message.seat == seat) | heard(seat, message)
