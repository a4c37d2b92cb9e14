"""A Swiss tournament pairs players with similar points, and avoids repeated pairings."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.pairing.meeting import DRAW, LOSS, WIN, Meeting, Played, bye, tilt, times_met
from server.pairing.standings import points_of
from server.pairing.swiss import most_rounds, next_round, usual_rounds
from tests.support.examples import examples

POINTS = ((WIN, LOSS), (LOSS, WIN), (DRAW, DRAW), (LOSS, LOSS))


def played_out(meetings: list[Meeting], choose: random.Random) -> list[Played]:
    """Return the meetings with random results."""
    return [
        bye(first) if second is None else Played(first, second, *choose.choice(POINTS))
        for first, second in meetings
    ]


@examples(30)
@given(players=st.integers(2, 17), seed=st.integers(0, 10_000))
def test_no_second_meeting_and_no_second_bye_in_the_usual_rounds(players: int, seed: int) -> None:
    played: list[Played] = []
    choose = random.Random(seed)
    for _ in range(usual_rounds(players) if players > 5 else 1):
        meetings = next_round(range(players), played)
        people = [player for meeting in meetings for player in meeting.players]
        assert sorted(people) == list(range(players))
        played += played_out(meetings, choose)
    assert set(times_met(played).values()) <= {1}
    byes = Counter(each.first for each in played if each.second is None)
    assert set(byes.values()) <= {1}
    assert len(byes) == (usual_rounds(players) if players > 5 else 1) * (players % 2)
    assert all(abs(tilt(player, played)) <= 2 for player in range(players))


@examples(12)
@given(players=st.integers(4, 8), seed=st.integers(0, 10_000))
def test_players_meet_again_only_if_no_other_pairs_are_possible(players: int, seed: int) -> None:
    choose, played = random.Random(seed), list[Played]()
    for _ in range(players + 1):
        meetings = next_round(range(players), played)
        again = sum(times_met(played)[frozenset(meeting.players)] for meeting in meetings)
        assert again == min(map(len, _ways(list(range(players)), times_met(played))))
        played += played_out(meetings, choose)


def _ways(left: list[int], met: Counter[frozenset[int]]) -> list[list[int]]:
    """Return, for every way to pair people, a list with one item for each repeated pairing."""
    if len(left) < 2:
        return [[]]
    one, others = left[0], left[1:]
    ways = [
        [1] * met[frozenset((one, other))] + rest
        for other in others
        for rest in _ways([each for each in others if each != other], met)
    ]
    return ways + (_ways(others, met) if len(left) % 2 else [])


@pytest.mark.parametrize(("players", "seed"), [(12, 2), (12, 6), (10, 34), (10, 120)])
def test_seats_are_balanced_in_long_tournaments(players: int, seed: int) -> None:
    played: list[Played] = []
    choose = random.Random(seed)
    assert choose.randint(6, 12) == players  # the draws that follow come to where points alone would go too far
    for _ in range(players - 2):
        played += played_out(next_round(range(players), played), choose)
        assert all(abs(tilt(player, played)) <= 2 for player in range(players))


def test_upper_half_meets_the_lower_half_first() -> None:
    assert next_round([5, 6, 7, 8], []) == [Meeting(5, 7), Meeting(6, 8)]


def test_players_with_equal_points_meet() -> None:
    played = [
        Played(1, 5, WIN, LOSS),
        Played(2, 6, WIN, LOSS),
        Played(3, 7, LOSS, WIN),
        Played(4, 8, LOSS, WIN),
    ]
    scores = points_of(range(1, 9), played)
    for first, second in next_round(range(1, 9), played):
        assert second is not None
        assert scores[first] == scores[second]


def test_bye_goes_to_the_last_player_without_one() -> None:
    first = next_round([1, 2, 3], [])
    assert first == [Meeting(1, 2), Meeting(3, None)]
    second = next_round([1, 2, 3], [Played(1, 2, WIN, LOSS), bye(3)])
    assert [meeting.first for meeting in second if meeting.second is None] == [2]


def test_players_kept_apart_meet_only_if_there_is_no_other_way() -> None:
    blocked_pairs = {frozenset((1, 2)), frozenset((3, 4))}
    played = [Played(1, 3, WIN, LOSS), Played(2, 4, WIN, LOSS)]
    assert next_round([1, 2, 3, 4], played, blocked_pairs) == [Meeting(4, 1), Meeting(3, 2)]
    assert set(next_round([1, 2], [], blocked_pairs)[0]) == {1, 2}


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6)])
def test_rounds_suffice_to_find_one_unbeaten_player(players: int, rounds: int) -> None:
    assert usual_rounds(players) == rounds
    assert most_rounds(players) >= rounds


def test_new_player_without_games_meets_one_of_the_last() -> None:
    played = [Played(1, 2, WIN, LOSS), Played(3, 4, WIN, LOSS)]
    meetings = next_round([1, 2, 3, 9], played)
    assert {frozenset(meeting) for meeting in meetings} == {frozenset((1, 3)), frozenset((2, 9))}


def test_pairing_of_thirty_two_players_is_deterministic() -> None:
    choose, played = random.Random(1), list[Played]()
    rounds = []
    for _ in range(3):
        meetings = next_round(range(32), played)
        assert meetings == next_round(range(32), played)
        rounds.append(meetings)
        played += played_out(meetings, choose)
    assert all(one != other for one, other in pairwise(rounds))
