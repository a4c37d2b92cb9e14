"""Positions of several games in which some moves win immediately and some do not."""

from __future__ import annotations

import pytest

from tests.support.rules.positions import nardshir, nebuchadnezzar, nexus
from tests.support.rules.toy_games import Heap, Toy

_IN_A_ROW = nexus.position("k13:r l13 m13:b n13 o13 p13", meadow=False, reserve=[3, 0])

won_at_once = pytest.mark.parametrize(
    ("rules", "position"),
    [
        (Toy(), Heap(3, to_move=1)),
        (nebuchadnezzar.NEBUCHADNEZZAR, nebuchadnezzar.position("bbbb bwbb bbb. b...", to_move=0, ply=9)),
        (nardshir.NARDSHIR, nardshir.board({24: 1, 23: 1, 25: 13}, {24: 1, 25: 14}, 1, 2)),
        (nexus.NEXUS, _IN_A_ROW),
    ],
    ids=lambda item: getattr(item, "name", ""),
)
