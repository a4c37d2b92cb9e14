"""Turns and messages that a player has seen on the page of a game."""

from __future__ import annotations

import pytest

from server.game.views.read_markers import Sight, see
from server.store.models import Seat


@pytest.mark.parametrize(
    ("sights", "seen"),
    [
        ([], (None, None)),
        ([Sight(1, 0)], (1, 0)),
        ([Sight(1, 0), Sight(3, 7)], (3, 7)),
        ([Sight(3, 7), Sight(1, 0)], (3, 7)),
        ([Sight(3, 0), Sight(2, 7)], (3, 7)),
    ],
)
def test_page_left_open_marks_nothing_as_new_again(
    sights: list[Sight], seen: tuple[int | None, int | None]
) -> None:
    seat = Seat(game_id=1, number=0, player_id=1)
    for sight in sights:
        see(seat, sight)
    assert (seat.seen_turn, seat.seen_message) == seen


@pytest.mark.parametrize(
    ("sight", "is_new"),
    [
        (Sight(3, 7), False),
        (Sight(2, 7), False),
        (Sight(4, 7), True),
        (Sight(3, 8), True),
        (Sight(1, 1), False),
    ],
)
def test_later_events_are_new(sight: Sight, is_new: bool) -> None:
    seat = Seat(game_id=1, number=0, player_id=1)
    assert Sight(1, 0).is_new_to(seat)
    see(seat, Sight(3, 7))
    assert sight.is_new_to(seat) == is_new
