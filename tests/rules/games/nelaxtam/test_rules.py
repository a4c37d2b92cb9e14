"""Nelaxtam: the rules one by one, and the choices of a player."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from rules.games.nelaxtam.position import Position
from rules.games.nelaxtam.turn import END, HOLD
from tests.support.rules.naive import nelaxtam as naive
from tests.support.rules.positions.nelaxtam import (
    DIAGRAM_5,
    DIAGRAM_7,
    NELAXTAM,
    drawn,
    gone,
    island_with,
    options,
    result,
    tiles,
    troops_of,
    turn,
)

START = NELAXTAM.start(options(), {})


# The invasion


def test_all_troops_land_simultaneously() -> None:
    landed = turn(START, "1 a9, 2 e1, 3 i1, 4 f6, 5 h8", "A a8, B f1, C l7, D g6, E c10")
    assert NELAXTAM.to_move(START) == (0, 1)
    assert troops_of(landed) == {
        **{"1": "a9", "2": "e1", "3": "i1", "4": "f6", "5": "h8"},
        **{"A": "a8", "B": "f1", "C": "l7", "D": "g6", "E": "c10"},
    }
    assert (landed.turn, landed.quiet_turns, tiles(landed)) == (1, 0, (72, 72))
    assert NELAXTAM.to_move(landed) == (0, 1)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("troops", "sea"), [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 2)])
def test_all_invasions_are_listed(troops: int, sea: int, seat: int) -> None:
    given = options(size=4, troops=troops, sea=sea)
    start = NELAXTAM.start(given, {})
    found = [NELAXTAM.format(orders) for orders in NELAXTAM.moves(start, seat)]
    assert len(set(found)) == len(found)
    assert set(found) == naive.moves(NELAXTAM.write(start), seat, given)
    assert all(NELAXTAM.format(NELAXTAM.parse(start, seat, text)) == text for text in found)


def test_invasions_of_a_complete_army_are_listed_lazily() -> None:
    start = NELAXTAM.start(options(size=14, sea=5), {})
    found = list(islice(NELAXTAM.moves(start, 1), 1000))
    assert len(set(found)) == 1000
    assert all(NELAXTAM.parse(start, 1, NELAXTAM.format(orders)) == orders for orders in found)


def test_sampling_finds_every_invasion() -> None:
    given = options(size=4, troops=2, sea=1)
    start, below = NELAXTAM.start(given, {}), random.Random(3).randrange
    found = {NELAXTAM.format(NELAXTAM.sample(start, 0, below)) for _ in range(3000)}
    assert found == naive.moves(NELAXTAM.write(start), 0, given)


# Effects of orders


@pytest.mark.parametrize(("way", "square"), [("ne", "g5"), ("se", "g3"), ("sw", "e3"), ("nw", "e5")])
def test_troop_moves_diagonally_on_its_own_colour(way: str, square: str) -> None:
    position = island_with("1 f4, A a12")
    after = turn(position, f"1 {way}")
    assert troops_of(after) == {"1": square, "A": "a12"}
    assert tiles(after) == (72, 72)


@pytest.mark.parametrize(("way", "square"), [("n", "f5"), ("e", "g4"), ("s", "f3"), ("w", "e4")])
def test_troop_destroys_a_tile_beside_it_and_stays(way: str, square: str) -> None:
    position = island_with("1 f4, A a12")
    after = turn(position, f"1 {way}")
    assert troops_of(after) == {"1": "f4", "A": "a12"}
    assert gone(position, after) == {square}


def test_two_troops_that_destroy_each_others_tile_are_both_lost() -> None:
    position = island_with("1 f6, 2 a1, A f7, B a12")
    after = turn(position, "1 n", "A s")
    assert troops_of(after) == {"2": "a1", "B": "a12"}
    assert gone(position, after) == {"f6", "f7"}
    assert tiles(after) == (71, 71)


def test_designers_example_destroys_both_sides() -> None:
    after = turn(island_with("1 f6, A f7"), "1 n", "A s")
    assert tiles(after) == (0, 0)
    assert result(after) == {"winners": [0, 1], "reason": "exhausted", "scores": [0, 0]}


def test_signs_name_the_living_troops() -> None:
    assert NELAXTAM.signs(START)[0] == "tiles o and the troops 1, 2, 3, 4 and 5"
    after = turn(island_with("1 f6, 2 a1, 3 d12, A f7, B a12"), "1 n", "A s")
    assert NELAXTAM.signs(after) == ("tiles o and the troops 2 and 3", "tiles x and the troop B")


def test_troop_saves_itself_by_moving_away() -> None:
    position = island_with("1 f6, A f7, B a12")
    after = turn(position, "1 sw", "A s")
    assert troops_of(after) == {"1": "e5", "A": "f7", "B": "a12"}
    assert gone(position, after) == {"f6"}


def test_troop_is_lost_by_moving_onto_a_target() -> None:
    after = turn(island_with("1 e5, 2 a1, A f7, B a12"), "1 ne", "A s")
    assert troops_of(after) == {"2": "a1", "A": "f7", "B": "a12"}


def test_two_destructions_of_one_tile_are_legal() -> None:
    position = island_with("1 d4, 2 c5, A a12, B d5")
    after = turn(position, "1 n, 2 e", "hold")
    assert troops_of(after) == {"1": "d4", "2": "c5", "A": "a12"}
    assert gone(position, after) == {"d5"}


def test_friends_exchange_places_and_follow_each_other() -> None:
    position = island_with("1 d4, 2 e5, 3 f6, A a12")
    assert troops_of(turn(position, "1 ne, 2 sw")) == {"1": "e5", "2": "d4", "3": "f6", "A": "a12"}
    assert troops_of(turn(position, "1 ne, 2 ne, 3 ne")) == {"1": "e5", "2": "f6", "3": "g7", "A": "a12"}


def test_side_without_orders_holds() -> None:
    position = island_with("1 d4, A a12")
    assert NELAXTAM.play(position, {0: NELAXTAM.parse(position, 0, "1 n")}) == turn(position, "1 n", "hold")
    assert NELAXTAM.play(position, {}) == turn(position)


def test_group_without_a_troop_is_lost() -> None:
    position = drawn(DIAGRAM_5)
    after = turn(position)
    assert gone(position, after) == {"j1", "l1", "k2", "j3", "l3", "k4", "l5"}
    assert tiles(after) == (63, 56)
    assert after.quiet_turns == 0


def test_groups_are_judged_after_the_moves() -> None:
    position = island_with("1 a11, A a12, B l1")
    assert gone(position, turn(position, "1 e", "A se")) == {"b11", "a12"}
    assert gone(position, turn(position, "1 e", "hold")) == {"b11"}


def test_turns_without_a_removal_are_counted() -> None:
    position = island_with("1 d4, A a12", quiet_turns=7)
    assert [turn(position, text).quiet_turns for text in ("hold", "1 ne", "end", "1 n")] == [8, 8, 8, 0]
    assert turn(position).turn == 2


# The end


def test_game_ends_when_nothing_can_be_destroyed() -> None:
    position = drawn(DIAGRAM_7)
    assert NELAXTAM.to_move(position) == ()
    assert result(position) == {"winners": [0], "reason": "exhausted", "scores": [30, 22]}
    assert tiles(position) == (30, 22)


def test_side_without_troops_has_lost_everything() -> None:
    after = turn(island_with("1 d4, A d5"), "1 n")
    assert result(after) == {"winners": [0], "reason": "exhausted", "scores": [72, 0]}


def test_end_orders_of_both_sides_end_the_game() -> None:
    position = island_with("1 d4, A a12, B l1", gone="e4")
    after = turn(position, "end", "end")
    assert result(after) == {"winners": [0], "reason": "agreed-end", "scores": [72, 71]}
    assert (after.turn, after.quiet_turns) == (2, 1)
    assert NELAXTAM.to_move(after) == ()


@pytest.mark.parametrize(("first", "second"), [("end", "hold"), ("hold", "end"), ("end", "B nw")])
def test_end_order_of_only_one_side_counts_as_hold(first: str, second: str) -> None:
    position = island_with("1 d4, A a12, B l1")
    assert turn(position, first, second) == turn(
        position, first.replace("end", "hold"), second.replace("end", "hold")
    )
    assert NELAXTAM.to_move(turn(position, first, second)) == (0, 1)


def test_offer_to_end_lasts_one_turn() -> None:
    position = island_with("1 d4, A a12")
    after = turn(turn(position, "end", "hold"), "hold", "end")
    assert NELAXTAM.to_move(after) == (0, 1)


def test_twenty_turns_without_a_removal_end_the_game() -> None:
    position = island_with("1 d4, A a12", quiet_turns=18)
    position = turn(position, "1 ne")
    assert NELAXTAM.to_move(position) == (0, 1)
    assert result(turn(position, "1 n")) is None
    over = turn(position, "1 sw")
    assert result(over) == {"winners": [0, 1], "reason": "standstill", "scores": [72, 72]}
    assert over.quiet_turns == 20


@pytest.mark.parametrize(
    ("quiet_turns", "orders", "reason"),
    [(19, "end", "agreed-end"), (19, "hold", "standstill"), (0, "end", "agreed-end")],
)
def test_agreed_end_takes_precedence_over_standstill(quiet_turns: int, orders: str, reason: str) -> None:
    after = turn(island_with("1 d4, A a12", quiet_turns=quiet_turns), orders, orders)
    assert result(after) == {"winners": [0, 1], "reason": reason, "scores": [72, 72]}


def test_exhaustion_takes_precedence_over_all_other_reasons() -> None:
    position = drawn(". 1 x .\n. . . .\n. . . .\n. . . A")
    assert NELAXTAM.to_move(position) == (0, 1)
    after = turn(position, "end", "end")
    assert gone(position, after) == {"c4"}
    assert result(after) == {"winners": [0, 1], "reason": "exhausted", "scores": [1, 1]}


def test_no_move_is_possible_after_the_end() -> None:
    over = drawn(DIAGRAM_7)
    assert list(NELAXTAM.moves(over, 0)) == []
    assert NELAXTAM.listing(over) == {}
    assert NELAXTAM.examples(over, 0) == ()


def test_every_reason_has_words() -> None:
    assert set(NELAXTAM.reasons) == {"exhausted", "agreed-end", "standstill"}
    assert NELAXTAM.seats(options()) == ("O", "X")
    assert not NELAXTAM.plays_on(START)


# Choices of a player


def test_listing_has_orders_by_seat_and_troop() -> None:
    position = island_with("1 d4, 3 a1, A a12", gone="d5 e5 c3")
    assert NELAXTAM.listing(position) == {
        "0": {"1": ["hold", "e", "se", "s", "w", "nw"], "3": ["hold", "n", "ne", "e"]},
        "1": {"A": ["hold", "e", "se", "s"]},
    }


def test_listing_at_the_invasion_has_squares() -> None:
    given = options(size=8, troops=2, sea=1, mode="quiet")
    by_air = NELAXTAM.listing(NELAXTAM.start(given, {}))
    assert list(by_air) == ["0", "1"]
    assert list(by_air["0"]) == ["1", "2"]
    assert by_air["0"]["1"][:5] == ["a1", "c1", "e1", "g1", "b2"]
    assert len(by_air["1"]["B"]) == 32
    by_sea = NELAXTAM.listing(NELAXTAM.start({**given, "sea": 2}, {}))
    assert " ".join(by_sea["1"]["A"]) == "b1 d1 f1 h1 a2 h3 a4 h5 a6 h7 a8 c8 e8 g8"


def test_moves_are_listed_simplest_first() -> None:
    position = island_with("1 a1, 2 l12, A a12", gone="a2 b1")
    texts = [NELAXTAM.format(orders) for orders in NELAXTAM.moves(position, 0)]
    assert texts == [
        *("hold", "end", "1 ne", "2 s", "2 sw", "2 w"),
        *("1 ne, 2 s", "1 ne, 2 sw", "1 ne, 2 w"),
    ]
    assert list(NELAXTAM.moves(position, 0))[:2] == [HOLD, END]


def test_side_without_troops_may_still_give_orders() -> None:
    position = island_with("1 f4")
    assert list(NELAXTAM.moves(position, 1)) == [HOLD, END]
    assert NELAXTAM.listing(position)["1"] == {}
    assert NELAXTAM.examples(position, 1) == ("hold", "end")
    assert NELAXTAM.sample(position, 1, lambda limit: limit - 1) == HOLD


@pytest.mark.parametrize(
    ("position", "seat", "examples"),
    [
        (START, 0, ("1 a1, 2 i1, 3 l4, 4 a9, 5 d12", "1 l12, 2 l10, 3 a3, 4 b2, 5 c7")),
        (island_with("1 d4, 2 a1, A a12"), 0, ("1 ne, 2 n", "1 e5", "hold", "end")),
        (island_with("1 d4, 2 a1, A a12", mode="quiet"), 0, ("1 ne", "1 e5", "hold", "end")),
        (island_with("1 a1, 2 b2, 3 c3, A a12", gone="a2 b1"), 0, ("2 se, 3 n", "2 c1", "hold", "end")),
        (island_with("1 a1, A a12", gone="a2 b1 b2"), 0, ("hold", "end")),
    ],
)
def test_examples_show_how_orders_are_written(position: Position, seat: int, examples: tuple[str, ...]) -> None:
    assert NELAXTAM.examples(position, seat) == examples
    assert all(NELAXTAM.parse(position, seat, text) for text in examples)


def test_side_may_abstain_except_at_the_invasion() -> None:
    assert not NELAXTAM.may_abstain(START)
    assert NELAXTAM.may_abstain(island_with("1 d4, A a12"))
