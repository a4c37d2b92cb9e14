"""Players who stall, lose on purpose before, or leave, compared with honest ones of the same strength."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.support.tournaments import manipulation
from tests.support.tournaments.manipulation import FairnessRow, FairnessScore
from tests.support.tournaments.simulation import LATE_STALLER, LEAVER, SANDBAGGER, STALLER


@pytest.fixture(scope="module")
def rows() -> dict[str, FairnessRow]:
    """The rows of a knock-out with the shortest rounds, in which many games are not finished."""
    return {row.player: row for row in manipulation.run("nibble", 16, ("knock-out",), "38d")}


@pytest.mark.parametrize("player", [STALLER, LATE_STALLER, SANDBAGGER, LEAVER])
def test_no_player_gains_by_the_measured_tricks(rows: dict[str, FairnessRow], player: str) -> None:
    assert not rows[player].gains
    more, error = rows[player].gain
    assert more <= 2 * error


def test_stalling_costs_points_and_a_bad_rating_changes_nothing(rows: dict[str, FairnessRow]) -> None:
    assert rows[STALLER].gain[0] < -0.4
    assert rows[SANDBAGGER].scores == rows[SANDBAGGER].honest


def test_row_contains_the_gain() -> None:
    row = FairnessRow(
        "swiss",
        STALLER,
        [FairnessScore(1, 3, 0), FairnessScore(2, 2, 1)],
        [FairnessScore(1, 4, 0), FairnessScore(1, 4, 0)],
    )
    assert str(row) == "| swiss | staller | 1.50 | 1.00 | 2.50 | 4.00 | 50.0% | 0.0% | +0.50 ± 0.50 |"


def test_rows_are_printed_as_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    row = FairnessRow("swiss", STALLER, [FairnessScore(1, 3, 0)] * 2, [FairnessScore(1, 4, 0)] * 2)
    monkeypatch.setattr(manipulation, "run", lambda game_type, repetitions, after: [row] * repetitions)
    printed = CliRunner().invoke(manipulation.main, ["--repetitions", "2"]).output
    assert printed.splitlines() == [*manipulation.LINES, str(row), str(row)]
