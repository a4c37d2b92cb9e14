"""A board as one person sees it, as a picture and in sentences; players choose one of the two."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rules.drawing.description import changes_in_words
from rules.drawing.diagram import Cell, Diagram
from rules.game import Rules, Step
from server.accounts.choices import Choice, Way
from server.store.models import Player

BOARD = Choice(
    name="board",
    label="Boards in emails",
    help="how emails show the board: as a picture, or in sentences, for example for screen readers",
    ways=(
        Way(
            "picture",
            "as pictures",
            "Emails will show you the board as a picture.",
            also=("pictures", "image", "images"),
        ),
        Way(
            "words",
            "in sentences",
            "Emails will describe the board, the changes and your possible moves in sentences, and so "
            "will the page of a game, below its picture.",
            also=("text", "sentences", "in words", "in sentences"),
        ),
    ),
)


def wants_words(player: Player) -> bool:
    """Return whether a player has chosen boards in sentences."""
    return BOARD.chosen_by(player) == "words"


@dataclass(frozen=True)
class Passage:
    """A part of the description of a board, with a heading."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Board:
    """The board of a position as the player in `seat` may see it, None for others. It is drawn when needed.

    `step` is the turn that led to it, `plan` a possible move or the sealed orders of the seat. Without rules
    there is no board yet.
    """

    rules: Rules[Any, Any] | None = None
    position: Any = None
    seat: int | None = None
    step: Step[Any, Any] | None = None
    plan: Any = None
    in_words: bool = False
    """Whether the reader has chosen sentences."""
    is_now: bool = False
    """Whether this is the current position, in which the seat may be to move."""
    since: Callable[[], Sequence[Step[Any, Any]]] = tuple
    """Returns the turns since the seat's last move, which are marked in the colours of their players."""
    news: Callable[[], Sequence[str]] = tuple
    """Returns sentences about the turns since the seat's last move, if they are not reported elsewhere."""

    @cached_property
    def diagram(self) -> Diagram:
        """Return the picture of the board; it has no rows if there is no board yet."""
        if self.rules is None:
            return Diagram(())
        drawn = self.rules.seen(self.position, self.seat, self.step, self.plan)
        markers = self._markers(drawn)
        rows = (
            replace(row, cells=tuple(_marked(cell, markers.get(cell.name, "")) for cell in row.cells))
            for row in drawn.rows
        )
        return replace(drawn, rows=tuple(rows)) if markers else drawn

    def _markers(self, drawn: Diagram) -> dict[str, str]:
        """Return the colours of the players who changed places since the seat's last move, by place."""
        assert self.rules is not None  # noqa: S101 - there is a picture
        found: dict[str, str] = {}
        signs = [pieces.split()[-1] for pieces in self.rules.signs(self.position)]
        for step in self.since():
            colour = _colour(drawn, signs[min(step.moves)]) if signs and step.moves else ""
            changed = self.rules.seen(step.after, self.seat, step)
            found |= {cell.name: colour for row in changed.rows for cell in row.cells if cell.mark}
        return found

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """Return sentences about the pieces, except what the captions say."""
        return () if self.rules is None else tuple(self.rules.pieces(self.position, self.seat, self.diagram))

    @cached_property
    def words(self) -> tuple[Passage, ...]:
        """Return the description of the board in words, in parts with headings."""
        if self.rules is None:
            return ()
        passages = (
            Passage("Board", (*self.pieces, *self.diagram.captions)),
            self._changed,
            Passage("Possible moves", self._possible),
        )
        return tuple(passage for passage in passages if passage.lines)

    @property
    def _changed(self) -> Passage:
        changes = changes_in_words(self.diagram)
        if self.plan is not None:
            return Passage("After this move", tuple(changes))
        return Passage("Changes", (*self.news(), *changes))

    @property
    def _possible(self) -> tuple[str, ...]:
        if self.rules is None or self.seat is None or not self.is_now:
            return ()
        return tuple(self.rules.possible(self.position, self.seat))


def _colour(drawn: Diagram, sign: str) -> str:
    """Return the colour of the pieces with this sign; "" if the picture shows none."""
    inks = {ink for row in drawn.rows for cell in row.cells if (ink := cell.ink)}
    return next((ink.marbles[sign].fill for ink in inks if sign in ink.marbles), "")


def _marked(cell: Cell, marker: str) -> Cell:
    return replace(cell, mark=True, marker=marker) if marker and cell.ground else cell
