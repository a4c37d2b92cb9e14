"""Unfinished games decided by thinking time."""

from collections.abc import Sequence


def winners(thought: Sequence[int | None]) -> tuple[int, ...]:
    """Return the winning seats of an unfinished game, from the seconds that each seat has thought.

    The seat with the least time wins. If several have the same least time they share a draw, and if any time
    was not measured all do. This includes games of more than two seats: all others have lost.
    """
    known = [seconds for seconds in thought if seconds is not None]
    if len(known) < len(thought):
        return tuple(range(len(thought)))
    return tuple(seat for seat, seconds in enumerate(known) if seconds == min(known))


def elapsed(thought: Sequence[int | None], *, simultaneous: bool) -> int | None:
    """Return for how many seconds a game has been played: those in which any player's clock ran.

    If seats think one after the other, that is the sum. If they think at the same time, only the longest time
    is certain. None if a time was not measured.
    """
    known = [seconds for seconds in thought if seconds is not None]
    if len(known) < len(thought):
        return None
    return max(known) if simultaneous else sum(known)
