"""What every game is.

A *game* (Nibble, Nelaxtam, …) is a class derived from `Rules`. It has no state of its own: a *position* is a
frozen value, a *move* is a frozen value, and every method is a function of its arguments. There is no clock,
no player, no database and no global random state here.

The life of a game; from turn to turn it is driven by `rules/driver.py`::

    options = rules.options({"size": 10})            # checked, defaults filled in
    setup = rules.setup(options, chance)             # the random layout, {} for most games
    position = rules.start(options, setup)
    while not rules.result(position):
        if rules.dice(position):
            position = rules.roll(position, chance.dice(rules.dice(position)))
        forced = rules.forced(position)              # a pass that nobody is asked for
        seats = rules.to_move(position)              # one seat; several when orders are simultaneous
        moves = {seat: rules.parse(position, seat, text) for …}
        position = rules.play(position, moves)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, ClassVar, Generic, TypeVar

from rules.chance import Chance
from rules.drawing.description import pieces_in_words
from rules.drawing.diagram import Diagram
from rules.errors import BadData, IllegalMove, RuleError, Unreadable
from rules.lessons import Lesson
from rules.limits import LONGEST_MOVE
from rules.move_builder import Choices, MoveBuilder, WholeMove
from rules.options import Option
from rules.reasons import Reason
from rules.result import Result
from rules.sentences import enumerated

Json = dict[str, Any]

PASS = "pass"  # noqa: S105 - it is no password
"""How a forced pass is written, in every game; no other move is."""

P = TypeVar("P")
M = TypeVar("M")


@dataclass(frozen=True)
class Step(Generic[P, M]):
    """One turn that was played: the position before it (dice included), the moves by seat, the position after.

    `left` is the seat that left the game instead of moving, with the reason, or None. `dice` are the numbers
    that were rolled for the turn, () where none were.
    """

    before: P
    moves: Mapping[int, M]
    after: P
    left: tuple[int, Reason] | None = None
    dice: tuple[int, ...] = ()


class Rules(ABC, Generic[P, M]):
    """The rules of one game: functions of positions `P` and moves `M`, both frozen and hashable."""

    name: ClassVar[str]
    """As in records and on the command line: lower case, `nelaxtam`."""
    title: ClassVar[str]
    """As people write it."""
    version: ClassVar[int] = 1
    """Raised whenever a change would replay an old game differently; stored with each game."""
    variants: ClassVar[tuple[Mapping[str, object], ...]] = ({},)
    """Options worth offering by themselves, the default first; tests and benchmarks try them all."""
    offered: ClassVar[Mapping[str, Option]] = {}
    """Every option by its name, with all the values that `options` may let it have."""
    simultaneous: ClassVar[bool] = False
    """Whether the seats in `to_move` write secret orders, revealed together."""
    obliged: ClassVar[str] = ""
    """A sentence that says in which turns no seat may abstain; "" if `may_abstain` is always the same."""
    reasons: ClassVar[Mapping[str, str]] = {}
    """Each `reason` of a result that the rules can give, as half a sentence: "no enemy disc is left"."""
    taught: ClassVar[tuple[str, ...]] = ()
    """The names of the rules that `lesson` can explain, in the order in which they are best learnt."""

    # How a game begins

    @abstractmethod
    def options(self, given: Mapping[str, object]) -> Json:
        """All options of a game, in canonical form, defaults filled in.

        Values may be of the JSON type or text as typed in a mail (`"10"`). Raises BadData with what is allowed.
        """

    @abstractmethod
    def seats(self, options: Json) -> tuple[str, ...]:
        """What people call the seats, by number: ("Black", "White")."""

    def titles(self, position: P) -> tuple[str, ...]:
        """What people call the seats in this position; () if that is as in `seats`."""
        return ()

    def signs(self, position: P) -> tuple[str, ...]:
        """How each seat's pieces are written on the board: ("b", "w"); () where the seats' names say it."""
        return ()

    def usual_turns(self, options: Json) -> int:
        """Return how many turns of an ordinary game somebody has to decide, those of all seats together.

        Three of four games between computer players should be no longer. Tournaments give that much time.
        """
        return 100

    def setup(self, options: Json, chance: Chance) -> Json:
        """Draw what is random at the start; {} if nothing is."""
        return {}

    @abstractmethod
    def start(self, options: Json, setup: Json) -> P:
        """The first position. Raises BadData when `setup` does not fit the options."""

    # Positions as data

    @abstractmethod
    def write(self, position: P) -> Json:
        """The position as any spectator may see it, exactly as on the rules page of the game."""

    @abstractmethod
    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> P:
        """The position that `write` and `memory` describe. Raises BadData."""

    def memory(self, position: P) -> tuple[str, ...]:
        """What the guard against repetition remembers beyond `write`; () if it needs nothing more."""
        return ()

    # Whose turn it is

    @abstractmethod
    def to_move(self, position: P) -> tuple[int, ...]:
        """The seats that owe a move, ascending; () exactly when the game is over."""

    @abstractmethod
    def result(self, position: P) -> Result | None:
        """The result that the rules give, None while the game goes on."""

    def dice(self, position: P) -> int:
        """How many six-sided dice have to be rolled before the seat to move can; 0 when the game is over."""
        return 0

    def roll(self, position: P, dice: Sequence[int]) -> P:
        """The position with these dice rolled. Raises BadData when they are not what `dice` asks for."""
        raise BadData(f"No dice are rolled in {self.title}.")

    def forced(self, position: P) -> M | None:
        """The pass of a seat that cannot move, which nobody is asked for; `format` makes it `PASS`.

        None when the player has to choose, while dice have to be rolled, and when the game is over.
        """
        return None

    # Moves

    def parse(self, position: P, seat: int, text: str) -> M:
        """Read what a person wrote, as `understand` does; a text longer than any move is not looked at."""
        if len(text) > LONGEST_MOVE:
            raise Unreadable(f"A move can have at most {LONGEST_MOVE} characters; this one has {len(text)}.")
        return self.understand(position, seat, text)

    @abstractmethod
    def understand(self, position: P, seat: int, text: str) -> M:
        """Read what a person wrote as a legal move of `seat`, forgiving as the rules page says.

        Raises Unreadable, IllegalMove or Ambiguous, with one sentence that names the square or piece and the
        rule. Unreadable means that the text is not written like a move at all ("thanks!"): the reader of a
        mail stops there. A text of the form of a move that no rule allows is an IllegalMove. Lines may be
        separated by line breaks.
        """

    def check_turn(self, position: P, seat: int, names: Sequence[str]) -> None:
        """Raise IllegalMove unless `seat` is to move; `names` are those of all seats."""
        owing = self.to_move(position)
        if not owing:
            raise IllegalMove("The game is over.")
        if seat not in owing:
            raise IllegalMove(f"It is not your turn: {names[owing[0]]} is to move.")

    def reads(self, position: P, seat: int, text: str) -> bool:
        """Whether a text is written like a move, legal or not."""
        try:
            self.parse(position, seat, text)
        except Unreadable:
            return False
        except RuleError:
            return True
        return True

    def allows(self, position: P, seat: int, text: str) -> bool:
        """Whether a text is a legal move of `seat`."""
        try:
            self.parse(position, seat, text)
        except RuleError:
            return False
        return True

    @abstractmethod
    def format(self, move: M) -> str:
        """The canonical text: `parse(position, seat, format(move)) == move` for every legal move."""

    @abstractmethod
    def moves(self, position: P, seat: int, only: str = "") -> Iterator[M]:
        """Legal moves of `seat`, simplest first, each once; all of them unless the rules page sets a limit.

        `only` names one sort of action where a game has several. Nothing for a seat that does not move.
        """

    @abstractmethod
    def play(self, position: P, moves: Mapping[int, M]) -> P:
        """The position after a turn: one move, or the order sets of all seats (a missing seat gave none).

        Trusts that each move is legal in `position`, as `parse`, `moves`, `sample` and `forced` promise.
        """

    def leave(self, position: P, seat: int, reason: Reason) -> P:
        """The position after `seat` resigned or ran out of time, for games where the others play on.

        Dice that are rolled stay so, unless it was the turn of `seat`.
        """
        raise BadData(f"In {self.title} nobody plays on after a player has left.")

    def plays_on(self, position: P) -> bool:
        """Whether the game goes on, by `leave`, without a seat that leaves; otherwise whoever leaves loses."""
        return False

    def seats_out(self, position: P) -> tuple[int, ...]:
        """The seats that have left a game that the others play on, in the order in which they left."""
        return ()

    def may_abstain(self, position: P) -> bool:
        """Whether `play` can resolve a turn of a simultaneous game in which a seat gave no orders."""
        return self.simultaneous

    def sample(self, position: P, seat: int, below: Callable[[int], int]) -> M:
        """Some legal move of `seat`, fast, for computer opponents and tests; `below(n)` draws from 0 to n-1."""
        moves = list(self.moves(position, seat))
        return moves[below(len(moves))]

    # Moves in the making

    def move_builder(self, position: P, seat: int) -> MoveBuilder[M]:
        """A move of `seat`, whose turn it is, with nothing picked; by default one picks a whole move."""
        moves = {self.format(move): move for move in self.moves(position, seat)}
        return WholeMove(moves, self.seen(position, seat))

    def picks_of(self, position: P, seat: int, move: M) -> tuple[str, ...]:
        """The picks that put this legal move together."""
        return (self.format(move),)

    def choices(self, position: P, seat: int, picks: Sequence[str] = ()) -> Choices:
        """What `seat` can pick after these picks, and what they make.

        Every path of picks ends with a legal move, and to every legal move there is one. Raises IllegalMove,
        with a sentence, for a pick that cannot be made, and when `seat` is not to move.
        """
        if seat not in self.to_move(position):
            raise IllegalMove("There is nothing to pick: it is not this seat's turn.")
        move_builder, picked = self.move_builder(position, seat).then(picks)
        move = move_builder.move()
        return Choices(
            picked=picked,
            picks=tuple(move_builder.picks()),
            marks=move_builder.marks(),
            move="" if move is None else self.format(move),
            draw=move_builder.diagram if move is None else partial(self._outcome, position, seat, move),
        )

    def _outcome(self, position: P, seat: int, move: M) -> Diagram:
        """The picture that a move would give; where others move at the same time, the move as a plan."""
        if self.simultaneous:
            return self.seen(position, seat, plan=move)
        after = self.play(position, {seat: move})
        return self.seen(after, seat, step=Step(position, {seat: move}, after))

    # For computer players

    playout_share: ClassVar[float] = 0.0
    """How much a random game tells of what a position is worth, from 0 to 1; the rest `evaluate` does."""

    def evaluate(self, position: P) -> Sequence[float] | None:
        """The share of the win each seat can expect in a game that is not over; None if the rules cannot tell.

        The dice of the turn may be rolled or not. The shares add up to 1.
        """
        return None

    def candidates(self, position: P, seat: int) -> Iterator[M]:
        """Legal moves worth thinking about, by default all: of moves that do the same one is enough."""
        return self.moves(position, seat)

    def solved(self, position: P, seat: int) -> M | None:
        """A legal move than which none is better, where the rules know that for sure; otherwise None."""
        return None

    def promising(self, position: P, seat: int, below: Callable[[int], int]) -> M:
        """Some legal move, drawn as `sample` does, but rather one that is worth thinking about."""
        return self.sample(position, seat, below)

    def playout(self, position: P, below: Callable[[int], int], most: int) -> tuple[Result | None, int] | None:
        """How a random game ends that goes on from here, and in how many turns; no result if not in `most`.

        The same draws give the same game as turn by turn in `rules/playout.py`, which plays it for the games
        that leave it to that by None.
        """
        return None

    # For people

    def listing(self, position: P, only: str = "", limit: int | None = None) -> list[str] | dict[str, Any]:
        """What `nabu moves` prints: canonical texts of the legal moves, or a table by seat.

        They are all there, unless a `limit` is given or the rules have one of their own.
        """
        seats = self.to_move(position)
        if not seats or self.dice(position):
            return []
        return [self.format(move) for move in islice(self.moves(position, seats[0], only), limit)]

    @abstractmethod
    def diagram(self, position: P, step: Step[P, M] | None = None, plan: M | None = None) -> Diagram:
        """The picture of `position`; marks what `step` (which led here) changed, or what `plan` would do.

        `plan` is a move or order set of one seat that is not played yet, drawn as arrows and marks.
        """

    def seen(
        self, position: P, seat: int | None, step: Step[P, M] | None = None, plan: M | None = None
    ) -> Diagram:
        """The `diagram` as the player at `seat` sees it; None for anybody else.

        Only in games in which each side has its own side of the board, or counts places its own way, it
        differs. A `plan` is one of `seat`.
        """
        return self.diagram(position, step, plan)

    def pieces(self, position: P, seat: int | None) -> list[str]:
        """What stands where, in sentences that name each piece once, as the player at `seat` sees it.

        With the captions of the picture they say all that it shows. None for anybody else.
        """
        return pieces_in_words(self.seen(position, seat))

    def possible(self, position: P, seat: int) -> list[str]:
        """What `seat` can do in its turn, in sentences short enough to be heard; [] when it has none.

        By default what can be picked first: "Move: take 1, take 2."
        """
        if seat not in self.to_move(position):
            return []
        groups: dict[str, list[str]] = {}
        for pick in self.move_builder(position, seat).picks():
            groups.setdefault(pick.group, []).append(pick.label)
        return [f"{group.capitalize()}: {enumerated(labels)}." for group, labels in groups.items()]

    def lesson(self, position: P, seat: int, name: str) -> Lesson | None:
        """One of the rules in `taught`, explained by a position in which `seat` is to move.

        None for a position that does not show it.
        """
        return None

    @abstractmethod
    def story(self, step: Step[P, M]) -> list[str]:
        """What happened in a turn beyond the moves themselves, in sentences: "Tiles lost: d5, e6."."""

    @abstractmethod
    def examples(self, position: P, seat: int) -> tuple[str, ...]:
        """Two to four move texts, legal here and as different as can be, to show how moves are written."""
