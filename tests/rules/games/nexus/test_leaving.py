"""The order of play in NEXUS, leaving, and the ends of a game."""

from __future__ import annotations

import pytest

from rules.errors import BadData, IllegalMove
from rules.game import Json
from rules.games.nexus.position import Position
from rules.games.nexus.rules import after_leaving
from tests.support.rules.positions.nexus import (
    NEXUS,
    TO_AND_FRO,
    data,
    holds,
    played,
    position,
    replayed,
    start,
)

# Turns


def test_seats_move_in_order_without_those_that_left() -> None:
    before = position("m13", players=4)
    assert _turns(before) == [0, 1, 2, 3, 0]
    without_blue = NEXUS.leave(before, 1, "resigned")
    assert _turns(without_blue)[:4] == [0, 2, 3, 0]


def _turns(before: Position) -> list[int]:
    seats = []
    for _ in range(5):
        seats.append(before.to_move)
        before = NEXUS.play(before, {before.to_move: next(NEXUS.moves(before, before.to_move, "move"))})
    return seats


def test_move_out_of_turn_is_refused() -> None:
    with pytest.raises(IllegalMove, match="It is the turn of Red, not of Blue"):
        NEXUS.parse(start(2), 1, "add m13 m14 n12")
    assert list(NEXUS.moves(start(2), 1)) == []


def test_no_move_is_possible_after_the_end() -> None:
    over = NEXUS.leave(start(2), 1, "resigned")
    assert NEXUS.to_move(over) == ()
    assert list(NEXUS.moves(over, 0)) == []
    with pytest.raises(IllegalMove, match="The game is over"):
        NEXUS.parse(over, 0, "add m13 m14 n12")


# Leaving


def stuck(rings: str = "m13:br n13:r o13") -> Position:
    """Blue has one marble, blocked on m13, and too few in reserve to add; red is to move."""
    return position(f"{rings} c1:r d1 e1 c7:g d7 e7", players=3, meadow=False, reserve=[0, 2, 5])


def test_seat_that_can_neither_add_nor_move_is_out() -> None:
    before = stuck()
    assert before.out == ()
    after = played(before, "move c1-d1-e1")
    assert after.out == (1,)
    assert after.to_move == 2
    assert after.reserve == (0, 0, 5)
    assert holds(after, "m13") == "r"
    assert after.last_actions == ("move", "move", "move")
    assert NEXUS.result(after) is None
    assert after.ply == 21
    assert after.quiet == 0


def test_possible_change_of_rings_does_not_keep_a_seat_in() -> None:
    """Blue could change rings: neither it nor red has just done so, and there are empty ones."""
    before = stuck("m13:br n13:r k13 l13 m12 n12 k12")
    assert played(before, "move c1-d1-e1").out == (1,)


@pytest.mark.parametrize(
    ("rings", "reserve", "stays"),
    [
        # One whole step only: to a ring and back is no move.
        ("m13:b n13", 0, False),
        ("m13:b n13 o13", 0, True),
        # Two marbles, one step each.
        ("m13:b n13 m20:b n20", 0, True),
        # A sacrifice and an ordinary step.
        ("m13:bb m20 n20", 0, True),
        ("m13:bb m20", 0, False),
        # Three in reserve, but no three rings to reach.
        ("m13:br n13 o13:r", 3, False),
        ("m13:br n13 o13", 3, False),
        ("m13:br n13 o13 p13", 3, True),
        ("m13:br n13 o13 p13", 2, False),
        # No marble on the board at all.
        ("m13 n13 o13", 2, False),
        ("m13 n13 o13", 3, True),
    ],
)
def test_seat_stays_in_only_while_it_can_add_or_move(rings: str, reserve: int, stays: bool) -> None:
    given = data(rings, to_move=1, reserve=[5, reserve])
    assert (NEXUS.read({"players": 2}, given).out == ()) == stays


def test_only_an_addition_counts_before_the_first_action() -> None:
    rings = "m13:b n13 o13 m20:b n20"
    assert NEXUS.read({"players": 2}, data(rings, to_move=1, reserve=[5, 2], last=["add", None])).out == (1,)
    assert NEXUS.read({"players": 2}, data(rings, to_move=1, reserve=[5, 2], last=["add", "add"])).out == ()


def test_several_seats_leave_one_after_the_other() -> None:
    before = position(
        "m13:br n13:r o13:gr c1:r d1 e1 c10:y d10 e10", players=4, meadow=False, reserve=[0, 2, 1, 0]
    )
    after = played(before, "move c1-d1-e1")
    assert (after.out, after.to_move) == ((1, 2), 3)


