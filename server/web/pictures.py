"""Small pictures of games, without labels, which browsers keep."""

from dataclasses import replace
from functools import cache

from werkzeug.wrappers import Response

from rules.chance import Chance
from rules.drawing import svg_board
from rules.drawing.diagram import Diagram, Row
from rules.playout import random_step
from rules.registry import kind

_ONE_DAY = 24 * 3600
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
    return small(rules.diagram(position))


def small(diagram: Diagram) -> str:
    """The picture as SVG without labels, and without rows that contain nothing else."""
    rows = (row for row in diagram.rows if any(cell.ground or not cell.text for cell in row.cells))
    return svg_board(replace(diagram, rows=tuple(map(_unnamed, rows)), files=()))


def kept(picture: str | bytes, content_type: str = "image/svg+xml") -> Response:
    """The answer that is this picture, for browsers to keep."""
    response = Response(picture, content_type=content_type)
    # Not for caches that many share: answers of pages carry cookies.
    response.cache_control.private, response.cache_control.max_age = True, _ONE_DAY
    return response


def _unnamed(row: Row) -> Row:
    return replace(row, label="", cells=tuple(replace(cell, name="") for cell in row.cells))
