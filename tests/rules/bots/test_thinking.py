"""The values of ends of games and of estimates."""

from __future__ import annotations

import pytest

from rules.bots.thinking import ended, estimated
from tests.support.rules.toy_games import Heap, Waiting


@pytest.mark.parametrize("turns", [1, 40, 60, 1000])
def test_win_is_worth_more_than_any_estimate_and_a_loss_less(turns: int) -> None:
    certain = estimated(Waiting(), Heap(3), 2)
    assert certain is not None
    won, lost = ended((0,), 2, turns)
    assert won > max(certain)
    assert lost < min(certain)


def test_sooner_win_is_worth_more() -> None:
    assert ended((0,), 2, 3)[0] > ended((0,), 2, 4)[0]
