"""Points, then the tie-breaks in their order, then shared places."""

import pytest

from server.pairing.meeting import DRAW, LOSS, WIN, Played, bye
from server.pairing.standings import TIE_BREAKS, standings

ANN, BEN, CLEO, DORA = 1, 2, 3, 4
ALL = (ANN, BEN, CLEO, DORA)
EVERYONE_AGAINST_EVERYONE = (
    Played(ANN, BEN, WIN, LOSS),
    Played(CLEO, ANN, WIN, LOSS),
    Played(ANN, DORA, DRAW, DRAW),
    Played(BEN, CLEO, WIN, LOSS),
    Played(DORA, BEN, LOSS, WIN),
    Played(CLEO, DORA, DRAW, DRAW),
)
"""Ann 1½, Ben 2, Cleo 1½, Dora 1."""


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("buchholz", {ANN: 4.5, BEN: 4.0, CLEO: 4.5, DORA: 5.0}),
        ("sonneborn", {ANN: 2.5, BEN: 2.5, CLEO: 2.0, DORA: 1.5}),
        ("head", {ANN: 0.0, BEN: 0.0, CLEO: 1.0, DORA: 0.0}),
        ("wins", {ANN: 1.0, BEN: 2.0, CLEO: 1.0, DORA: 0.0}),
        ("games", {ANN: -3.0, BEN: -3.0, CLEO: -3.0, DORA: -3.0}),
    ],
)
def test_tie_breaks_are_computed_as_documented(name: str, counted: dict[int, float]) -> None:
    found = standings(ALL, EVERYONE_AGAINST_EVERYONE, [TIE_BREAKS[name]])
    assert {standing.player: standing.ties[0] for standing in found} == counted


def test_first_tie_break_that_differs_decides() -> None:
    found = standings(ALL, EVERYONE_AGAINST_EVERYONE, [TIE_BREAKS["wins"], TIE_BREAKS["head"]])
    assert [(each.place, each.player, each.points) for each in found] == [
        (1, BEN, 2.0),
        (2, CLEO, 1.5),
        (3, ANN, 1.5),
        (4, DORA, 1.0),
    ]


def test_players_with_equal_tie_breaks_share_a_place() -> None:
    found = standings(ALL, [Played(ANN, BEN, DRAW, DRAW)], [TIE_BREAKS["wins"]])
    assert [(each.place, each.player) for each in found] == [(1, ANN), (1, BEN), (3, CLEO), (3, DORA)]


def test_bye_is_a_point_but_no_game_and_no_win() -> None:
    found = standings([ANN, BEN], [bye(BEN)], [TIE_BREAKS["wins"], TIE_BREAKS["buchholz"]])
    assert [(each.player, each.points, each.games, each.ties) for each in found] == [
        (BEN, 1.0, 0, (0.0, 1.0)),
        (ANN, 0.0, 0, (0.0, 0.0)),
    ]
