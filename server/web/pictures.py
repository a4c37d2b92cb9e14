"""A picture of each kind of game under way, drawn once."""

from dataclasses import replace
from functools import cache

from rules.chance import Chance
from rules.drawing import svg_board
from rules.drawing.diagram import Diagram, Row
from rules.playout import random_step
from rules.registry import kind

_TURNS = 14
_ALWAYS_THE_SAME = bytes(32)


@cache
def picture(name: str) -> str:
    """The board of a random game of this kind after some turns, as SVG without labels, the same every time."""
    rules = kind(name)
    chance = Chance(_ALWAYS_THE_SAME, "picture")
    options = rules.options({})
    position = rules.start(options, rules.setup(options, chance))
    for _ in range(_TURNS):
        if rules.result(position):
            break
        position = random_step(rules, position, chance.below).after
    return svg_board(_bare(rules.diagram(position)))


def _bare(diagram: Diagram) -> Diagram:
    """The picture without labels, and without rows that contain nothing else."""
    rows = (row for row in diagram.rows if any(cell.ground or not cell.text for cell in row.cells))
    return replace(diagram, rows=tuple(map(_unnamed, rows)), files=())


def _unnamed(row: Row) -> Row:
    return replace(row, label="", cells=tuple(replace(cell, name="") for cell in row.cells))
