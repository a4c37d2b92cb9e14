"""Reasons why a turn of NEXUS is illegal, in sentences for the player.

Each function raises IllegalMove if a rule forbids its argument; otherwise it returns nothing, or the legal
value. The predicates of `board` and `turn` decide legality.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rules.errors import IllegalMove
from rules.games.nexus.board import (
    Action,
    Add,
    Board,
    Change,
    Step,
    Walk,
    can_leave_two,
    ends,
    fits,
    owned,
    reachable,
    spots,
    take_step,
    undoes,
)
from rules.games.nexus.notation import write_steps
from rules.games.nexus.turn import Debt, Loss, losing, spelled
from rules.geometry.hexes import DIRECTIONS, names
from rules.sentences import listed

COLOURS = {"r": "red", "b": "blue", "g": "green", "y": "yellow"}


def contents(marbles: str) -> str:
    """Return the marbles of a ring as text: "1 blue marble, 1 green marble and 2 red marbles"."""
    counts = sorted(Counter(marbles).items())
    words = [f"{count} {COLOURS[letter]} marble{'s' * (count > 1)}" for letter, count in counts]
    return listed(words)


def judge_action(board: Board, colour: str, reserve: int, action: Action) -> None:
    """Check that an action is possible on this board, with this many marbles in reserve."""
    if isinstance(action, Add):
        judge_add(board, colour, reserve, action)
    elif isinstance(action, Walk):
        judge_walk(board, colour, action)
    else:
        judge_change(board, action)


# Additions


def judge_add(board: Board, colour: str, reserve: int, add: Add) -> None:
    """Check that three marbles can be added here."""
    if reserve < 3:
        raise IllegalMove(f"To add you need three marbles in your reserve, but you have {reserve}.")
    if len(add.rings) != 3:
        raise IllegalMove(f"Add exactly three marbles; you named {_rings(len(add.rings))}.")
    _no_ring_twice(add.rings, "the three marbles must go on three different rings")
    can_be_reached = reachable(board, colour)
    for ring in add.rings:
        marbles = _ring(board, ring)
        if marbles:
            raise IllegalMove(
                f"{names()[ring]} holds {contents(marbles)}; you can add marbles only on empty rings."
            )
        if ring not in can_be_reached:
            raise IllegalMove(
                f"{names()[ring]} cannot be reached: no path of rings that are empty or hold only your own "
                "marbles leads to it from the border."
            )


def _ring(board: Board, place: int) -> str:
    if place not in board:
        raise IllegalMove(f"There is no ring on {names()[place]}.")
    return board[place]


def _rings(count: int) -> str:
    return "1 ring" if count == 1 else f"{count} rings"


def _no_ring_twice(rings: Sequence[int], rule: str) -> None:
    for number, ring in enumerate(rings):
        if ring in rings[:number]:
            raise IllegalMove(f"{names()[ring]} is named twice, but {rule}.")


# Moves


def judge_walk(board: Board, colour: str, walk: Walk) -> None:
    """Check that marbles can move like this."""
    if len(walk.steps) != 2:
        steps = "1 step" if len(walk.steps) == 1 else f"{len(walk.steps)} steps"
        raise IllegalMove(f"A move is exactly two steps; you wrote {steps}.")
    first, second = walk.steps
    if first.given is not None and second.given is not None:
        raise IllegalMove("Only one of the two steps of a move can have a sacrifice; you wrote two.")
    judge_step(board, colour, first)
    between, deleted = take_step(board, colour, first)
    judge_step(between, colour, second)
    if undoes(second, first, deleted):
        raise IllegalMove(
            f"{write_steps(walk.steps)[0]} leaves the position unchanged, but an action must change it."
        )


def judge_step(board: Board, colour: str, step: Step) -> None:
    """Check that one step is possible on this board."""
    start, end, given = step
    if given is not None:
        _can_leave(board, colour, given)
    _can_leave(board, colour, start)
    marbles = _ring(board, end)
    if start == end:
        raise IllegalMove(f"A marble must end on another ring than {names()[start]}, where it starts.")
    if given is not None and not can_leave_two(board, given, start):
        raise IllegalMove(f"{names()[start]} holds 1 marble, which cannot be both given up and moved.")
    if not fits(board, colour, step):
        raise IllegalMove(
            f"{names()[end]} cannot take your marble: it holds {contents(marbles)}, and a ring takes at most "
            "three of one colour and four in all."
        )
    if given is None and end not in ends(board, colour, start):
        raise IllegalMove(_why_too_far(board, colour, start, end))


def _can_leave(board: Board, colour: str, start: int) -> None:
    marbles = _ring(board, start)
    if colour not in marbles:
        held = f"it holds {contents(marbles)}" if marbles else "it is empty"
        raise IllegalMove(f"You have no marble on {names()[start]}: {held}.")
    if not owned(marbles, colour):
        raise IllegalMove(
            f"Your marbles on {names()[start]} are blocked: it holds {contents(marbles)}, and no marble leaves "
            "a ring of two or more colours."
        )


def _why_too_far(board: Board, colour: str, start: int, end: int) -> str:
    begin = f"{names()[start]}-{names()[end]} is not possible:"
    rule = "A step goes to a neighbouring ring, or straight over rings with only your own marbles."
    between = _line(start, end)
    if not between:
        return f"{begin} the two rings are neither neighbours nor in a straight line. {rule}"
    for place in between:
        if place not in board:
            return f"{begin} there is no ring on {names()[place]} between them. {rule}"
        if not owned(board[place], colour):
            held = f"holds {contents(board[place])}" if board[place] else "is empty"
            return f"{begin} {names()[place]} between them {held}. {rule}"
    return (
        f"{begin} a jump goes over the whole row of rings with only your own marbles, to the ring behind the "
        f"last of them, and {names()[end]} is within the row."
    )


def _line(start: int, end: int) -> list[int]:
    """Return the places between two that lie in a straight line, [] if they do not."""
    for way in DIRECTIONS:
        between: list[int] = []
        place = start + way
        while place in names():
            if place == end:
                return between
            between.append(place)
            place += way
    return []


# Changes of rings


def judge_change(board: Board, change: Change) -> None:
    """Check that four rings can change like this."""
    taken, put = change.taken, change.put
    if (len(taken), len(put)) != (4, 4):
        raise IllegalMove(
            f"Take away exactly four rings and put down four; you named {len(taken)} and {len(put)}."
        )
    _no_ring_twice(taken, "you must take away four different rings")
    _no_ring_twice(put, "the four rings must go on four different places")
    for ring in taken:
        marbles = _ring(board, ring)
        if marbles:
            raise IllegalMove(f"{names()[ring]} holds {contents(marbles)}; you can take away only empty rings.")
    rings = board.keys() - set(taken)
    for place in put:
        if place in board:
            raise IllegalMove(
                f"{names()[place]} had a ring before your action; put rings down only on places that had none."
            )
        if place not in spots(rings, board):
            count = sum(place + way in rings for way in DIRECTIONS)
            raise IllegalMove(
                f"{names()[place]} touches {_rings(count) if count else 'no ring'} when its turn comes; a "
                "ring must touch at least two others where you put it down."
            )
        rings.add(place)


# Marbles to remove


def judge_losses(board: Board, owed: Sequence[Debt], losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Return the marbles that the player wants to remove, in the order and form of canonical text."""
    chosen = [_coloured(board, owed, loss) for loss in losses]
    for (ring, letter), count in Counter(chosen).items():
        held = board[ring].count(letter)
        if count > held:
            raise IllegalMove(
                f"You remove {contents(letter * count)} from {names()[ring]}, but it holds only "
                f"{contents(board[ring])}."
            )
    for group, letter, count in owed:
        named = sum(loss.ring in group and loss.colour == letter for loss in chosen)
        if named != count:
            rings = ", ".join(names()[ring] for ring in sorted(group))
            raise IllegalMove(
                f"The surrounded group {rings} loses exactly {contents(letter * count)}; you named {named}."
            )
    return spelled(board, owed, chosen)


def _coloured(board: Board, owed: Sequence[Debt], loss: Loss) -> Loss:
    """Return the loss with its colour."""
    ring = names()[loss.ring]
    colours = losing(board, owed, loss.ring)
    if not owed:
        raise IllegalMove(
            f"This action surrounds no group that loses marbles, so you cannot remove any from {ring}."
        )
    if not colours:
        raise IllegalMove(
            f"You cannot remove a marble from {ring}: it holds none that a newly surrounded group must lose."
        )
    if loss.colour and loss.colour not in colours:
        raise IllegalMove(f"You cannot remove a {COLOURS[loss.colour]} marble from {ring}.")
    if not loss.colour and len(colours) > 1:
        words = " and ".join(COLOURS[letter] for letter in colours)
        choices = " or ".join(ring + letter for letter in colours)
        raise IllegalMove(f"Marbles of two colours can be removed from {ring}, {words}: write {choices}.")
    return Loss(loss.ring, loss.colour or colours[0])
