"""The picture of a position of Nebuchadnezzar, and sentences about a turn."""

from __future__ import annotations

from functools import cache, lru_cache

from rules.drawing.diagram import Cell, Diagram, Row, Tally
from rules.drawing.themes import BLACK, LIGHT, WALL, WHITE
from rules.game import Step
from rules.games.nebuchadnezzar.board import (
    STRIDE,
    Flip,
    Move,
    Pass,
    Place,
    Swap,
    point_name,
    rectangle,
    rectangle_name,
)
from rules.games.nebuchadnezzar.notation import write_move
from rules.games.nebuchadnezzar.position import COLOURS, Position
from rules.geometry.squares import FILES

INKS = {"b": BLACK, "w": WHITE, "": None}


# The picture


def picture(position: Position, step: Step[Position, Move] | None, plan: Move | None) -> Diagram:
    """Return the board with its discs; mark the points that the step changed or the plan would change."""
    move = plan or (step and next(iter(step.moves.values()), None))
    touched = _touched(position, move) if move else 0
    points = position.black, position.white, touched
    all_files = (1 << position.size) - 1
    return Diagram(
        rows=tuple(
            [
                _row(rank, position.size, *(each >> STRIDE * rank & all_files for each in points))
                for rank in reversed(range(position.size))
            ]
        ),
        files=tuple(FILES[: position.size]),
        captions=tuple(_caption(position, colour) for colour in COLOURS),
        surface=WALL,
        tally=_tally(position),
    )


def _touched(position: Position, move: Move) -> int:
    """Return the points that a move changes, or has changed."""
    match move:
        case Place(point):
            return 1 << point
        case Flip():
            return rectangle(move)
        case Swap():
            return position.black
        case Pass():
            return 0


@lru_cache(maxsize=4096)  # most ranks are the same in the next picture
def _row(rank: int, size: int, black: int, white: int, touched: int) -> Row:
    """Return a rank with these sets of files with black discs, with white ones, and with changes."""
    signs = ["b" if black >> file & 1 else "w" if white >> file & 1 else "" for file in range(size)]
    cells = (_cell(STRIDE * rank + file, sign, bool(touched >> file & 1)) for file, sign in enumerate(signs))
    return Row(str(rank + 1), tuple(cells))


@cache
def _cell(point: int, sign: str, mark: bool) -> Cell:
    return Cell(point_name(point), sign, LIGHT, INKS[sign], mark=mark)


def _tally(position: Position) -> Tally:
    colours = ["black" if seat == position.black_seat else "white" for seat in (0, 1)]
    return Tally(
        sides=tuple(Cell(colour.title(), colour[0], ink=INKS[colour[0]]) for colour in colours),
        rows=((Cell("discs"), tuple(position.discs(seat).bit_count() for seat in (0, 1))),),
        repeats=len(COLOURS),
    )


def _caption(position: Position, colour: str) -> str:
    seat = position.black_seat if colour == "black" else 1 - position.black_seat
    return f"{colour[0]}: {colour}, {_discs_counted(position.discs(seat))}"


# The story


def story(step: Step[Position, Move], stuck: bool) -> list[str]:
    """Return sentences about flips, exchanged colours and forced passes.

    `stuck` is true if the seat to move must pass.
    """
    sentences = [_change(step, move) for move in step.moves.values() if not isinstance(move, Place)]
    if stuck:
        sentences.append(f"{step.after.colour().title()} can neither place nor flip and has to pass.")
    return sentences


def _change(step: Step[Position, Move], move: Move) -> str:
    colour = step.before.colour()
    match move:
        case Flip():
            enemy = "white" if colour == "black" else "black"
            return f"{_discs_counted(rectangle(move), enemy)} turned {colour}: {rectangle_name(move)}."
        case Swap():
            return "The players swap colours: the player who had white now plays black."
        case _:
            return f"{colour.title()} could neither place nor flip."


def label(move: Move) -> str:
    """Return a move as a form shows it: "flip c4-e6 (9 discs)"."""
    match move:
        case Flip():
            return f"flip {rectangle_name(move)} ({_discs_counted(rectangle(move))})"
        case Swap():
            return "swap colours"
        case _:
            return f"place {write_move(move)}"


def _discs_counted(discs: int, colour: str = "") -> str:
    """Return the number of discs in a set, in words: "1 black disc"."""
    number = discs.bit_count()
    noun = "disc" if number == 1 else "discs"
    return " ".join(filter(None, (str(number), colour, noun)))
