"""The contents of hints."""

from __future__ import annotations

import random

from rules.analysis import hints
from rules.analysis.hints import Hint
from tests.support.rules.positions import nebuchadnezzar as positions


def test_hint_says_when_no_better_move_exists() -> None:
    position = positions.position("bbbb bwbb bbb. b...", to_move=0, ply=9)
    hint = hints.find(positions.NEBUCHADNEZZAR, position, 0, 2, random.Random(1).randrange)
    assert hint.best.move == "xb3"
    assert hint.best.percent == 100
    assert hint.reasons == ["This is certainly a best move: the computer knows the outcome of every line."]
    assert Hint.from_json(hint.to_json()) == hint
    stored_before = {name: value for name, value in hint.to_json().items() if name != "is_sure"}
    assert not Hint.from_json(stored_before).is_sure
