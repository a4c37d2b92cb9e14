"""Nardshir: the rules one by one, positions as data, and texts for players."""

from __future__ import annotations

import pytest

from rules.errors import BadData, IllegalMove
from rules.games.nardshir.board import OFF
from rules.games.nardshir.position import Position
from rules.result import Result
from tests.support.rules.positions.nardshir import (
    NARDSHIR,
    START,
    after,
    board,
    canonical,
    refusal,
    step,
    texts,
)

# The start of a game


def test_all_discs_start_in_hand() -> None:
    assert NARDSHIR.write(START) == {
        "points": [[0] * 24, [0] * 24],
        "hand": [15, 15],
        "off": [0, 0],
        "to_move": 0,
        "dice": [],
        "turn": 1,
        "quiet_turns": 0,
    }
    assert list(NARDSHIR.write(START)) == ["points", "hand", "off", "to_move", "dice", "turn", "quiet_turns"]
    assert NARDSHIR.seats({}) == ("X", "O")


def test_nardshir_has_no_options_and_no_setup() -> None:
    assert NARDSHIR.options({}) == {}
    with pytest.raises(BadData, match=r"^Nardshir has no option “size”, nor any other option\.$"):
        NARDSHIR.options({"size": 10})
    with pytest.raises(BadData, match="no setup"):
        NARDSHIR.start({}, {"layout": []})


# The dice


def test_two_dice_are_rolled_before_every_turn() -> None:
    assert NARDSHIR.dice(START) == 2
    rolled = NARDSHIR.roll(START, (3, 5))
    assert (rolled.dice, NARDSHIR.dice(rolled)) == ((3, 5), 0)
    assert NARDSHIR.dice(after(rolled, "hand/3 hand/5")) == 2


def test_double_counts_four_times() -> None:
    assert NARDSHIR.roll(START, [4, 4]).dice == (4, 4, 4, 4)


def test_no_move_is_possible_before_the_roll() -> None:
    assert texts(START) == []
    assert NARDSHIR.forced(START) is None
    assert NARDSHIR.examples(START, 0) == ()
    assert refusal(START, "hand/3 hand/5") == "The dice for this turn have not been rolled yet."


@pytest.mark.parametrize("dice", [(), (3,), (3, 5, 1), (0, 3), (3, 7)])
def test_roll_accepts_only_two_dice(dice: tuple[int, ...]) -> None:
    with pytest.raises(BadData, match="A roll is two dice, each from 1 to 6"):
        NARDSHIR.roll(START, dice)


def test_dice_are_rolled_once_a_turn_and_not_after_the_end() -> None:
    for now in (NARDSHIR.roll(START, (1, 2)), board({25: 15}, {})):
        assert NARDSHIR.dice(now) == 0
        with pytest.raises(BadData, match="There are no dice to roll now"):
            NARDSHIR.roll(now, (1, 2))


# Moves of a disc


@pytest.mark.parametrize(
    ("x", "o", "dice", "turn"),
    [
        pytest.param({}, {}, (3, 5), "hand/3 hand/5", id="two discs come in"),
        pytest.param({}, {}, (3, 5), "hand/5 5/8", id="one disc comes in and goes on"),
        pytest.param({7: 1, 9: 1}, {}, (3, 5), "7/10 9/14", id="discs on the board before those in hand"),
        pytest.param(
            {10: 5}, {}, (2, 2), "10/12 10/12 10/12 10/12", id="any number outside the first quadrant"
        ),
        pytest.param({4: 1}, {}, (1, 2), "hand/2 4/5", id="a second disc in the first quadrant"),
        pytest.param({6: 2}, {}, (1, 2), "6/7 hand/2", id="out of a full point"),
        pytest.param({7: 1}, {15: 1}, (3, 5), "7/10* hand/5", id="a single enemy disc is hit"),
        pytest.param({}, {22: 1}, (3, 5), "hand/3* hand/5", id="from hand, too"),
        pytest.param({7: 1}, {15: 1, 10: 1}, (3, 5), "7/10* 10/15*", id="twice with one disc"),
        pytest.param({21: 5}, {}, (3, 5), "21/24 hand/5", id="onto point 24 with ten in hand"),
        pytest.param({21: 4}, {}, (3, 5), "hand/5 21/24", id="the eleventh in hand came in just before"),
        pytest.param({22: 1, 19: 1}, {}, (3, 5), "22/off hand/5", id="off, with discs in hand"),
        pytest.param({18: 1, 20: 14}, {}, (1, 5), "18/19 20/off", id="off as soon as the last is home"),
        pytest.param({18: 1, 25: 14}, {4: 2}, (1, 2), "18/20", id="one die when either ends the turn"),
    ],
)
def test_legal_turns_are_played(x: dict[int, int], o: dict[int, int], dice: tuple[int, int], turn: str) -> None:
    now = board(x, o, *dice)
    assert canonical(now, turn) == turn
    assert turn in texts(now)


