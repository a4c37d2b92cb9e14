"""Moves that may delete marbles, for computer players, and a player that sees those of its enemy."""

from __future__ import annotations

import random
from itertools import pairwise, takewhile

import pytest

from rules.bots.players import searched
from rules.bots.thinking import Budget
from rules.games.nexus.board import Action, Change, Walk, free, walks
from rules.games.nexus.position import LETTERS, Position
from rules.games.nexus.threats import most_promising, promising_move, threats
from rules.games.nexus.turn import Move, outcome
from rules.geometry.hexes import places
from tests.support.rules.positions import nexus
from tests.support.rules.random_games import random_game

RULES = nexus.NEXUS

OPEN = nexus.position(
    "k13 k14 k15:b l12 l13 l14 l15 m11:b m12 m13 m14 m15:rr n11 n12:bb n13 n14 o11 o12 o13:b",
    to_move=1,
    reserve=[8, 6],
    last=["move", "add"],
    meadow=False,
)
"""Two red marbles on m15: a single blue one that comes near is deleted by two steps."""
CLOSED = nexus.position(
    "k13:r k14 k15:b l12:r l13:b l14 l15 m11:r m12:b m13:r m14:r m15:r n11:r n12:b n13:r n14 o11:b o12:r o13:b",
    to_move=1,
    reserve=[1, 5],
    last=["add", "add"],
    meadow=False,
)
"""Two groups of red marbles: k14, l14 and l15, and l14, l15 and n14 are their last empty neighbours."""


def test_last_empty_neighbours_of_a_group_are_closed() -> None:
    found = {RULES.format(Move(action)) for action in threats(CLOSED, 1)}
    assert "add k14 l14 l15" in found
    assert "add l14 l15 n14" in found


@pytest.mark.parametrize("around", ["m12 m14 n12 n13", "m12:b m14 n12 n13:b"])
def test_last_empty_neighbours_of_a_group_are_taken_away(around: str) -> None:
    position = nexus.position(f"m13:rr l13:b l14:b {around} j14 j15 k13 k14 k15", to_move=1)
    found = [RULES.format(Move(action)) for action in threats(position, 1) if isinstance(action, Change)]
    assert len(set(found)) > 5
    for move in found:
        assert nexus.becomes(position, move).deleted == 1


def test_marble_is_entered_by_a_step_and_by_a_sacrifice() -> None:
    raid = nexus.position("m13:r n13:b n14 q12:b q13:b", to_move=1)
    found = {RULES.format(Move(action)) for action in threats(raid, 1)}
    assert "move n13-m13 q12*q13-m13" in found
    assert nexus.becomes(raid, "move n13-m13 q12*q13-m13").deleted == 1


def test_every_marble_in_danger_is_entered_by_a_sacrifice() -> None:
    rings = "k13:r k14:bb r13:r r14:bb m18:bb m19:bb n18:bb n19:bb o18:bb"
    raid = nexus.position(rings, to_move=1, last=["move", "add"])
    seconds = [action.steps[1] for action in threats(raid, 1) if isinstance(action, Walk) and action.sacrifice]
    assert {step.end for step in seconds} == {places()["k13"], places()["r13"]}
    assert {step.given for step in seconds} >= {places()["m18"], places()["n19"]}


@pytest.mark.parametrize(("near", "sacrifice"), [("q13", True), ("n13:b", False)])
def test_marble_on_a_ring_of_both_is_deleted_by_the_first_step(near: str, sacrifice: bool) -> None:
    rings = f"m13:br p13:b p14:b q12:b o13 {near}"
    raid = nexus.position(rings, to_move=1, reserve=[3, 0], last=["move", "add"])
    found = [action for action in threats(raid, 1) if isinstance(action, Walk)]
    assert found
    assert {action.sacrifice for action in found} == {sacrifice}
    for action in found:
        assert nexus.becomes(raid, RULES.format(Move(action))).deleted == 1


ONE_RING = "k14:bbb k15 l12:r l13:r m12:bbrr m13 m14"
TWO_RINGS = "k13:b k14 k15:b l13:bbrr l14:rr m12:bbrr m13 m14 n13 n14:r o11:b o12"
"""Blue blocks all red marbles with one step, or with a step and a sacrifice."""


