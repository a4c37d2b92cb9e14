"""The form beside the board: the move that a player picks or writes, and the next choices."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from flask import abort, request, url_for

from rules.drawing import Door
from rules.move_builder import Choices, Pick, alone
from server.game.play import conditional_syntax


@dataclass(frozen=True)
class MoveAttempt:
    """A move as it was written or picked, and what is wrong with it."""

    text: str = ""
    picks: tuple[str, ...] = ()
    problem: str = ""
    choices: tuple[str, ...] = ()
    """The moves that may be meant by a text which is not clear, or wrong."""
    meant: str = ""
    """The move that the text says, in canonical text; "" while there is none."""

    @property
    def move(self) -> str:
        """The text that the rules are to read."""
        return conditional_syntax.parted(self.text)[0]

    @property
    def conditions(self) -> str:
        """The conditional moves below it; "" for none."""
        return conditional_syntax.parted(self.text)[1]

    def refused(self, problem: Exception, choices: Sequence[str] = ()) -> "MoveAttempt":
        """The attempt with what is wrong with it, and what may be meant."""
        return replace(self, problem=str(problem), choices=tuple(choices), meant="")


@dataclass(frozen=True)
class MoveForm:
    """What a player has picked in game `number` and can pick next, and examples of how moves are written."""

    number: int
    choices: Choices
    examples: tuple[str, ...]
    secret: bool
    """Whether what is picked must not be part of an address: those end up in logs and browser histories."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The picks so far."""
        return tuple(pick.text for pick in self.choices.picked)

    @property
    def groups(self) -> dict[str, list[Pick]]:
        """What can be picked next, by sort."""
        found: dict[str, list[Pick]] = {}
        for pick in self.choices.picks:
            found.setdefault(pick.group, []).append(pick)
        return found

    @cached_property
    def doors(self) -> dict[str, Door]:
        """The places of the board where something can be picked; not those where it may be one of several."""
        picks = alone(self.choices.picks)
        return {place: Door(pick.text, pick.label, self.address(pick)) for place, pick in picks.items()}

    def address(self, pick: Pick) -> str:
        """The page with one more pick; "" where it has none."""
        return "" if self.secret else url_for("game.show", number=self.number, pick=[*self.texts, pick.text])


def sent_attempt() -> MoveAttempt:
    """The attempt in the form that was sent: a text, or picks, the last of which may be taken back."""
    picks = tuple(request.form.getlist("pick"))
    return MoveAttempt(request.form.get("text", "").strip(), picks[:-1] if "back" in request.form else picks)


def turn_meant() -> int:
    """The turn that the sent form is about; 400 for none."""
    turn = request.form.get("turn", type=int)
    if turn is None:
        abort(400)
    return turn