def test_last_seat_wins() -> None:
    before = position("m13:br n13:r o13 c1:r d1 e1", meadow=False, reserve=[0, 2])
    after = played(before, "move c1-d1-e1")
    result = NEXUS.result(after)
    assert result is not None
    assert result.to_json() == {"winners": [0], "reason": "last-standing", "places": [0, 1]}
    assert NEXUS.to_move(after) == ()
    assert NEXUS.write(after)["to_move"] == 0


def test_places_are_in_reverse_order_of_leaving() -> None:
    before = position("m13", players=4)
    for seat, reason in ((2, "timeout"), (0, "resigned"), (3, "timeout")):
        before = NEXUS.leave(before, seat, reason)
    result = NEXUS.result(before)
    assert result is not None
    assert result.to_json() == {"winners": [1], "reason": "timeout", "places": [1, 3, 0, 2]}


@pytest.mark.parametrize("reason", ["resigned", "timeout"])
def test_other_seat_wins_when_one_of_two_leaves(reason: str) -> None:
    over = NEXUS.leave(played(start(2), "add m13 m14 n12"), 0, reason)
    result = NEXUS.result(over)
    assert result is not None
    assert result.to_json() == {"winners": [1], "reason": reason, "places": [1, 0]}


def test_leaving_out_of_turn_keeps_the_turn() -> None:
    before = position("m13:gg n13:g", players=3, reserve=[1, 2, 3], quiet=7)
    after = NEXUS.leave(before, 2, "resigned")
    assert (after.to_move, after.out, after.reserve) == (0, (2,), (1, 2, 0))
    assert (after.ply, after.quiet) == (before.ply, 0)
    assert "g" not in "".join(marbles for _, marbles in after.rings)
    assert NEXUS.result(after) is None


def test_leaving_in_turn_passes_the_turn_on() -> None:
    before = position("m13", players=3, to_move=1)
    assert NEXUS.leave(before, 1, "timeout").to_move == 2
    assert NEXUS.leave(position("m13", players=3, to_move=2), 2, "timeout").to_move == 0


def test_reason_is_that_of_the_rules_when_they_remove_the_last_opponent() -> None:
    """Red resigns in turn, blue cannot act and leaves too: green is the last standing."""
    blocked = position("m13:bg n13:g c7:g d7 e7 c1:r d1 e1", players=3, meadow=False)
    after = NEXUS.leave(blocked, 0, "resigned")
    assert after.out == (0, 1)
    result = NEXUS.result(after)
    assert result is not None
    assert result.to_json() == {"winners": [2], "reason": "last-standing", "places": [2, 1, 0]}


def test_leaving_frees_blocked_rings() -> None:
    """Blue's marble on m13 is free again once red has left, so blue stays in."""
    after = NEXUS.leave(stuck(), 0, "resigned")
    assert after.out == (0,)
    assert after.to_move == 1


def test_only_a_seat_still_in_can_leave_and_only_for_a_reason() -> None:
    before = NEXUS.leave(position("m13", players=3), 1, "resigned")
    with pytest.raises(BadData, match="Blue is no longer in the game"):
        NEXUS.leave(before, 1, "resigned")
    with pytest.raises(BadData, match="resigned or timeout"):
        NEXUS.leave(before, 0, "bored")
    with pytest.raises(BadData, match="Green is no longer in the game"):
        NEXUS.leave(NEXUS.leave(before, 0, "resigned"), 2, "resigned")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_others_always_play_on(players: int) -> None:
    assert NEXUS.plays_on(start(players))


def test_seat_that_cannot_act_leaves_when_a_position_is_read() -> None:
    read = NEXUS.read({"players": 3}, data("m13:bg n13:g c7:g d7 e7 c1:r d1 e1", players=3, to_move=1))
    assert read.out == (1,)
    assert read.to_move == 2
    assert after_leaving(read).out == read.out


# The ends without a winner


def test_third_repetition_is_a_draw() -> None:
    before = position("m13")
    once = replayed(before, *TO_AND_FRO)
    assert NEXUS.result(once) is None
    assert NEXUS.write(once)["rings"] == NEXUS.write(before)["rings"]
    almost = replayed(once, *TO_AND_FRO[:3])
    assert NEXUS.result(almost) is None
    result = NEXUS.result(played(almost, TO_AND_FRO[3]))
    assert result is not None
    assert result.to_json() == {"winners": [0, 1], "reason": "repetition", "places": [0, 1]}