@pytest.mark.parametrize(("rings", "seat"), [(ONE_RING, 0), (TWO_RINGS, 1)], ids=["only ring", "two rings"])
def test_last_marbles_of_a_seat_that_cannot_add_are_blocked(rings: str, seat: int) -> None:
    position = nexus.position(rings, to_move=seat, reserve=[0, 2], last=["move", "move"], meadow=False)
    ends = [RULES.result(RULES.play(position, {seat: Move(action)})) for action in threats(position, seat)]
    assert any(end and end.winners == (seat,) for end in ends)


def test_searched_move_leaves_a_marble_that_cannot_be_blocked() -> None:
    """With its move in a game of level 5, m13-l14 m14-l14, Red lost immediately."""
    board = "k13:b k14 k15:b l12 l13:bbrr l14 l15 m11 m12:bbrr m13:r m14:r m15 n11 n12 n13 n14:r o11:b o12 o13"
    position = nexus.position(board, to_move=0, reserve=[0, 2], last=["move", "move"], meadow=False)
    below = random.Random(0).randrange
    after = RULES.play(position, {0: searched(RULES, position, 2, below, Budget(nodes=40)).thought(0).move})
    rings = set(free(after.board, "r"))
    replies = [Move(walk) for walk in walks(after.board, "b") if rings <= {step.end for step in walk.steps}]
    assert not any(RULES.result(RULES.play(after, {1: reply})) for reply in replies)


FREE = (
    "k13:b k14:r k15 l12 l13 l14 l15 m11 m12:br m13 m14:r m15 n11 n12:b n13 n14 o11:br o12 o13:b",
    "j13 j14 k13:r k14 l13:rr l14 l15:br m12:bbrr m13 m15 n11:b n12 n13 n15:r o13:bbrr o14 o15 p13:r q12",
)
"""A red marble deletes a blue one on m12 or l15 with its second step."""
CROWDED = (
    "k13:b k14:r k15:b l12 l13:b l14:r l15:bb m11 m12:r m13:br m14:r m15 n11:b n12:br n13:r n14:r "
    "o11:r o12:b o13:r"
)
"""Blue has hundreds of moves that enter red rings, and some of them delete more marbles than others."""


@pytest.mark.parametrize(
    ("rings", "seat"), [(FREE[0], 0), (FREE[1], 0), (CROWDED, 1)], ids=["chain", "second step", "many"]
)
def test_threats_include_moves_that_delete_most(rings: str, seat: int) -> None:
    position = nexus.position(rings, to_move=seat, meadow=False)
    ordinary = takewhile(lambda action: not action.sacrifice, walks(position.board, LETTERS[seat]))
    most = max(gained(position, action) for action in ordinary)
    assert most > 0
    assert most == max(gained(position, action) for action in threats(position, seat))


@pytest.mark.parametrize("count", [150, 151, 299, 301])
def test_best_threats_fill_all_places_at_equal_distances(count: int) -> None:
    best, worse = range(count), range(1000, 1200)
    chosen = most_promising([(1, action) for action in worse] + [(2, action) for action in best], 150)
    assert len(chosen) == 150
    assert set(chosen) <= set(best)
    gaps = {after - before for before, after in pairwise(chosen)}
    assert 1 <= min(gaps) <= max(gaps) <= min(gaps) + 1


def gained(position: Position, action: Action) -> int:
    """Return the marbles that an action deletes, less the one given up."""
    given = isinstance(action, Walk) and action.sacrifice
    return outcome(position.board, LETTERS[position.to_move], Move(action)).deleted - given


@pytest.mark.parametrize("number", range(3))
def test_threats_are_legal(number: int) -> None:
    below = random.Random(number).randrange
    for step in list(random_game(RULES, RULES.options({}), number))[::4]:
        seat = step.before.to_move
        moves = [Move(action) for action in threats(step.before, seat)[::7]]
        for move in (*moves, promising_move(step.before, seat, below)):
            assert RULES.parse(step.before, seat, RULES.format(move)) == move


def lead(position: Position, seat: int) -> int:
    """Return how many marbles more a seat has than the other."""
    letters = "".join(marbles for _, marbles in position.rings)
    own, other = (letters.count("rb"[each]) + position.reserve[each] for each in (seat, 1 - seat))
    return own - other


@pytest.mark.parametrize("draws", range(3))
def test_searched_move_loses_no_marbles_to_any_reply(draws: int) -> None:
    below = random.Random(draws).randrange
    move = searched(RULES, OPEN, 2, below, Budget(nodes=60)).thought(1).move
    after = RULES.play(OPEN, {1: move})
    worst = min(lead(RULES.play(after, {0: reply}), 1) for reply in RULES.moves(after, 0))
    assert worst >= lead(OPEN, 1)
