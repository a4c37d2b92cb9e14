"""Everyone meets everyone, by the tables that Berger published."""

from collections import Counter

import pytest

from server.pairing.round_robin import rounds

SIZES = range(2, 18)


@pytest.mark.parametrize("size", SIZES)
def test_every_two_players_meet_once(size: int) -> None:
    met = Counter(frozenset(meeting) for meetings in rounds(range(size)) for meeting in meetings)
    assert len(met) == size * (size - 1) // 2
    assert set(met.values()) == {1}


@pytest.mark.parametrize("size", SIZES)
def test_every_two_players_meet_twice_with_seats_swapped(size: int) -> None:
    met = Counter(tuple(meeting) for meetings in rounds(range(size), double=True) for meeting in meetings)
    assert len(met) == size * (size - 1)
    assert set(met.values()) == {1}


@pytest.mark.parametrize("size", SIZES)
def test_each_player_has_at_most_one_game_a_round(size: int) -> None:
    for meetings in rounds(range(size), double=True):
        people = [player for meeting in meetings for player in meeting]
        assert len(set(people)) == len(people) == size - size % 2


@pytest.mark.parametrize("size", SIZES)
def test_both_seats_are_equally_frequent_for_everyone(size: int) -> None:
    seats = Counter(dict.fromkeys(range(size), 0))
    for meetings in rounds(range(size)):
        for first, second in meetings:
            assert second is not None
            seats.update({first: 1, second: -1})
    assert set(seats.values()) <= ({0} if size % 2 else {-1, 1})
