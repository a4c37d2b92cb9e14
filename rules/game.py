"""The interface of every game.

A *game* (Nibble, Nelaxtam, …) is a class derived from `Rules`. It has no state: a *position* is a frozen value,
a *move* is a frozen value, and every method is a function of its arguments. There is no clock, no player, no
database and no global random state here.

The course of a game; `rules/driver.py` takes it from turn to turn::

    options = rules.options({"size": 10})            # checked, defaults filled in
    setup = rules.setup(options, chance)             # the random layout, {} for most games
    position = rules.start(options, setup)
    while not rules.result(position):
        if rules.dice(position):
            position = rules.roll(position, chance.dice(rules.dice(position)))
        forced = rules.forced(position)              # a pass, if nothing else is possible
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
from rules.sentences import SeatNames, enumerated

Json = dict[str, Any]

PASS = "pass"  # noqa: S105 - not a password
"""The canonical text of a forced pass in every game; no other move has it."""

P = TypeVar("P")
M = TypeVar("M")


@dataclass(frozen=True)
class Step(Generic[P, M]):
    """One turn that was played: the position before it (dice included), the moves by seat, the position after.

    `left` is the seat that left the game instead of moving, with the reason, or None. `dice` are the numbers
    that were rolled for the turn, () if none were.
    """

    before: P
    moves: Mapping[int, M]
    after: P
    left: tuple[int, Reason] | None = None
    dice: tuple[int, ...] = ()


class Rules(ABC, Generic[P, M]):
    """The rules of one game, as functions of positions `P` and moves `M`, both frozen and hashable."""

    name: ClassVar[str]
    """The name in records and on the command line, in lower case: `nelaxtam`."""
    title: ClassVar[str]
    """The name as people write it: `Nelaxtam`."""
    version: ClassVar[int] = 1
    """The version of the rules, raised whenever a change would replay an old game differently; stored with each
    game.
    """
    variants: ClassVar[tuple[Mapping[str, object], ...]] = ({},)
    """Combinations of options to suggest, the default first; tests and benchmarks try them all."""
    offered: ClassVar[Mapping[str, Option]] = {}
    """Every option by its name, with all values that `options` accepts for it."""
    simultaneous: ClassVar[bool] = False
    """True if the seats in `to_move` write secret orders, which are revealed together."""
    obliged: ClassVar[str] = ""
    """A sentence that says in which turns every seat must give orders; "" if `may_abstain` is always the same.
    """
    reasons: ClassVar[Mapping[str, str]] = {}
    """Each `reason` of a result that the rules can give, as half a sentence: "no enemy disc is left"."""
    scored: ClassVar[str] = ""
    """The things that the scores of a result count: "Tiles"; "" if results have no scores."""
    primer: ClassVar[str] = ""
    """Three sentences for the first email of a game: how to win, what a move does, and how pieces move."""
    meanings: ClassVar[Mapping[str, str]] = {}
    """Moves that are words, each with its meaning in half a sentence, where they are given as examples."""
    taught: ClassVar[tuple[str, ...]] = ()
    """The names of the rules that `lesson` can explain, in the order in which they are easiest to learn."""

    # The start of a game

    @abstractmethod
    def options(self, given: Mapping[str, object]) -> Json:
        """Return all options of a game, in canonical form, with defaults for those that are not given.

        Values may be of the JSON type or text as typed in an email (`"10"`). Raises BadData, which names the
        allowed values.
        """

    @abstractmethod
    def seats(self, options: Json) -> tuple[str, ...]:
        """Return the names of the seats, by number: ("Black", "White")."""

    def titles(self, position: P) -> tuple[str, ...]:
        """Return the names of the seats in this position; () if they are the same as in `seats`."""
        return ()

    def signs(self, position: P) -> tuple[str, ...]:
        """Return the pieces of the seats, as the board shows them: ("discs b", "discs w").

        () if the names of the seats are enough.
        """
        return ()

    def usual_turns(self, options: Json) -> int:
        """Return how many turns with a choice an ordinary game has, those of all seats together.

        Three of four games between computer players should be no longer. Tournaments give that much time.
        """
        return 100

    def setup(self, options: Json, chance: Chance) -> Json:
        """Return the random part of the start, drawn from `chance`; {} if there is none."""
        return {}

    @abstractmethod
    def start(self, options: Json, setup: Json) -> P:
        """Return the first position. Raises BadData if `setup` does not fit the options."""

    # Positions as data

    @abstractmethod
    def write(self, position: P) -> Json:
        """Return the position as any spectator may see it, in the form described on the rules page of
        the game.
        """

    @abstractmethod
    def read(self, options: Json, data: Json, memory: Sequence[str] = ()) -> P:
        """Return the position that `write` and `memory` describe. Raises BadData."""

    def memory(self, position: P) -> tuple[str, ...]:
        """Return the earlier positions that the rule about repetition needs and `write` leaves out.

        () if there are none.
        """
        return ()

    # Whose turn it is

    @abstractmethod
    def to_move(self, position: P) -> tuple[int, ...]:
        """Return the seats that have to move, ascending; () exactly when the game is over."""

    @abstractmethod
    def result(self, position: P) -> Result | None:
        """Return the result of a game that is over by its rules; None while it goes on."""

    def dice(self, position: P) -> int:
        """Return how many six-sided dice must be rolled before the seat can move; 0 when the game is over."""
        return 0

    def roll(self, position: P, dice: Sequence[int]) -> P:
        """Return the position with these dice rolled. Raises BadData if their number or values are wrong."""
        raise BadData(f"No dice are rolled in {self.title}.")

    def forced(self, position: P) -> M | None:
        """Return the pass of a seat that cannot move, without asking its player; `format` makes it `PASS`.

        None when the player has to choose, while dice have to be rolled, and when the game is over.
        """
        return None

    # Moves

    def parse(self, position: P, seat: int, text: str) -> M:
        """Return the move that a player's text means (see `understand`); refuse texts longer than any move."""
        if len(text) > LONGEST_MOVE:
            raise Unreadable(f"A move can have at most {LONGEST_MOVE} characters; this one has {len(text)}.")
        return self.understand(position, seat, text)

    @abstractmethod
    def understand(self, position: P, seat: int, text: str) -> M:
        """Read a player's text as a legal move of `seat`; accept every way of writing that the rules page
        lists.

        Raises Unreadable, IllegalMove or Ambiguous, with one sentence that names the square or piece and the
        rule. Unreadable means that the text does not have the form of a move ("thanks!"): in an email, the
        commands end there. A text that has the form of a move but breaks a rule is an IllegalMove. Lines may be
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
        """Return whether a text has the form of a move, legal or not."""
        try:
            self.parse(position, seat, text)
        except Unreadable:
            return False
        except RuleError:
            return True
        return True

    def allows(self, position: P, seat: int, text: str) -> bool:
        """Return whether a text is a legal move of `seat`."""
        try:
            self.parse(position, seat, text)
        except RuleError:
            return False
        return True

    @abstractmethod
    def format(self, move: M) -> str:
        """Return the canonical text: `parse(position, seat, format(move)) == move` for every legal move."""

    @abstractmethod
    def moves(self, position: P, seat: int, only: str = "") -> Iterator[M]:
        """Yield legal moves of `seat`, simplest first, each once; all of them unless the rules page sets a
        limit.

        `only` names one sort of action in games that have several. Yields nothing for a seat that is not to
        move.
        """

    @abstractmethod
    def play(self, position: P, moves: Mapping[int, M]) -> P:
        """Return the position after a turn: one move, or the orders of all seats (a missing seat gave none).

        Does not check the moves: `parse`, `moves`, `sample` and `forced` return only legal ones.
        """

    def leave(self, position: P, seat: int, reason: Reason) -> P:
        """Return the position after `seat` resigned or ran out of time, for games in which the others play on.

        Rolled dice stay rolled, unless it was the turn of `seat`.
        """
        raise BadData(f"A game of {self.title} ends when a player leaves.")

    def plays_on(self, position: P) -> bool:
        """Return whether the others play on when a seat leaves (see `leave`); otherwise that seat has lost."""
        return False

    def seats_out(self, position: P) -> tuple[int, ...]:
        """Return the seats that have left a game in which the others play on, those that left first first."""
        return ()

    def may_abstain(self, position: P) -> bool:
        """Return whether a turn with simultaneous orders can be played if a seat has given none."""
        return self.simultaneous

    def sample(self, position: P, seat: int, below: Callable[[int], int]) -> M:
        """Return a random legal move of `seat`, quickly; `below(n)` draws a random number from 0 to n - 1."""
        moves = list(self.moves(position, seat))
        return moves[below(len(moves))]

    # Move builders

    def move_builder(self, position: P, seat: int) -> MoveBuilder[M]:
        """Return an empty move builder for `seat`, which has to move; by default it picks a whole move."""
        moves = {self.format(move): move for move in self.moves(position, seat)}
        return WholeMove(moves, self.seen(position, seat))

    def picks_of(self, position: P, seat: int, move: M) -> tuple[str, ...]:
        """Return the picks that build this legal move."""
        return (self.format(move),)

    def choices(self, position: P, seat: int, picks: Sequence[str] = ()) -> Choices:
        """Return the next possible picks of `seat` after these picks, and the move that they make.

        Every path of picks ends with a legal move, and every legal move has a path. Raises IllegalMove, with a
        sentence, for a pick that is not possible, and when `seat` is not to move.
        """
        if seat not in self.to_move(position):
            raise IllegalMove("There is nothing to choose: it is not this seat's turn.")
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
        """Return the picture after a move; if others move at the same time, the move as a plan."""
        if self.simultaneous:
            return self.seen(position, seat, plan=move)
        after = self.play(position, {seat: move})
        return self.seen(after, seat, step=Step(position, {seat: move}, after))

    # For computer players

    playout_share: ClassVar[float] = 0.0
    """The weight of random games in the value of a position, from 0 to 1; the rest comes from `evaluate`."""

    looks_ahead: ClassVar[bool] = False
    """True if `evaluate` is reliable enough to find the best line by it (`rules/bots/lookahead.py`), instead of
    averages over many lines.
    """

    def evaluate(self, position: P) -> Sequence[float] | None:
        """Return each seat's chance to win in a game that is not over; None if the rules have no estimate.

        The dice of the turn may be rolled or not. The chances add up to 1.
        """
        return None

    def candidates(self, position: P, seat: int) -> Iterator[M]:
        """Yield legal moves that are worth considering, by default all.

        Of several moves with the same effect, one is enough.
        """
        return self.moves(position, seat)

    def exact(self, position: P) -> Sequence[float] | None:
        """Return each seat's exact chance to win with perfect play, if the rules know it; otherwise None.

        The game is not over. The dice of the turn may be rolled or not. If the chances in a position are known,
        so are those after each of its moves.
        """
        return None

    def promising(self, position: P, seat: int, below: Callable[[int], int]) -> M:
        """Return a random legal move as `sample` does, but prefer moves worth considering."""
        return self.sample(position, seat, below)

    def playout(self, position: P, below: Callable[[int], int], most: int) -> tuple[Result | None, int] | None:
        """Play a random game from this position; return its result, None after `most` turns, and its length.

        The same draws give the same game as `rules/playout.py`, which plays turn by turn. Rules that have no
        faster way return None and leave it to that module.
        """
        return None

    # For people

    def deed(self, move: str) -> str:
        """Return a move, given in canonical text, as a phrase in the past tense: "played c4", "took a2"."""
        return f"played {move}"

    def seen_by(self, reader: int, seat: int, move: str) -> str:
        """Return a move of `seat` as canonical text for the player at `reader`.

        It differs only in games in which each player numbers places in their own way.
        """
        return move

    def listing(self, position: P, only: str = "", limit: int | None = None) -> list[str] | dict[str, Any]:
        """Return the legal moves for `nabu moves`: a list of canonical texts, or a table by seat.

        The list is complete, unless a `limit` is given or the rules have their own limit.
        """
        seats = self.to_move(position)
        if not seats or self.dice(position):
            return []
        return [self.format(move) for move in islice(self.moves(position, seats[0], only), limit)]

    @abstractmethod
    def diagram(self, position: P, step: Step[P, M] | None = None, plan: M | None = None) -> Diagram:
        """Return the picture of `position`; mark the changes of `step` (which led here), or those that `plan`
        would make.

        `plan` is a move or the orders of one seat, not played yet, drawn as arrows and marks.
        """

    def seen(
        self, position: P, seat: int | None, step: Step[P, M] | None = None, plan: M | None = None
    ) -> Diagram:
        """Return the picture of a position (see `diagram`) for the player at `seat`; None is a spectator.

        It differs only in games in which each player has their own side of the board, or numbers places in
        their own way. A `plan` is one of `seat`.
        """
        return self.diagram(position, step, plan)

    def pieces(self, position: P, seat: int | None, picture: Diagram) -> list[str]:
        """Return sentences that name each piece and its place once, as the player at `seat` sees it.

        `picture` is one of this position that `seen` returned for this player. Together with its captions they
        say all that it shows, except marks and arrows. None means a spectator.
        """
        return pieces_in_words(picture)

    def possible(self, position: P, seat: int) -> list[str]:
        """Return the possible actions of `seat` in this turn, in sentences short enough to be heard; [] if
        none.

        By default the first picks of the move builder: "Move: take 1, take 2."
        """
        if seat not in self.to_move(position):
            return []
        groups: dict[str, list[str]] = {}
        for pick in self.move_builder(position, seat).picks():
            groups.setdefault(pick.group, []).append(pick.label)
        return [f"{group.capitalize()}: {enumerated(labels)}." for group, labels in groups.items()]

    def lesson(self, position: P, seat: int, name: str) -> Lesson | None:
        """Return a lesson on the rule `name`, explained by a position in which `seat` has to move.

        Returns None if the position does not show that rule. `taught` lists the names.
        """
        return None

    @abstractmethod
    def story(self, step: Step[P, M], names: SeatNames | None = None) -> list[str]:
        """Return sentences on the effects of a turn beyond the moves themselves: "Tiles lost: d5, e6.".

        Games whose seats have pieces name them by these; the others by `names` if they are given.
        """

    @abstractmethod
    def examples(self, position: P, seat: int) -> tuple[str, ...]:
        """Return two to four legal moves, as different as possible, to show how moves are written."""