LANDING = "holds 2 enemy discs, and a disc may land only where there is at most one."
FULL = "holds two of your discs, the most allowed on any of your points 1 to 6."
CLOSED = "is closed while more than ten of your discs are in hand, and you have 11 there."
HOME = "a disc goes off only when all your discs on the board are on points 19 to 24, and one is on 18."


@pytest.mark.parametrize(
    ("x", "o", "turn", "sentence"),
    [
        ({7: 1}, {15: 2}, "7/10 hand/5", f"7/10 is not allowed: point 10 {LANDING}"),
        ({7: 1}, {20: 2}, "7/10 hand/5", f"hand/5 is not allowed: point 5 {LANDING}"),
        ({5: 2}, {}, "hand/5 5/8", f"hand/5 is not allowed: point 5 {FULL}"),
        ({1: 1, 6: 2}, {}, "1/6 6/9", f"1/6 is not allowed: point 6 {FULL}"),
        ({21: 4}, {}, "21/24 hand/5", f"21/24 is not allowed: point 24 {CLOSED}"),
        ({22: 3, 18: 1}, {}, "22/off hand/5", f"22/off is not allowed: {HOME}"),
        ({23: 3}, {}, "23/off hand/5", "23/off needs exactly 2; the dice left are 3 and 5."),
        ({19: 3}, {}, "19/off", "19/off needs exactly 6; the dice left are 3 and 5."),
        ({7: 1}, {}, "7/11 hand/5", "7/11 needs exactly 4; the dice left are 3 and 5."),
        ({7: 1}, {}, "7/20", "7/20 needs exactly 13; the dice left are 3 and 5."),
        ({7: 1}, {}, "7/10 hand/3", "hand/3 needs exactly 3; the dice left are 5."),
        ({7: 1}, {}, "7/10 hand/5 5/8", "5/8 is one move too many: all dice are already used."),
        ({7: 1}, {}, "8/11 hand/5", "8/11 needs one of your discs on point 8, but there is none then."),
        ({7: 1}, {}, "7/12 7/10", "7/10 needs one of your discs on point 7, but there is none then."),
        ({7: 15}, {}, "hand/3 7/12", "hand/3 needs one of your discs in hand, but there is none then."),
        ({7: 1}, {14: 1}, "14/17 hand/5", "14/17 needs one of your discs on point 14, but there is none then."),
        (
            {7: 1},
            {},
            "7/4 hand/5",
            "7/4 moves backwards: your discs move from hand up to your point 24, then off.",
        ),
        (
            {7: 1},
            {},
            "7/7 hand/5",
            "7/7 moves backwards: your discs move from hand up to your point 24, then off.",
        ),
        ({7: 1}, {14: 1}, "7/10* hand/5", "7/10 hits nothing: write it without the star."),
        ({22: 1, 20: 1}, {}, "22/off* hand/5", "22/off hits nothing: write it without the star."),
    ],
)
def test_illegal_turns_are_refused(x: dict[int, int], o: dict[int, int], turn: str, sentence: str) -> None:
    assert refusal(board(x, o, 3, 5), turn) == sentence


def test_enemy_counts_points_from_the_other_side() -> None:
    now = board({10: 1}, {12: 1}, 3, 5, to_move=1)
    assert after(now, "12/15* hand/5").discs[0][:11] == (15, *[0] * 10)
    assert refusal(board({10: 2}, {12: 1}, 3, 5, to_move=1), "12/15 hand/5").startswith("12/15 is not allowed")


def test_hit_disc_returns_to_hand() -> None:
    played = step(board({7: 1}, {15: 1}, 3, 5), "7/10* hand/5")
    x, o = played.after.discs
    assert (x[10], x[7], x[5], x[0]) == (1, 0, 1, 13)
    assert (o[15], o[0]) == (0, 15)


# A complete turn


def test_first_turn_allows_every_order_of_hops() -> None:
    now = NARDSHIR.roll(START, (3, 5))
    assert texts(now) == ["hand/3 hand/5", "hand/3 3/8", "hand/5 hand/3", "hand/5 5/8"]