def test_same_board_with_another_seat_to_move_is_no_repetition() -> None:
    before = position("m13", players=3)
    rest = ("move c1-d1-e1", "move c4-d4-e4", "move c7-d7-e7")
    back = ("move e1-d1-c1", "move e4-d4-c4", "move e7-d7-c7")
    again = replayed(before, *rest, *back)
    assert again.seen.count(again.seen[-1]) == 2
    assert before.key() == again.key()
    assert NEXUS.read({"players": 3}, NEXUS.write(again) | {"to_move": 1}).key() != again.key()


@pytest.mark.parametrize(
    "change",
    [
        {"reserve": [1, 0, 0]},
        {"to_move": 1},
        {
            "rings": {
                "c1": "r",
                "d1": "",
                "e1": "",
                "c4": "b",
                "d4": "",
                "e4": "",
                "c7": "g",
                "d7": "",
                "e7": "",
            }
        },
    ],
)
def test_differences_that_prevent_a_repetition(change: Json) -> None:
    before = position("m13", players=3)
    changed = NEXUS.read({"players": 3}, NEXUS.write(before) | change)
    assert changed.key() != before.key()


@pytest.mark.parametrize("change", [{"ply": 99}, {"quiet": 9}, {"last_actions": ["rings", "add", "move"]}])
def test_differences_that_do_not_prevent_a_repetition(change: Json) -> None:
    before = position("m13", players=3)
    changed = NEXUS.read({"players": 3}, NEXUS.write(before) | change)
    assert changed.key() == before.key()


def test_repetitions_are_counted_again_after_a_seat_leaves() -> None:
    """Twice before green leaves and twice after: the positions with and without green are different."""
    before = position("m13", players=3)
    rest = ("move c1-d1-e1", "move c4-d4-e4", "move c7-d7-e7")
    back = ("move e1-d1-c1", "move e4-d4-c4", "move e7-d7-c7")
    twice = replayed(before, *rest, *back)
    left = NEXUS.leave(twice, 2, "resigned")
    assert left.seen == (left.key(),)
    again = replayed(left, *TO_AND_FRO)
    assert NEXUS.result(again) is None
    result = NEXUS.result(replayed(again, *TO_AND_FRO))
    assert result is not None
    assert result.to_json() == {"winners": [0, 1], "reason": "repetition", "places": [0, 1, 2]}


@pytest.mark.parametrize(("players", "limit"), [(2, 100), (3, 150), (4, 200)])
def test_fifty_quiet_actions_a_player_are_a_draw(players: int, limit: int) -> None:
    before = position("m13", players=players, quiet=limit - 2)
    one_less = played(before, "move c1-d1-e1")
    assert one_less.quiet == limit - 1
    assert NEXUS.result(one_less) is None
    over = played(one_less, "move c4-d4-e4")
    result = NEXUS.result(over)
    assert result is not None
    assert result.to_json() == {
        "winners": list(range(players)),
        "reason": "standstill",
        "places": list(range(players)),
    }
    assert NEXUS.to_move(over) == ()


def test_limit_of_quiet_actions_counts_players_still_in() -> None:
    rings = "m13 c1:r d1 e1 c7:g d7 e7"
    before = position(rings, players=3, meadow=False, out=[1], quiet=99)
    result = NEXUS.result(played(before, "move c1-d1-e1"))
    assert result is not None
    assert result.to_json() == {"winners": [0, 2], "reason": "standstill", "places": [0, 2, 1]}


@pytest.mark.parametrize(
    ("rings", "text", "quiet"),
    [
        ("m13:r n13 o13", "move m13-n13-o13", 31),
        ("m13:r n13:b o13", "move m13-n13 c1-d1", 31),
        ("k12 l12 m12 n12 n13 o12:r", "rings k12 l12 m12 n12 > o13 p12 p11 p13", 31),
        # Added, deleted by blocking, by surrounding, given up.
        ("m13 n13 o13", "add m13 n13 o13", 0),
        ("m13:r n13:br o13", "move m13-n13 c1-d1", 0),
        ("m13:bb n13 o13:r", "move o13-n13 c1-d1", 0),
        ("m13:r n13 o13:r", "move m13*o13-n13 c1-d1", 0),
    ],
)
def test_quiet_actions_are_counted(rings: str, text: str, quiet: int) -> None:
    assert played(position(rings, reserve=[3, 0], quiet=30), text).quiet == quiet


def test_repetition_takes_precedence_over_standstill() -> None:
    before = position("m13", quiet=92)
    result = NEXUS.result(replayed(before, *TO_AND_FRO, *TO_AND_FRO))
    assert result is not None
    assert result.reason == "repetition"
