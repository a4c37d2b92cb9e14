"""How good a position of Nardshir is, for computer players."""

from __future__ import annotations

from math import exp

from rules.games.nardshir.board import OFF, Side
from rules.games.nardshir.position import Position

_SPREAD = 28.0
"""So many pips ahead give about three chances in four."""
_TURN = 8.0
"""Pips that the turn is worth."""


def estimate(position: Position) -> tuple[float, float]:
    """The share of the win that each seat can expect, by the pips that each has still to go."""
    ahead = float(_pips(position.discs[1]) - _pips(position.discs[0]))
    ahead += _TURN if position.to_move == 0 else -_TURN
    share = 1 / (1 + exp(-ahead / _SPREAD))
    return share, 1 - share


def _pips(side: Side) -> int:
    return sum((OFF - place) * discs for place, discs in enumerate(side))
