"""The loser is out, the best seeds meet last, and they get the byes."""

import pytest

from server.pairing import knock_out
from server.pairing.meeting import Meeting


@pytest.mark.parametrize("size", range(2, 34))
def test_only_the_best_seeds_have_byes_and_everyone_plays_once(size: int) -> None:
    meetings = knock_out.first_round(range(size))
    people = [player for meeting in meetings for player in meeting.players]
    assert sorted(people) == list(range(size))
    byes = sorted(meeting.first for meeting in meetings if meeting.second is None)
    assert byes == list(range(knock_out.places(size) - size))


@pytest.mark.parametrize("size", range(2, 34))
def test_best_two_seeds_meet_in_the_final_if_they_always_win(size: int) -> None:
    meetings: list[Meeting | None] = list(knock_out.first_round(range(size)))
    rounds = 1
    while len(meetings) > 1:
        through = [min(meeting.players) for meeting in meetings if meeting is not None]
        meetings = knock_out.next_round(through, [])
        rounds += 1
    assert meetings[0] is not None
    assert set(meetings[0].players) == {0, 1}
    assert rounds == knock_out.rounds(size)


def test_opponent_has_a_bye_if_neither_player_advanced() -> None:
    assert knock_out.next_round([1, None, None, None], []) == [Meeting(1, None), None]


def test_no_round_follows_the_final() -> None:
    with pytest.raises(ValueError, match="even number"):
        knock_out.next_round([1], [])
