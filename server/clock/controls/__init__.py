"""Time controls: the rules on the time for a move. Each is a class in its own file, listed here.

To add one, derive a class from `Control` and add it to `CONTROLS`: challenges, forms, emails and deadlines use
this list.
"""

from zoneinfo import ZoneInfo

from rules.sentences import quoted
from server.clock.controls.bank import Bank
from server.clock.controls.control import Control, words_of
from server.clock.controls.fixed import Fixed
from server.clock.controls.per_move import PerMove
from server.clock.controls.untimed import Untimed
from server.clock.errors import BadTime

__all__ = ["CONTROLS", "Bank", "Control", "Fixed", "PerMove", "Untimed", "hint", "read_control"]

CONTROLS: list[type[Control]] = [PerMove, Bank, Fixed, Untimed]
"""The time controls in the order in which they are offered. The last reads a text first: the more specific the
syntax, the later in the list.
"""


def read_control(text: str, zone: ZoneInfo) -> Control:
    """Return the time control in a text; `zone` is the default zone of fixed moments. Raises BadTime."""
    if not words_of(text):
        raise BadTime(f"The time control is missing; {_as_in()}")
    for control in reversed(CONTROLS):
        found = control.read(text, zone)
        if found is not None:
            return found
    raise BadTime(f"{quoted(text)} is not a time control, the time for each move; {_as_in()}")


def hint(*, simultaneous: bool) -> str:
    """Return a hint for a form's field: time controls for games with or without simultaneous orders."""
    anywhere = [control.hint for control in CONTROLS if not control.for_orders]
    for_orders = [control.hint for control in CONTROLS if control.for_orders and simultaneous]
    return "; ".join([*anywhere, *for_orders]) + "."


def _as_in() -> str:
    *others, last = (control.as_in for control in CONTROLS)
    return f"write {', '.join(others)}, or {last}."
