"""Unfinished games decided by thinking time."""

from collections.abc import Sequence


def winners(thought: Sequence[int | None]) -> tuple[int, ...]:
    """Return the seats that win a game that is not over, from the seconds that each seat has thought.

    The seat with the least wins. If several have equally little they share a draw, and if the time of any was
    not measured all do. More than two seats are ranked alike: all others have lost.
    """
    known = [seconds for seconds in thought if seconds is not None]
    if len(known) < len(thought):
        return tuple(range(len(thought)))
    return tuple(seat for seat, seconds in enumerate(known) if seconds == min(known))


def elapsed(thought: Sequence[int | None], *, simultaneous: bool) -> int | None:
    """Return for how many seconds a game has been played: those in which somebody's clock ran.

    Where seats think one after the other, that is the sum. Where they think at the same time, only the longest
    of them is certain. None where it was not measured.
    """
    known = [seconds for seconds in thought if seconds is not None]
    if len(known) < len(thought):
        return None
    return max(known) if simultaneous else sum(known)
