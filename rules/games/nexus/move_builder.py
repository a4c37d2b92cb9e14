"""The move builder of NEXUS: an action, its rings one by one, and the marbles that are removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rules.drawing.diagram import Diagram
from rules.game import Step as Turn
from rules.games.nexus.board import (
    Action,
    Add,
    Board,
    Change,
    Step,
    Walk,
    after_add,
    ordinary_steps,
    reachable,
    sacrifice_steps,
    spots,
    take_step,
    undoes,
)
from rules.games.nexus.legality import COLOURS, contents
from rules.games.nexus.picture import picture
from rules.games.nexus.position import LETTERS, Position, freeze
from rules.games.nexus.turn import Debt, Loss, Move, carry_out, debts, default_losses, losing, spelled
from rules.geometry.hexes import names, places
from rules.move_builder import MoveBuilder, Pick

SACRIFICE = "sacrifice"
MARBLES_ADDED = 3
RINGS_CHANGED = 4
_LABELS = {Add.name: "add three marbles", Walk.name: "move twice", Change.name: "change four rings"}


@dataclass(frozen=True)
class Beginning(MoveBuilder[Move]):
    """The builder before the first pick; `sorts` are the actions that the seat to move may take."""

    position: Position
    sorts: tuple[str, ...]

    def picks(self) -> Iterator[Pick]:
        for sort in self.sorts:
            if any(self.picked(sort).picks()):
                yield Pick(sort, "", _LABELS[sort], "action")

    def picked(self, text: str) -> MoveBuilder[Move]:
        begun: dict[str, type[Adding | Walking | Changing]]
        begun = {Add.name: Adding, Walk.name: Walking, Change.name: Changing}
        return begun[text](self.position)

    def move(self) -> None:
        return None

    def diagram(self) -> Diagram:
        return _picture(self.position, self.position.board)


@dataclass(frozen=True)
class Adding(MoveBuilder[Move]):
    """Three marbles on empty rings, in any order."""

    position: Position
    rings: tuple[int, ...] = ()

    def picks(self) -> Iterator[Pick]:
        seat = self.position.to_move
        rings = reachable(self.position.board, LETTERS[seat])
        if min(len(rings), self.position.reserve[seat]) < MARBLES_ADDED:
            return
        number = len(self.rings) + 1
        for ring in rings:
            if ring not in self.rings:
                yield _pick(ring, f"marble {number} of {MARBLES_ADDED} on {{}}", "add")

    def picked(self, text: str) -> MoveBuilder[Move]:
        rings = (*self.rings, places()[text])
        if len(rings) < MARBLES_ADDED:
            return replace(self, rings=rings)
        return Acted(self.position, Add(tuple(sorted(rings))))

    def move(self) -> None:
        return None

    def diagram(self) -> Diagram:
        board = self.position.board
        return _picture(self.position, after_add(board, LETTERS[self.position.to_move], self.rings))


@dataclass(frozen=True)
class Walking(MoveBuilder[Move]):
    """Two steps: for each the ring that a marble leaves and the one that it reaches.

    A sacrifice step begins with the ring on which a marble is given up. `first` is the step already made.
    """

    position: Position
    first: Step | None = None
    sacrifice: bool = False
    given: int | None = None
    start: int | None = None

    def picks(self) -> Iterator[Pick]:
        if self.start is not None:
            yield from map(self._end, self._steps("end").values())
        elif self.sacrifice and self.given is None:
            for ring in self._steps("given"):
                yield _pick(ring, "give up a marble on {}", "give up")
        else:
            for ring in self._steps("start"):
                yield _pick(ring, "move a marble from {}", "move", lifts=True)
            may_give = not self.sacrifice and not (self.first and self.first.given is not None)
            if may_give and any(replace(self, sacrifice=True).picks()):
                yield Pick(SACRIFICE, "", "give up one marble to move another anywhere", "action")

    def picked(self, text: str) -> MoveBuilder[Move]:
        if text == SACRIFICE:
            return replace(self, sacrifice=True)
        ring = places()[text]
        if self.start is not None:
            step = Step(self.start, ring, self.given)
            if not self.first:
                return Walking(self.position, step)
            return Acted(self.position, Walk((self.first, step)))
        if self.sacrifice and self.given is None:
            return replace(self, given=ring)
        return replace(self, start=ring)

    def move(self) -> None:
        return None

    def marks(self) -> tuple[str, ...]:
        return tuple(names()[ring] for ring in (self.given, self.start) if ring is not None)

    def diagram(self) -> Diagram:
        given = self.first is not None and self.first.given is not None
        return _picture(self.position, self._board(), int(given))

    def _colour(self) -> str:
        return LETTERS[self.position.to_move]

    def _board(self) -> Board:
        """The board after the first step, if that is made."""
        board = self.position.board
        return take_step(board, self._colour(), self.first)[0] if self.first else board

    def _steps(self, field: str) -> dict[int, Step]:
        """Return the possible values of a field of the step that lead to a legal move, each with one
        such step.
        """
        board, colour = self._board(), self._colour()
        found: dict[int, Step] = {}
        for step in (sacrifice_steps if self.sacrifice else ordinary_steps)(board, colour):
            fits = self.given in (None, step.given) and self.start in (None, step.start)
            if fits and getattr(step, field) not in found and self._may_be_next(step):
                found[getattr(step, field)] = step
        return found

    def _may_be_next(self, step: Step) -> bool:
        """Return whether a second step changes the position in total, or a first one allows a second."""
        board, colour = self.position.board, self._colour()
        if self.first:
            return not undoes(step, self.first, take_step(board, colour, self.first)[1])
        between, deleted = take_step(board, colour, step)
        if any(not undoes(second, step, deleted) for second in ordinary_steps(between, colour)):
            return True
        return step.given is None and any(True for _ in sacrifice_steps(between, colour))

    def _end(self, step: Step) -> Pick:
        _, deleted = take_step(self._board(), self._colour(), step)
        label = "it moves to {}" + (f", deleting {contents(deleted)}" if deleted else "")
        return _pick(step.end, label, "move")


@dataclass(frozen=True)
class Changing(MoveBuilder[Move]):
    """Four rings taken away one by one, then four put down, each in order."""

    position: Position
    taken: tuple[int, ...] = ()
    put: tuple[int, ...] = ()

    def picks(self) -> Iterator[Pick]:
        for place, after in sorted(dict(self._next()).items()):
            if after.can_end():
                number = len(after.put or after.taken)
                act, where = ("put down", "to") if after.put else ("take away", "from")
                yield _pick(place, f"ring {number} of {RINGS_CHANGED} {where} {{}}", act)

    def picked(self, text: str) -> MoveBuilder[Move]:
        after = next(after for place, after in self._next() if names()[place] == text)
        complete = len(after.put) == RINGS_CHANGED
        return Acted(self.position, Change(after.taken, after.put)) if complete else after

    def move(self) -> None:
        return None

    def diagram(self) -> Diagram:
        return _picture(self.position, dict.fromkeys(self.put, "") | self._kept())

    def can_end(self) -> bool:
        """Return whether the change can be completed."""
        return len(self.put) == RINGS_CHANGED or any(after.can_end() for _, after in self._next())

    def _next(self) -> Iterator[tuple[int, Changing]]:
        """Yield each possible next place, and the change after it."""
        if len(self.taken) < RINGS_CHANGED:
            for ring, marbles in self.position.board.items():
                if not marbles and ring not in self.taken:
                    yield ring, replace(self, taken=(*self.taken, ring))
            return
        board = self.position.board.keys()
        for place in spots(board - {*self.taken} | {*self.put}, board):
            yield place, replace(self, put=(*self.put, place))

    def _kept(self) -> Board:
        return {ring: marbles for ring, marbles in self.position.board.items() if ring not in self.taken}


@dataclass(frozen=True)
class Acted(MoveBuilder[Move]):
    """A complete action, and the surrounded marbles picked to be removed, if there is a choice.

    If none is picked, the rules choose the marbles.
    """

    position: Position
    action: Action
    losses: tuple[Loss, ...] = ()

    def picks(self) -> Iterator[Pick]:
        board, owed = self._board_and_debts()
        left = _less(board, self.losses)
        if all(len(_holders(board, debt)) == 1 for debt in owed):
            return
        for debt in owed:
            paid = [loss for loss in self.losses if loss.ring in debt.group and loss.colour == debt.colour]
            if len(paid) < debt.number:
                for ring in _holders(left, debt):
                    label = f"remove a {COLOURS[debt.colour]} marble from {names()[ring]}"
                    text = names()[ring] + debt.colour
                    yield Pick(text, names()[ring], label, f"remove {COLOURS[debt.colour]}")

    def picked(self, text: str) -> Acted:
        return replace(self, losses=(*self.losses, Loss(places()[text[:-1]], text[-1])))

    def move(self) -> Move | None:
        if not self.losses:
            return Move(self.action)
        board, owed = self._board_and_debts()
        if len(self.losses) < sum(debt.number for debt in owed):
            return None
        remove = spelled(board, owed, self.losses)
        return Move(self.action, () if remove == default_losses(board, owed) else remove)

    def diagram(self) -> Diagram:
        board, _ = self._board_and_debts()
        given = isinstance(self.action, Walk) and self.action.sacrifice
        return _picture(self.position, _less(board, self.losses), int(given))

    def _board_and_debts(self) -> tuple[Board, list[Debt]]:
        """The board before surrounded marbles are removed, and the marbles to be removed."""
        board, colour = self.position.board, LETTERS[self.position.to_move]
        after, _ = carry_out(board, colour, self.action)
        return after, debts(board, after, colour)


def picks_of(position: Position, move: Move) -> tuple[str, ...]:
    """Return the picks that build a move: the action, its rings in order, and the marbles to remove."""
    action, name = move.action, names()
    found: list[str] = [action.name]
    if isinstance(action, Walk):
        for step in action.steps:
            found += [SACRIFICE, name[step.given]] if step.given is not None else []
            found += [name[step.start], name[step.end]]
    else:
        rings = action.rings if isinstance(action, Add) else (*action.taken, *action.put)
        found += [name[ring] for ring in rings]
    if move.remove:
        board, colour = position.board, LETTERS[position.to_move]
        after, _ = carry_out(board, colour, action)
        owed = debts(board, after, colour)
        found += [name[ring] + (letter or losing(after, owed, ring)[0]) for ring, letter in move.remove]
    return tuple(found)


def _pick(place: int, label: str, group: str, *, lifts: bool = False) -> Pick:
    name = names()[place]
    return Pick(name, name, label.format(name), group, lifts)


def _holders(board: Board, debt: Debt) -> list[int]:
    """Return the rings that can lose a marble for a debt."""
    return [ring for ring in sorted(debt.group) if debt.colour in board[ring]]


def _less(board: Board, losses: Iterable[Loss]) -> Board:
    """Return the board without these marbles."""
    left = board.copy()
    for ring, colour in losses:
        left[ring] = left[ring].replace(colour, "", 1)
    return left


def _picture(position: Position, board: Board, given: int = 0) -> Diagram:
    """Return the picture of a board during the turn, with marks on its changes.

    Added marbles come from the reserve of the player, and as many as are deleted go to it. `given` is the
    number of marbles given up in sacrifices.
    """
    before, now = (sum(map(len, each.values())) for each in (position.board, board))
    reserve = list(position.reserve)
    reserve[position.to_move] += before - now - given
    between = replace(position, rings=freeze(board), reserve=tuple(reserve))
    return picture(between, Turn(position, {}, between), None, None)
