"""On a ladder players are paired with a new opponent as soon as they are free."""

from server.pairing.ladder import next_meetings
from server.pairing.meeting import LOSS, WIN, Meeting, Played


def test_all_free_players_are_paired_except_an_odd_one() -> None:
    meetings = next_meetings([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [])
    assert len(meetings) == 2
    assert len({player for meeting in meetings for player in meeting.players}) == 4


def test_two_who_just_met_wait_for_others() -> None:
    assert next_meetings([1, 2], [1, 2, 3], [Played(1, 2, WIN, LOSS)]) == []


def test_only_two_players_meet_again_with_seats_swapped() -> None:
    assert next_meetings([1, 2], [1, 2], [Played(1, 2, WIN, LOSS)]) == [Meeting(2, 1)]


def test_players_who_met_less_often_and_have_similar_scores_meet() -> None:
    played = [
        Played(1, 2, WIN, LOSS),
        Played(1, 3, WIN, LOSS),
        Played(2, 4, WIN, LOSS),
        Played(1, 5, WIN, LOSS),
        Played(2, 6, LOSS, WIN),
        Played(3, 5, LOSS, WIN),
        Played(4, 6, LOSS, WIN),
    ]
    assert {frozenset(each) for each in next_meetings([1, 4, 5, 6], [1, 2, 3, 4, 5, 6], played)} == {
        frozenset((1, 6)),
        frozenset((4, 5)),
    }


def test_players_kept_apart_never_meet() -> None:
    blocked_pairs = {frozenset((1, 2))}
    assert next_meetings([1, 2], [1, 2], [], blocked_pairs) == []
    (meeting,) = next_meetings(
        [1, 2, 3], [1, 2, 3], [Played(1, 3, WIN, LOSS), Played(2, 3, WIN, LOSS)], blocked_pairs
    )
    assert 3 in meeting.players
