"""The move form beside the board: the move that a player picks or writes, and the next choices."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlencode

from flask import abort, request, url_for

from rules.drawing import Door, crossed_out
from rules.move_builder import Choices, Pick, alone
from server.game.play import conditional_moves


@dataclass(frozen=True)
class MoveAttempt:
    """A move as it was written or picked, and its error."""

    text: str = ""
    picks: tuple[str, ...] = ()
    place: str = ""
    """The place of the board that was pressed after these picks; "" for none."""
    problem: str = ""
    choices: tuple[str, ...] = ()
    """Suggested moves for a text that is ambiguous or wrong."""
    meant: str = ""
    """The move in canonical text; "" while there is none."""

    @property
    def move(self) -> str:
        """The text of the move without conditional moves."""
        return conditional_moves.parted(self.text)[0]

    @property
    def conditions(self) -> str:
        """The conditional moves below it; "" for none."""
        return conditional_moves.parted(self.text)[1]

    def refused(self, problem: Exception, choices: Sequence[str] = ()) -> "MoveAttempt":
        """Return the attempt with its error and suggested moves."""
        return replace(self, problem=str(problem), choices=tuple(choices), meant="")


@dataclass(frozen=True)
class MoveForm:
    """The picks of a player in game `number`, the next choices, and examples of written moves."""

    number: int
    choices: Choices
    examples: tuple[str, ...]
    secret: bool
    """Whether the picks must not be part of a URL, because URLs end up in logs and browser histories."""

    meanings: str = ""
    """The meanings of those examples that are words, in sentences."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The picks so far."""
        return tuple(pick.text for pick in self.choices.picked)

    @property
    def elsewhere(self) -> list[Pick]:
        """The next choices without a place on the board, such as "end"."""
        return [pick for pick in self.choices.picks if pick.place not in self.doors]

    @property
    def groups(self) -> dict[str, list[Pick]]:
        """The next choices that can be picked on the board, by their headings, such as “Flip”."""
        found: dict[str, list[Pick]] = {}
        for pick in self.choices.picks:
            if pick.place in self.doors:
                found.setdefault(pick.group, []).append(pick)
        return found

    @cached_property
    def doors(self) -> dict[str, Door]:
        """The places of the board with exactly one next choice, by name; they become links."""
        picks = alone(self.choices.picks)
        return {
            place: Door(pick.text, pick.label, self.address(pick), pick.lifts, pick.destroys)
            for place, pick in picks.items()
        }

    @property
    def crosses_out(self) -> bool:
        """Return whether the board shows crosses on places that cannot be picked."""
        return bool(crossed_out(self.choices.diagram, self.doors))

    @property
    def destroys(self) -> bool:
        """Return whether a next choice destroys a place, which the board frames with a broken line."""
        return any(door.destroys for door in self.doors.values())

    def address(self, pick: Pick) -> str:
        """Return the URL of the page with one more pick; "" if picks are secret."""
        picks = [("pick", text) for text in (*self.texts, pick.text)]
        return "" if self.secret else f"{self._page}?{urlencode(picks)}"

    @cached_property
    def _page(self) -> str:
        return url_for("game.show", number=self.number)


def sent_attempt() -> MoveAttempt:
    """Return the attempt in the submitted form: a text, or picks, without the last one after a step back, and
    with the place that was pressed.
    """
    picks = tuple(request.form.getlist("pick"))
    return MoveAttempt(
        request.form.get("text", "").strip(),
        picks[:-1] if "back" in request.form else picks,
        request.form.get("place", ""),
    )


def turn_meant() -> int:
    """Return the turn that the submitted form names; 400 if it names none."""
    turn = request.form.get("turn", type=int)
    if turn is None:
        abort(400)
    return turn
