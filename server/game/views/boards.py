"""A board as one person sees it: the picture, and the same in sentences; and who wants which."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rules.drawing.description import changes_in_words
from rules.drawing.diagram import Diagram
from rules.game import Rules, Step
from server.accounts.choices import Choice, Way
from server.store.models import Player

BOARD = Choice(
    name="board",
    label="Boards",
    help="how emails show you the board: as a picture, or in sentences, to be read aloud or on a watch",
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
            "Emails will tell you in sentences what stands where, what has changed and what you can do; so "
            "will the page of a game, below its picture.",
            also=("text", "sentences", "in words", "in sentences"),
        ),
    ),
)


def wants_words(player: Player) -> bool:
    """Whether a player wants boards in sentences."""
    return BOARD.chosen_by(player) == "words"


@dataclass(frozen=True)
class Passage:
    """Some of the sentences about a board, under a heading."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Board:
    """The board of a position as `seat` may see it, None for anybody else; drawn, or put in words, when asked.

    `step` is what led to it, `plan` what the seat might do, or has ordered. Without rules there is nothing to
    see yet.
    """

    rules: Rules[Any, Any] | None = None
    position: Any = None
    seat: int | None = None
    step: Step[Any, Any] | None = None
    plan: Any = None
    in_words: bool = False
    """Whether its reader wants sentences."""
    is_now: bool = False
    """Whether the seat may do something here, if it is to move."""
    news: Callable[[], Sequence[str]] = tuple
    """What has happened since the last move of the seat, where that is not told anyway."""

    @cached_property
    def diagram(self) -> Diagram:
        """The picture; without rows where there is nothing to see."""
        if self.rules is None:
            return Diagram(())
        return self.rules.seen(self.position, self.seat, self.step, self.plan)

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """What stands where, apart from what the captions say."""
        return () if self.rules is None else tuple(self.rules.pieces(self.position, self.seat))

    @cached_property
    def words(self) -> tuple[Passage, ...]:
        """All that there is to know about the board."""
        if self.rules is None:
            return ()
        passages = (
            Passage("The board", (*self.pieces, *self.diagram.captions)),
            self._changed,
            Passage("What you can do", self._possible),
        )
        return tuple(passage for passage in passages if passage.lines)

    @property
    def _changed(self) -> Passage:
        changes = changes_in_words(self.diagram)
        if self.plan is not None:
            return Passage("With this", tuple(changes))
        return Passage("What has changed", (*self.news(), *changes))

    @property
    def _possible(self) -> tuple[str, ...]:
        if self.rules is None or self.seat is None or not self.is_now:
            return ()
        return tuple(self.rules.possible(self.position, self.seat))
