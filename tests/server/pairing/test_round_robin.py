"""Everyone meets everyone, by the tables that Berger published."""

from collections import Counter

import pytest

from server.pairing.round_robin import rounds

SIZES = range(2, 18)


@pytest.mark.parametrize("size", SIZES)
def test_every_two_meet_once(size: int) -> None:
    met = Counter(frozenset(meeting) for meetings in rounds(range(size)) for meeting in meetings)
    assert len(met) == size * (size - 1) // 2
    assert set(met.values()) == {1}


@pytest.mark.parametrize("size", SIZES)
def test_every_two_meet_twice_with_seats_turned(size: int) -> None:
    met = Counter(tuple(meeting) for meetings in rounds(range(size), double=True) for meeting in meetings)
    assert len(met) == size * (size - 1)
    assert set(met.values()) == {1}


@pytest.mark.parametrize("size", SIZES)
def test_in_a_round_nobody_meets_two_and_at_most_one_sits_out(size: int) -> None:
    for meetings in rounds(range(size), double=True):
        people = [player for meeting in meetings for player in meeting]
        assert len(set(people)) == len(people) == size - size % 2


@pytest.mark.parametrize("size", SIZES)
def test_everybody_has_the_first_seat_as_often_as_the_second_or_once_more_or_less(size: int) -> None:
    seats = Counter(dict.fromkeys(range(size), 0))
    for meetings in rounds(range(size)):
        for first, second in meetings:
            assert second is not None
            seats.update({first: 1, second: -1})
    assert set(seats.values()) <= ({0} if size % 2 else {-1, 1})
