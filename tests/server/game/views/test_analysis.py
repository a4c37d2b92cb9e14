"""The analysis of a game as its players see it: points of a curve, in percent."""

from __future__ import annotations

from rules.analysis.game_report import Assessment
from server.game.views.analysis import assessment_view


def test_last_point_is_the_result() -> None:
    """A player who resigns may have a good position."""
    found = Assessment((0, 1), ((0.5, 0.5), (0.9, 0.1)))
    labels = ["Ann", "Ben"]
    resigned = assessment_view(found, labels, {"winners": [1], "reason": "resigned"})
    assert [point.percents for point in resigned.points] == [(50, 50), (0, 100)]
    drawn = assessment_view(found, labels, {"winners": [0, 1], "reason": "agreed"})
    assert drawn.points[-1].percents == (50, 50)
    aborted = assessment_view(found, labels, {"winners": [], "reason": "aborted"})
    assert aborted.points[-1].percents == (90, 10)


def test_percentages_add_up_and_slips_are_kept() -> None:
    third = (1 / 3, 1 / 3, 1 / 3)
    slip = {"turn": 7, "seat": 1, "played": "x", "share": 0.2, "better": "y", "better_share": 0.5}
    data = {"numbers": list(range(101)), "shares": [third] * 101, "slips": [slip]}
    view = assessment_view(Assessment.from_json(data), ["A", "B", "C"], None)
    assert {sum(point.percents) for point in view.points} == {100}
    thin = view.thinned(10)
    assert len(thin.points) <= 13
    numbers = [point.number for point in thin.points]
    assert {0, 7, 100} <= set(numbers)
    assert numbers == sorted(numbers)
    assert view.slips[0].sentence == "Turn 7, B: x left a winning chance of 20%; y would have left 50%."