def test_double_may_move_any_four_discs() -> None:
    now = NARDSHIR.roll(START, (6, 6))
    assert texts(now) == [
        "hand/6 hand/6 6/12 hand/6",
        "hand/6 hand/6 6/12 6/12",
        "hand/6 hand/6 6/12 12/18",
        "hand/6 6/12 hand/6 hand/6",
        "hand/6 6/12 hand/6 6/12",
        "hand/6 6/12 hand/6 12/18",
        "hand/6 6/12 12/18 hand/6",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hand/3", "After hand/3 you can still play 5, for example hand/5; write the complete turn."),
        ("hand/5", "After hand/5 you can still play 3, for example hand/3; write the complete turn."),
        ("pass", "You may not pass while you can play 3 and 5, for example hand/3."),
    ],
)
def test_turn_goes_on_while_a_die_can_be_played(text: str, sentence: str) -> None:
    assert refusal(NARDSHIR.roll(START, (3, 5)), text) == sentence


def test_double_goes_on_while_a_die_can_be_played() -> None:
    now = NARDSHIR.roll(START, (2, 2))
    sentence = "After hand/2 hand/2 you can still play 2, for example 2/4; write the complete turn."
    assert refusal(now, "hand/2 hand/2") == sentence


def test_player_need_not_use_as_many_dice_as_possible() -> None:
    now = board({10: 1, 12: 1, 25: 13}, {14: 2, 7: 2}, 1, 5)
    assert set(texts(now)) == {"12/13 10/15", "10/15 12/13", "10/15 15/16", "12/17"}


def test_turn_passes_when_no_die_can_be_played() -> None:
    now = board({}, {22: 2, 20: 2}, 3, 5)
    assert NARDSHIR.forced(now) == ()
    assert texts(now) == []
    assert canonical(now, "pass") == "pass"
    assert NARDSHIR.examples(now, 0) == ("pass",)
    assert refusal(now, "hand/3 hand/5").startswith("hand/3 is not allowed")
    passed = after(now, "pass")
    assert (passed.discs, passed.to_move, passed.turn, passed.quiet_turns) == (now.discs, 1, 10, 1)


def test_pass_is_not_forced_while_a_die_can_be_played() -> None:
    assert NARDSHIR.forced(board({}, {22: 2}, 3, 5)) is None


def test_only_the_seat_to_move_moves() -> None:
    now = NARDSHIR.roll(START, (3, 5))
    assert NARDSHIR.to_move(now) == (0,)
    assert list(NARDSHIR.moves(now, 1)) == []
    assert NARDSHIR.examples(now, 1) == ()
    with pytest.raises(IllegalMove, match=r"^It is not your turn: X is to move\.$"):
        NARDSHIR.parse(now, 1, "hand/3 hand/5")


# The end


def test_first_seat_without_discs_wins() -> None:
    won = after(board({24: 1, 25: 14}, {3: 1}, 1, 4, quiet=70), "24/off")
    assert NARDSHIR.result(won) == Result((0,), "borne-off")
    assert (won.to_move, won.dice, won.turn, won.quiet_turns) == (1, (), 10, 0)
    assert NARDSHIR.to_move(won) == ()
    assert refusal(won, "hand/1") == "The game is over."
    assert NARDSHIR.forced(won) is None


def test_second_seat_without_discs_wins() -> None:
    won = after(board({3: 1}, {20: 1, 24: 1, 25: 13}, 1, 5, to_move=1), "24/off 20/off")
    assert NARDSHIR.result(won) == Result((1,), "borne-off")


def test_disc_in_hand_prevents_a_win() -> None:
    assert NARDSHIR.result(after(board({24: 1, 25: 13}, {21: 2}, 1, 4), "24/off")) is None


@pytest.mark.parametrize(("quiet", "reason"), [(598, None), (599, "standstill")])
def test_too_many_turns_without_bearing_off_are_a_draw(quiet: int, reason: str | None) -> None:
    result = NARDSHIR.result(after(board({}, {}, 3, 5, quiet=quiet), "hand/3 hand/5"))
    assert (result and result.reason) == reason
    assert result is None or result.winners == (0, 1)


def test_pass_can_cause_the_standstill_draw() -> None:
    result = NARDSHIR.result(after(board({}, {22: 2, 20: 2}, 3, 5, quiet=599), "pass"))
    assert result == Result((0, 1), "standstill")


def test_bearing_off_restarts_the_standstill_count() -> None:
    now = after(board({24: 1, 25: 13}, {}, 1, 2, quiet=599), "24/off hand/2")
    assert (now.quiet_turns, NARDSHIR.result(now)) == (0, None)


def test_game_without_any_possible_move_is_a_draw() -> None:
    """No real position is like this, so this one has no discs at all."""
    nothing = (0,) * (OFF + 1)
    assert NARDSHIR.result(Position((nothing, nothing))) == Result((0, 1), "blocked")


def test_every_reason_has_words() -> None:
    assert set(NARDSHIR.reasons) == {"borne-off", "blocked", "standstill"}
