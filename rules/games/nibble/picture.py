"""The picture of a position of Nibble, and sentences about a turn."""

from __future__ import annotations

from functools import cache

from rules.drawing.diagram import ON_DARK, ON_LIGHT, Cell, Diagram, Ground, Row, Tally
from rules.drawing.themes import FRAME, GONE
from rules.game import Step
from rules.games.nibble.board import COLOURS, LETTERS, board_named, colour_name
from rules.games.nibble.position import SEATS, TRIPLE, Position, majority
from rules.games.nibble.turn import Take
from rules.sentences import SeatNames

COLOURS_IN_A_LINE = 5

BLOCKS = {
    letter: Ground(fill, text, colour, shape="tile", glyph=glyph)
    for letter, colour, (fill, text, glyph) in zip(
        LETTERS,
        COLOURS,
        (
            ("#cf3d38", ON_DARK, "triangle"),
            ("#ee8a35", ON_LIGHT, "dash"),
            ("#f3cf35", ON_LIGHT, "dot"),
            ("#acd33f", ON_LIGHT, "cross"),
            ("#2f7d3c", ON_DARK, "bar"),
            ("#35b5ad", ON_LIGHT, "ring"),
            ("#2f62c4", ON_DARK, "square"),
            ("#7c47b5", ON_DARK, "plus"),
            ("#f09cc4", ON_LIGHT, "wedge"),
            ("#7d4e2b", ON_DARK, "box"),
            ("#a3a3a3", ON_LIGHT, "pair"),
            ("#333", ON_DARK, "diamond"),
            ("#f6f3ec", ON_LIGHT, "lines"),
        ),
        strict=True,
    )
}
BOX = Ground(FRAME.fill, FRAME.text, "", shape="frame", lines=("#d9c4a3", "#5d3a22"), name="box")
"""The box in which the blocks of a square board are."""


# The picture


def picture(position: Position, step: Step[Position, Take] | None, plan: Take | None) -> Diagram:
    """Return the blocks that are left, each as its letter; mark the squares of the step and the plan."""
    takes = [*(step.moves.values() if step else ()), *([plan] if plan else [])]
    touched = {name for take in takes for name in take.squares}
    board = board_named(position.board)
    letters = position.letters()
    longest = max(len(row) for row in board.rows)
    rows = []
    for names in board.rows:
        label = names[0][0] if board.hexagonal else names[0][1:]
        cells = tuple(_cell(name, letters.get(name), name in touched) for name in names)
        rows.append(Row(label, cells, shift=longest - len(names)))
    files = () if board.hexagonal else tuple(name[0] for name in board.rows[0])
    surface = None if board.hexagonal else BOX
    captions = (*_counts(position), *_wins(len(position.blocks)))
    return Diagram(
        tuple(rows), files, captions, hexagonal=board.hexagonal, surface=surface, tally=_tally(position)
    )


@cache
def _cell(name: str, letter: str | None, touched: bool) -> Cell:
    if letter:
        return Cell(name, letter, ground=BLOCKS[letter], mark=touched)
    # A mark shows only on a ground, so a block just taken leaves one for a turn.
    return Cell(name, ground=GONE, mark=True) if touched else Cell(name, ".")


def _tally(position: Position) -> Tally:
    return Tally(
        sides=tuple(map(Cell, SEATS)),
        rows=tuple(
            (Cell(colour_name(colour), LETTERS[colour], BLOCKS[LETTERS[colour]]), counts)
            for colour, counts in enumerate(zip(*position.taken, strict=True))
        ),
        repeats=len(_counts(position)),
    )


def _counts(position: Position) -> list[str]:
    """Return the table of the blocks taken: in "A red 3:0" the first player has three and the second none."""
    entries = [
        f"{colour_name(colour)} {first}:{second}"
        for colour, (first, second) in enumerate(zip(*position.taken, strict=True))
    ]
    starts = range(0, len(entries), COLOURS_IN_A_LINE)
    return ["Taken, First:Second", *(", ".join(entries[i : i + COLOURS_IN_A_LINE]) for i in starts)]


def _wins(full: int) -> tuple[str, ...]:
    """Return sentences on the ways to win when each colour has this many blocks."""
    return (
        f"Instant win: all {full} of a colour, or {TRIPLE[full]} each of three in a row (C D E).",
        f"Wins on the empty board: {majority(full)} or more each of {majority(full)} or more colours.",
    )


# The story


def story(step: Step[Position, Take], names: SeatNames) -> list[str]:
    """Return a sentence on the seat's number of blocks of the colour."""
    bits = board_named(step.before.board).bits
    sentences = []
    for seat, take in step.moves.items():
        colour = step.before.colour(bits[take.squares[0]])
        full, has = len(step.after.blocks), step.after.taken[seat][colour]
        share = f"all {full}" if has == full else f"{has} of the {full}"
        most = ", the majority" if majority(full) <= has < full else ""
        sentences.append(f"{names.having(seat)} {share} {COLOURS[colour]} blocks{most}.")
    return sentences
