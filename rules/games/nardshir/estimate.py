"""The value of a position of Nardshir, for computer players."""

from __future__ import annotations

from math import exp

from rules.games.nardshir.board import OFF, Side
from rules.games.nardshir.position import Position

_SPREAD = 28.0
"""The lead in pips that gives a chance of about three in four."""
_TURN = 8.0
"""The value of having the turn, in pips."""


def estimate(position: Position) -> tuple[float, float]:
    """Return each seat's expected share of the win, from the pips that each still needs."""
    ahead = float(_pips(position.discs[1]) - _pips(position.discs[0]))
    ahead += _TURN if position.to_move == 0 else -_TURN
    share = 1 / (1 + exp(-ahead / _SPREAD))
    return share, 1 - share


def _pips(side: Side) -> int:
    return sum((OFF - place) * discs for place, discs in enumerate(side))
