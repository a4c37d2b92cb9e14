"""Fast random games of NEXUS, identical to those that `rules.playout` plays turn by turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable

from rules.games.nexus.actions import ADDED, REPETITIONS, STANDSTILL, can_act, open_sorts
from rules.games.nexus.board import Add, Change, Walk
from rules.games.nexus.position import LAST_STANDING, LETTERS, Position, freeze
from rules.games.nexus.sample import random_move
from rules.games.nexus.turn import Move, outcome
from rules.result import Result

Below = Callable[[int], int]


def playout(position: Position, below: Below, most: int) -> tuple[Result | None, int]:
    """Play a random game from this position; return its result, None after `most` turns, and its length."""
    table = _Table(position)
    for turn in range(1, most + 1):
        table.play_turn(below)
        if reason := table.ended():
            staying = tuple(table.staying)
            return Result(staying, reason, places=(*staying, *reversed(table.out))), turn
    return None, most


class _Table:
    """A position that changes in place as it is played on."""

    def __init__(self, position: Position) -> None:
        self.board = position.board
        self.reserve, self.out = list(position.reserve), list(position.out)
        self.staying = list(position.staying)
        self.last_actions = list(position.last_actions)
        self._seat, self._quiet = position.to_move, position.quiet
        self._remembered = position.seen
        self._met: Counter[Hashable] = Counter()
        self._repeated = False

    def before(self, seat: int) -> int:
        """Return the nearest seat before this one that is still in."""
        return next((other for other in reversed(self.staying) if other < seat), self.staying[-1])

    def ended(self) -> str:
        """Return the reason why the game is over; "" while it goes on."""
        if len(self.staying) == 1:
            return LAST_STANDING
        if self._repeated:
            return "repetition"
        return "standstill" if self._quiet >= STANDSTILL * len(self.staying) else ""

    def play_turn(self, below: Below) -> None:
        """Play a turn; afterwards seats that can neither add nor move leave."""
        seat, sorts = self._seat, open_sorts(self, self._seat)
        move = random_move(self.board, LETTERS[seat], self.reserve[seat], sorts, below)
        self._carry_out(seat, move)
        self._seat = self._after(seat)
        while len(self.staying) > 1 and not self._can_act():
            self._leave()
        self._repeated = len(self.staying) > 1 and self._is_met_again()

    def _carry_out(self, seat: int, move: Move) -> None:
        action, done = move.action, outcome(self.board, LETTERS[seat], move)
        added = ADDED if isinstance(action, Add) else 0
        given = isinstance(action, Walk) and action.sacrifice
        self.board = dict(freeze(done.board)) if isinstance(action, Change) else done.board
        self.reserve[seat] += done.deleted - added
        self.last_actions[seat] = action.name
        self._quiet = 0 if added or given or done.deleted else self._quiet + 1
        if given:
            self._forget()

    def _can_act(self) -> bool:
        seat = self._seat
        return can_act(self.board, LETTERS[seat], self.reserve[seat], open_sorts(self, seat))

    def _leave(self) -> None:
        seat, letter = self._seat, LETTERS[self._seat]
        self._seat = self._after(seat)
        self.board = {ring: marbles.replace(letter, "") for ring, marbles in self.board.items()}
        self.reserve[seat] = self._quiet = 0
        self.out.append(seat)
        self.staying.remove(seat)
        self._forget()

    def _after(self, seat: int) -> int:
        """Return the next seat after this one that is still in."""
        return next((other for other in self.staying if other > seat), self.staying[0])

    def _forget(self) -> None:
        """Forget all earlier positions, since none of them can come back."""
        self._remembered = ()
        self._met.clear()

    def _is_met_again(self) -> bool:
        """Note this position, and return whether it has come up so often that the game is drawn.

        The earlier positions are searched only if this one has come up here often enough.
        """
        here = frozenset(self.board.items()), tuple(self.reserve), tuple(self.out), self._seat
        self._met[here] += 1
        remembered = max(Counter(self._remembered).values(), default=0)
        if self._met[here] + remembered < REPETITIONS:
            return False
        return self._met[here] + self._remembered.count(self._key()) >= REPETITIONS

    def _key(self) -> str:
        rings, reserve, out = freeze(self.board), tuple(self.reserve), tuple(self.out)
        return Position(rings, reserve, out, self._seat, ()).key()
