"""What a report says first: what happened, in a sentence or two, and who did it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.game import Step
from rules.reasons import Reason
from rules.records.turns import Left, Moved, Turn
from server.game import bodies, history
from server.game.history import TurnView
from server.game.wording import deed
from server.outbound.letters.drafts import Sources
from server.store.letters.game import Report
from server.store.models import Entry

_MOST_DEEDS = 3
_LONGEST = 200
"""How many turns, and characters, are told in sentences; more of them in a list."""

Turns = Sequence[tuple[Entry, Step[Any, Any]]]
"""The turns that a report tells, as the log has them."""


@dataclass(frozen=True)
class Happened:
    """What a report tells its receiver."""

    summary: str
    """In sentences: "Ben played a2."."""
    turns: tuple[TurnView, ...]
    """What the summary leaves out of each turn."""
    actor: int | None
    """The seat of another player who did the last of it, or says something; None for nobody."""


def happened(letter: Report, sources: Sources, played: Turns) -> Happened:
    """What a report says of its turns."""
    seats, me = sources.view.seats, sources.seat
    names = [seat.name if len(seats) == 2 else seat.label for seat in seats]
    turns = [bodies.played(sources.game, entry).turn for entry, _ in played]
    told = [history.told(sources.game, *each, [seat.name for seat in seats]) for each in played]
    deeds = [deed(turn, names, me) for turn in turns]
    if len(deeds) > _MOST_DEEDS or sum(map(len, deeds)) > _LONGEST:
        deeds = [f"Turns {told[0].number} to {told[-1].number} were played."] if deeds[1:] else []
    else:
        told = [_rest(view, turn) for view, turn in zip(told, turns, strict=True)]
    begins = ["The game begins."] if not letter.first and not letter.result else []
    return Happened(
        " ".join([*_undone(letter, names, me), *begins, *deeds]),
        tuple(view for view in told if view.played or view.story),
        _actor(letter, turns, me),
    )


def _rest(view: TurnView, turn: Turn) -> TurnView:
    """A turn without its move, which the summary tells; orders are not told there."""
    return replace(view, played=()) if isinstance(turn, Moved | Left) else view


def _undone(letter: Report, names: Sequence[str], me: int) -> list[str]:
    undone = letter.undone
    if undone is None:
        return []
    who = "You have" if undone.seat == me else f"{names[undone.seat]} has"
    back = "The board is back to how it was before that turn."
    return [f"{who} taken back turn {undone.turn}; everyone agreed. {back}"]


def _actor(letter: Report, turns: Sequence[Turn], me: int) -> int | None:
    """Nobody does it when time runs out, or orders are opened."""
    if letter.said and letter.speaker != me:
        return letter.speaker
    if letter.undone is not None:
        return letter.undone.seat
    for turn in reversed(turns):
        is_act = isinstance(turn, Moved) or (isinstance(turn, Left) and turn.reason is not Reason.TIMEOUT)
        if isinstance(turn, Moved | Left) and is_act and turn.seat != me:
            return turn.seat
    return None
