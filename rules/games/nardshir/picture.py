"""The picture of a position of Nardshir, and sentences about a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.drawing.diagram import Arrow, Cell, Diagram, Die, Ground, Row, Tally
from rules.drawing.themes import BLACK, FRAME, OWN_TRAY, POINTS, TRAY, WHITE
from rules.game import Step
from rules.games.nardshir.board import DISCS, HAND, OFF, STANDSTILL, Side, Turn, dice_left
from rules.games.nardshir.notation import place_name
from rules.games.nardshir.position import SEATS, Position
from rules.sentences import listed

INKS = (BLACK, WHITE)
"""By seat."""
NEAR_STANDSTILL = 500
LEVELS = 5
"""The discs of a stack that are drawn one by one."""
_DICE_AT = 10
"""The middle of the right half of the board: after six points, the hand and three points."""
TOP, BOTTOM = range(13, 25), range(12, 0, -1)
"""The points of X in the half where its discs go off, and in the half where they enter; those of O are 25 minus
them.
"""

Stack = tuple[int, int]
"""The discs of a seat on a place: seat, place."""


# The picture


def picture(position: Position, step: Step[Position, Turn] | None, plan: Turn | None, over: bool) -> Diagram:
    """Return the board as X sees it across the table, for any reader: with the numbers of both sides.

    The numbers of the seat to move are next to the board, and places have the names that it uses.
    """
    viewer = position.to_move
    top, bottom = _halves(position, (TOP, BOTTOM), viewer, _touched(step), plan)
    return Diagram(
        rows=(
            _numbers(TOP, 1 - viewer, SEATS[1 - viewer]),
            _numbers(TOP, viewer, SEATS[viewer]),
            *top,
            Row("", (Cell(""),)),
            *reversed(bottom),
            _numbers(BOTTOM, viewer, SEATS[viewer]),
            _numbers(BOTTOM, 1 - viewer, SEATS[1 - viewer]),
        ),
        captions=(
            _waiting(position),
            *_captions(position, over, f"Its points are numbered in the lines {SEATS[viewer]}."),
        ),
        arrows=_arrows(plan),
        dice=_dice(position, step),
        dice_at=_DICE_AT,
        surface=FRAME,
        tally=_tally(position),
    )


def picture_for(
    seat: int, position: Position, step: Step[Position, Turn] | None, plan: Turn | None, over: bool
) -> Diagram:
    """Return the board as a seat sees it, with its numbers only: its discs enter at the top.

    They go off at the bottom. Places have the names that the seat uses.
    """
    halves = (BOTTOM, TOP) if seat == 0 else (TOP, BOTTOM)
    top, bottom = _halves(position, halves, seat, _touched(step), plan)
    return Diagram(
        rows=(
            _numbers(halves[0], seat),
            *top,
            Row("", (Cell(""),)),
            *reversed(bottom),
            _numbers(halves[1], seat),
        ),
        captions=(_waiting(position), *_captions(position, over, ""), _numbered_for(seat)),
        arrows=_arrows(plan),
        dice=_dice(position, step),
        dice_at=_DICE_AT,
        surface=FRAME,
        tally=_tally(position),
    )


def _halves(
    position: Position, halves: tuple[range, range], viewer: int, touched: Counter[Stack], plan: Turn | None
) -> tuple[list[Row], list[Row]]:
    """Return the five rows of discs of each half, from the edge inwards.

    The hand and the discs off of the side that is not the viewer have no names. A stack is filled from the
    edge; if it has more than five discs, its number is innermost. Marks show the discs that a turn moved, at
    their new places, and the discs that it hit. With a plan, which is drawn as arrows, only the innermost disc
    of a stack, or the edge, has the name.
    """
    drawn = []
    for half in halves:
        stacks = _stacks(position.discs, half)
        columns = list(
            _columns(position.discs, stacks, viewer, touched, POINTS["down" if half is halves[0] else "up"])
        )
        if plan:
            columns = [_named_once(column) for column in columns]
        drawn.append([Row("", cells) for cells in zip(*columns, strict=True)])
    return drawn[0], drawn[1]


def _arrows(plan: Turn | None) -> tuple[Arrow, ...]:
    return tuple(
        Arrow(place_name(hop.start), place_name(hop.end), "hit" if hop.hit else "move") for hop in plan or ()
    )


def _dice(position: Position, step: Step[Position, Turn] | None) -> tuple[Die, ...]:
    """Return the dice to be played; those of the turn played in `step` until the next roll."""
    if step is None or not step.moves or (position.dice and position.turn != step.before.turn):
        return tuple(map(Die, position.dice))
    used = [hop.die for hop in step.moves[step.before.to_move]]
    idle = "" if position.dice else "not played"
    dice = []
    for number in step.before.dice:
        dice.append(Die(number, "used" if number in used else idle))
        if number in used:
            used.remove(number)
    return tuple(dice)


def _touched(step: Step[Position, Turn] | None) -> Counter[Stack]:
    """Return how many discs of each stack arrived in the turn."""
    touched: Counter[Stack] = Counter()
    for seat, turn in step.moves.items() if step else ():
        for hop in turn:
            touched[seat, hop.start] = max(0, touched[seat, hop.start] - 1)
            touched[seat, hop.end] += 1
            touched[1 - seat, HAND] += hop.hit
    return touched


def _stacks(discs: Sequence[Side], half: range) -> list[Stack]:
    """Return, from the left: six points, the hand of the seat that enters here, six points, the other's discs
    off.
    """
    enters = 0 if half == BOTTOM else 1
    points = [(0, point) if discs[0][point] else (1, OFF - point) for point in half]
    return [*points[:6], (enters, HAND), *points[6:], (1 - enters, OFF)]


def _columns(
    discs: Sequence[Side],
    stacks: Sequence[Stack],
    viewer: int,
    touched: Counter[Stack],
    points: Sequence[Ground],
) -> Iterator[list[Cell]]:
    """Yield the five cells of each stack, from the edge inwards."""
    for index, (seat, place) in enumerate(stacks):
        count = discs[seat][place]
        texts = [SEATS[seat]] * min(count, LEVELS)
        if count > LEVELS:
            texts[-1] = str(count)
        old = len(texts) - touched[seat, place]
        name = _name(seat, place, viewer)
        tray = OWN_TRAY if seat == viewer else TRAY
        ground = tray if place in (HAND, OFF) else points[index % 2]
        cells = [Cell(name, text, ground, INKS[seat], level >= old) for level, text in enumerate(texts)]
        yield cells + [Cell(name, ground=ground)] * (LEVELS - len(texts))


def _named_once(column: list[Cell]) -> list[Cell]:
    innermost = max(0, sum(bool(cell.text) for cell in column) - 1)
    return [cell if level == innermost else replace(cell, name="") for level, cell in enumerate(column)]


def _name(seat: int, place: int, viewer: int) -> str:
    if seat == viewer:
        return place_name(place)
    return "" if place in (HAND, OFF) else str(OFF - place)


def _numbers(half: range, seat: int, label: str = "") -> Row:
    numbers = [Cell("", str(point if seat == 0 else OFF - point)) for point in half]
    return Row(label, (*numbers[:6], Cell("", "in"), *numbers[6:], Cell("", "off")))


def _tally(position: Position) -> Tally:
    rows = (("in hand", HAND), ("off", OFF))
    return Tally(
        sides=tuple(Cell(side, side, ink=ink) for side, ink in zip(SEATS, INKS, strict=True)),
        rows=tuple((Cell(name), tuple(discs[place] for discs in position.discs)) for name, place in rows),
        repeats=1,
    )


def _waiting(position: Position) -> str:
    """Return a sentence on the number of discs beside the board."""
    return " ".join(
        f"{side}: {discs[HAND]} in hand, {discs[OFF]} off."
        for side, discs in zip(SEATS, position.discs, strict=True)
    )


def _numbered_for(seat: int) -> str:
    return f"The numbers are those of {SEATS[seat]}; {SEATS[1 - seat]} counts {OFF} minus them."


def _captions(position: Position, over: bool, numbered: str) -> Iterator[str]:
    mover = SEATS[position.to_move]
    if position.dice:
        yield f"{mover} plays {listed(position.dice)}. {numbered}".strip()
    elif not over:
        yield f"{mover} is to roll."
    if position.quiet_turns >= NEAR_STANDSTILL and not over:
        yield f"No disc was borne off for {position.quiet_turns} turns; after {STANDSTILL} the game is a draw."


_PLAYED = {3: "one", 2: "two"}
"""The number of dice played of a double, by how many are left."""


# The story


def story(step: Step[Position, Turn]) -> list[str]:
    """Return sentences on the hits, the discs borne off, and the dice that could not be played."""
    seat = step.before.to_move
    if seat not in step.moves:
        return []
    turn, mover, enemy = step.moves[seat], SEATS[seat], SEATS[1 - seat]
    sentences = [
        f"{mover} hit the disc of {enemy} on {OFF - hop.end} ({hop.end} for {mover}): it is back in hand."
        for hop in turn
        if hop.hit
    ]
    left = DISCS - step.after.discs[seat][OFF]
    if borne_off := sum(hop.end == OFF for hop in turn):
        discs = "1 disc" if borne_off == 1 else f"{borne_off} discs"
        sentences.append(f"{mover} bore off {discs} and has {left or 'none'} left.")
    if left and (idle := dice_left(step.before.dice, turn)):
        sentences.append(f"{mover} {_idle(idle, passed=not turn)}.")
    return sentences


def _idle(dice: Sequence[int], *, passed: bool) -> str:
    """Return half a sentence on the dice that could not be played."""
    equal = len(dice) > 1 and len(set(dice)) == 1
    if passed:
        none = f"no {dice[0]}" if equal else f"neither {listed(dice, 'nor')}"
        return f"could play {none} and passed"
    if equal:
        return f"could play only {_PLAYED[len(dice)]} of the four {dice[0]}s"
    return f"could not play {dice[0]}"
