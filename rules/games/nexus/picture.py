"""The picture of a position of NEXUS, and sentences about a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules.drawing.diagram import ON_DARK, ON_LIGHT, Arrow, Cell, Diagram, Ground, Ink, Row, Tally
from rules.game import Step
from rules.games.nexus.board import Add, Board, Change, Walk, spots
from rules.games.nexus.legality import contents
from rules.games.nexus.position import LETTERS, SEATS, Position
from rules.games.nexus.turn import Move, outcome
from rules.geometry.hexes import column_and_row, letter_of, names, place_at
from rules.result import Result
from rules.sentences import listed

RING = Ground(
    "#d8c9ae",
    ON_LIGHT,
    "ring",
    sign="o",
    shape="ring",
    lines=("#f5eedd", "#b08a55", "#5b4526"),
    name="ring",
    glyph="",
)
FREE = Ground("", "#767676", "no ring", shape="dot", lines=("#888",))
"""A place where a ring could be put."""
MARBLES = Ink(
    "",
    "",
    "",
    marbles={
        "r": Ink("#c8372f", ON_DARK, "red", glyph="bar"),
        "b": Ink("#2f62c4", ON_DARK, "blue", glyph="ring"),
        "g": Ink("#2c7a3a", ON_DARK, "green", glyph="plus"),
        "y": Ink("#f2c81e", ON_LIGHT, "yellow", glyph="dot"),
    },
)


# The picture


def picture(
    position: Position, step: Step[Position, Move] | None, plan: Move | None, result: Result | None
) -> Diagram:
    """Return all rings, and the places where one could be put; mark the changes of the turn or the plan.

    A ring shows its marbles in small letters or, if empty, the letter of its column as a capital.
    """
    marked = _changed(step) if step else set()
    if plan:
        marked |= _planned(plan)
    board = position.board
    shown = marked.union(board, spots(board))
    rows = []
    for number in range(*_span(column_and_row(place)[1] for place in shown)):
        columns = [column for column, row in map(column_and_row, shown) if row == number]
        cells = [_cell(place_at(column, number), board, shown, marked) for column in range(*_span(columns))]
        rows.append((number, min(columns, default=0), tuple(cells)))
    edge = min((2 * column + number for number, column, cells in rows if cells), default=0)
    return Diagram(
        rows=tuple(
            Row(str(number), cells, 2 * column + number - edge if cells else 0)
            for number, column, cells in rows
        ),
        captions=(*_captions(position), _whose_turn(position, result)),
        signs=(_signs(position),),
        arrows=_arrows(plan),
        hexagonal=True,
        tally=_tally(position),
    )


def _span(numbers: Iterable[int]) -> tuple[int, int]:
    """Return the ends of the range from the smallest number to the largest, (0, 0) for none."""
    found = list(numbers)
    return (min(found), max(found) + 1) if found else (0, 0)


def _cell(place: int, board: Board, shown: set[int], marked: set[int]) -> Cell:
    if place not in shown:
        return Cell("")
    mark = place in marked
    if place not in board:
        return Cell(names()[place], ground=FREE, mark=mark)
    if board[place]:
        return Cell(names()[place], board[place], RING, MARBLES, mark)
    return Cell(names()[place], letter_of(column_and_row(place)[0]).upper(), RING, mark=mark)


def _changed(step: Step[Position, Move]) -> set[int]:
    """Return the places that the step changed."""
    return {place for place, _ in set(step.before.rings) ^ set(step.after.rings)}


def _planned(plan: Move) -> set[int]:
    action = plan.action
    if isinstance(action, Add):
        return set(action.rings)
    if isinstance(action, Change):
        return {*action.taken, *action.put}
    return {step.given for step in action.steps if step.given is not None}


def _arrows(plan: Move | None) -> tuple[Arrow, ...]:
    if not plan or not isinstance(plan.action, Walk):
        return ()
    return tuple(Arrow(names()[step.start], names()[step.end]) for step in plan.action.steps)


def _signs(position: Position) -> str:
    colours = ", ".join(f"{LETTERS[seat]} {SEATS[seat].lower()}" for seat in position.staying)
    return f"{colours}; capital: empty ring, dot: no ring."


def _tally(position: Position) -> Tally:
    letters = LETTERS[: len(position.reserve)]
    on_board = "".join(marbles for _, marbles in position.rings)
    return Tally(
        sides=tuple(
            Cell(SEATS[seat], letter, ink=MARBLES.marbles[letter]) for seat, letter in enumerate(letters)
        ),
        rows=(
            (Cell("in reserve"), tuple(position.reserve)),
            (Cell("on the board"), tuple(on_board.count(letter) for letter in letters)),
        ),
        repeats=1,
    )


_DONE = {"add": "added marbles", "move": "moved marbles", "rings": "moved rings"}


def _captions(position: Position) -> list[str]:
    """Return the reserves, the last actions and the seats that are out."""
    seats = position.staying
    on_board = "".join(marbles for _, marbles in position.rings)
    lines = [
        "In reserve + on the board: "
        + ", ".join(f"{SEATS[seat]} {position.reserve[seat]}+{on_board.count(LETTERS[seat])}" for seat in seats)
        + ".",
    ]
    acted = [f"{SEATS[seat]} {_DONE[action]}" for seat in seats if (action := position.last_actions[seat])]
    if acted:
        lines.append(f"Last actions: {', '.join(acted)}.")
    if position.out:
        lines.append(f"Out: {', '.join(SEATS[seat] for seat in position.out)}.")
    return lines


def _whose_turn(position: Position, result: Result | None) -> str:
    if not result:
        return f"{SEATS[position.to_move]} to move."
    if len(result.winners) == 1:
        return f"{SEATS[result.winners[0]]} has won."
    return f"The game is a draw between {listed(SEATS[seat] for seat in result.winners)}."


# The story


def story(step: Step[Position, Move]) -> list[str]:
    """Return sentences on the marbles deleted and given up, and on the seats that left."""
    sentences = []
    for seat, move in step.moves.items():
        sentences += _deletions(step.before.board, seat, move)
    for seat in step.after.out[len(step.before.out) :]:
        leave = f"{SEATS[seat].lower()} marbles leave the game."
        if step.left and step.left[0] == seat:
            sentences.append(f"The {leave}")
        else:
            sentences.append(f"{SEATS[seat]} can neither add nor move and is out, and the {leave}")
    return sentences


def _deletions(board: Board, seat: int, move: Move) -> list[str]:
    sentences = []
    if isinstance(move.action, Walk):
        given = (step.given for step in move.action.steps if step.given is not None)
        sentences += [f"{SEATS[seat]} gives up a marble on {names()[ring]}." for ring in given]
    done = outcome(board, LETTERS[seat], move)
    sentences += [
        f"Deleted by blocking on {names()[ring]}: {contents(marbles)}." for ring, marbles in done.blocked
    ]
    removed = ", ".join(
        f"{contents(loss.colour * count)} on {names()[loss.ring]}"
        for loss, count in Counter(done.removed).items()
    )
    if removed:
        sentences.append(f"Deleted by surrounding: {removed}.")
    if done.deleted:
        marbles = "1 marble" if done.deleted == 1 else f"{done.deleted} marbles"
        sentences.append(f"{SEATS[seat]} puts {marbles} into the reserve.")
    return sentences
