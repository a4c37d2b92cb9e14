"""Moving in NEXUS: steps, jumps, blocking, complete moves, sacrifices."""

from __future__ import annotations

import pytest

from rules.games.nexus.board import Step, ends, take_step
from rules.games.nexus.legality import contents
from rules.geometry.hexes import names, places
from tests.support.rules.positions.nexus import (
    becomes,
    board,
    holds,
    is_legal,
    played,
    position,
    refusal,
    shown,
)

BLOCKED = "and no marble leaves a ring of two or more colours."
FULL = "and a ring takes at most three of one colour and four in all."
FAR = "A step goes to a neighbouring ring, or straight over rings with only your own marbles."


# Steps


@pytest.mark.parametrize(
    ("rings", "start", "ways"),
    [
        ("m13:r n13 l13 m14 m12 n12 l14", "m13", "n13 l13 m14 m12 n12 l14"),
        # No ring, no step; two places away is too far.
        ("m13:r n13 p13", "m13", "n13"),
        # Over one own ring, over two, and not to the one inside the row but for the neighbour.
        ("k13:r l13:r m13", "k13", "l13 m13"),
        ("k13:r l13:r m13:rr n13", "k13", "l13 n13"),
        # The row goes to the very end: behind it is no ring.
        ("k13:r l13:r m13:r", "k13", "l13"),
        # An empty ring, or one of another colour, is the end of the row, not part of it.
        ("k13:r l13 m13", "k13", "l13"),
        ("k13:r l13:b m13", "k13", "l13"),
        ("k13:r l13:r m13:b n13", "k13", "l13 m13"),
        # A ring of two colours ends a row, even when one is one's own.
        ("k13:r l13:br m13", "k13", "l13"),
        ("k13:r l13:r m13:br n13", "k13", "l13 m13"),
        # Full neighbours cannot be entered, but jumped over.
        ("k13:r l13:rrr m13", "k13", "m13"),
        # Behind the row is a ring that cannot take the marble.
        ("k13:r l13:r m13:bbgy", "k13", "l13"),
        ("k13:r l13:r m13:brrr", "k13", "l13"),
        # At most three of a colour, at most four in all.
        ("m13:r n13:rrr l13:rr", "m13", "l13"),
        ("m13:r n13:bbb l13:bbg m14:bbgg", "m13", "n13 l13"),
        # Rows in the other two lines.
        ("m13:r m14:r m15", "m13", "m14 m15"),
        ("m13:r n12:r o11", "m13", "n12 o11"),
        ("m13:r l14:r k15:r j16", "m13", "l14 j16"),
    ],
)
def test_steps_reach_the_right_rings(rings: str, start: str, ways: str) -> None:
    found = [names()[end] for end in ends(board(rings), "r", places()[start])]
    assert sorted(found) == sorted(ways.split())


@pytest.mark.parametrize(
    ("there", "after", "deleted"),
    [
        ("", "r", ""),
        ("r", "rr", ""),
        # As many as mine: they stay, and the ring is blocked.
        ("b", "br", ""),
        ("bb", "bbr", ""),
        # Fewer than mine: they go.
        ("br", "rr", "b"),
        ("brr", "rrr", "b"),
        ("bbrr", "", ""),
        # Every colour is counted on its own.
        ("bgr", "rr", "bg"),
        ("bbr", "bbrr", ""),
        ("bgy", "bgry", ""),
    ],
)
def test_step_deletes_colours_with_fewer_marbles_in_the_ring(there: str, after: str, deleted: str) -> None:
    """A red marble steps from m13 to n13."""
    before = board(f"m13:r n13:{there}")
    if not after:
        assert ends(before, "r", places()["m13"]) == []
        return
    rings, letters = take_step(before, "r", Step(places()["m13"], places()["n13"]))
    assert rings == board(f"m13 n13:{after}")
    assert letters == deleted


def test_blocking_counts_each_other_colour_separately() -> None:
    rings, letters = take_step(board("m13:r n13:bbr"), "r", Step(places()["m13"], places()["n13"]))
    assert (shown(rings), letters) == ("m13 n13:bbrr", "")
    rings, letters = take_step(board("m13:rr n13:bgr"), "r", Step(places()["m13"], places()["n13"]))
    assert (shown(rings), letters) == ("m13:r n13:rr", "bg")


def test_deleted_marbles_add_as_many_to_the_reserve() -> None:
    after = played(position("m13:r n13:b l13:rr", reserve=[0, 5]), "move l13-m13 m13-n13")
    assert (holds(after, "n13"), after.reserve) == ("br", (0, 5))
    after = played(position("m13:r n13:br l13:rr", reserve=[0, 5]), "move m13-n13 l13-m13")
    assert (holds(after, "n13"), after.reserve) == ("rr", (1, 5))


def test_first_step_can_free_a_ring_for_the_second() -> None:
    """Blocking is judged after each step: the two marbles on n13 are free once the blue one is deleted."""
    before = position("m13:r n13:br o13")
    assert not is_legal(before, "move n13-o13 m13-n13")
    after = played(before, "move m13-n13-o13")
    assert [holds(after, name) for name in ("m13", "n13", "o13")] == ["", "r", "r"]
    assert after.reserve == (1, 0)


def test_both_steps_can_delete() -> None:
    done = becomes(position("m13:r n13:br k13:r k14:br"), "move m13-n13 k13-k14")
    assert [(names()[ring], letters) for ring, letters in done.blocked] == [("n13", "b"), ("k14", "b")]
    assert done.deleted == 2


# Complete moves


@pytest.mark.parametrize(
    ("rings", "text", "after"),
    [
        ("m13:r k13:r n13 l13", "move m13-n13 k13-l13", "k13 l13:r m13 n13:r"),
        ("m13:r n13 o13", "move m13-n13-o13", "m13 n13 o13:r"),
        ("m13:rr n13", "move m13-n13 m13-n13", "m13 n13:rr"),
        ("k13:r l13:r m13:r n13", "move k13-n13 l13-n13", ""),
        ("k13:r l13:r m13 n13", "move k13-m13-n13", "k13 l13:r m13 n13:r"),
        # The second step jumps over the marble that the first has brought.
        ("k13:r l13:r k12 m13", "move l13-m13 k13-l13", "k12 k13 l13:r m13:r"),
    ],
)
def test_legal_moves_are_played(rings: str, text: str, after: str) -> None:
    before = position(rings)
    if not after:
        assert not is_legal(before, text)
        return
    assert shown(dict(board(after))) in shown(played(before, text).board)


def test_order_of_two_steps_matters() -> None:
    """l13 leaves the row first, so k13 has nothing to jump over any more."""
    before = position("k13:r l13:r m13 l14")
    assert is_legal(before, "move k13-m13 l13-l14")
    assert not is_legal(before, "move l13-l14 k13-m13")


def test_move_has_to_change_the_position() -> None:
    before = position("m13:rr n13:r")
    assert refusal(before, "move m13-n13-m13") == (
        "m13-n13-m13 leaves the position unchanged, but an action must change it."
    )
    assert refusal(before, "move m13-n13 n13-m13") == refusal(before, "move m13-n13-m13")


def test_stepping_back_is_a_move_if_something_was_deleted() -> None:
    after = played(position("m13:r n13:br"), "move m13-n13-m13")
    assert [holds(after, name) for name in ("m13", "n13")] == ["r", "r"]
    assert after.reserve == (1, 0)


def test_sacrifice_on_the_way_back_changes_the_position() -> None:
    assert is_legal(position("m13:rr n13"), "move m13-n13 m13*n13-m13")


@pytest.mark.parametrize(
    ("rings", "text", "sentence"),
    [
        ("m13:r n13", "move m13-n13", "A move is exactly two steps; you wrote 1 step."),
        ("m13:r n13 o13", "move m13-n13-o13-n13", "A move is exactly two steps; you wrote 3 steps."),
        ("m13:r n13", "move p13-n13 m13-n13", "There is no ring on p13."),
        ("m13:r n13", "move m13-l13 m13-n13", "There is no ring on l13."),
        ("m13 n13:r", "move m13-n13 n13-m13", "You have no marble on m13: it is empty."),
        ("m13:b n13:r", "move m13-n13 n13-m13", "You have no marble on m13: it holds 1 blue marble."),
        ("m13:r n13 o13", "move m13-n13 m13-n13", "You have no marble on m13: it is empty."),
        (
            "m13:brr n13",
            "move m13-n13 m13-n13",
            f"Your marbles on m13 are blocked: it holds 1 blue marble and 2 red marbles, {BLOCKED}",
        ),
        (
            "m13:r n13:b o13",
            "move m13-n13-o13",
            f"Your marbles on n13 are blocked: it holds 1 blue marble and 1 red marble, {BLOCKED}",
        ),
        (
            "m13:r n13:rrr o13",
            "move m13-n13 n13-o13",
            f"n13 cannot take your marble: it holds 3 red marbles, {FULL}",
        ),
        (
            "m13:r n13:bbrr o13",
            "move m13-n13 c1-d1",
            f"n13 cannot take your marble: it holds 2 blue marbles and 2 red marbles, {FULL}",
        ),
        (
            "m13:r n13",
            "move m13-m13 m13-n13",
            "A marble must end on another ring than m13, where it starts.",
        ),
        (
            "m13:r n13 o14",
            "move m13-o14 c1-d1",
            f"m13-o14 is not possible: the two rings are neither neighbours nor in a straight line. {FAR}",
        ),
        (
            "m13:r o13",
            "move m13-o13 c1-d1",
            f"m13-o13 is not possible: there is no ring on n13 between them. {FAR}",
        ),
        (
            "m13:r n13 o13",
            "move m13-o13 c1-d1",
            f"m13-o13 is not possible: n13 between them is empty. {FAR}",
        ),
        (
            "m13:r n13:r o13:br p13",
            "move m13-p13 c1-d1",
            f"m13-p13 is not possible: o13 between them holds 1 blue marble and 1 red marble. {FAR}",
        ),
        (
            "m13:r n13:r o13:r p13",
            "move m13-o13 c1-d1",
            "m13-o13 is not possible: a jump goes over the whole row of rings with only your own marbles, "
            "to the ring behind the last of them, and o13 is within the row.",
        ),
    ],
)
def test_illegal_moves_are_refused(rings: str, text: str, sentence: str) -> None:
    assert refusal(position(rings), text) == sentence


# Sacrifices


@pytest.mark.parametrize(
    ("rings", "text", "after"),
    [
        # At any distance, as the first or the second step.
        ("k13:r m13:r n13", "move k13*m13-z26 c1-d1", "k13 m13 n13 z26:r"),
        ("k13:r m13:r n13", "move c1-d1 k13*m13-z26", "k13 m13 n13 z26:r"),
        # Both marbles from one ring; the target is the ring given up.
        ("m13:rr n13", "move m13*m13-n13 c1-d1", "m13 n13:r"),
        ("k13:r m13:r", "move k13*m13-k13 c1-d1", "k13:r m13"),
        ("k13:rrr m13:r", "move k13*m13-k13 c1-d1", "k13:rrr m13"),
        # The moved marble blocks like any other.
        ("k13:r m13:r n13:br", "move k13*m13-n13 c1-d1", "k13 m13 n13:rr"),
        # A marble brought by the first step can be given up, or moved, in the second.
        ("k13:r l13 m13", "move k13-l13 l13*c1-m13", "k13 l13 m13:r"),
        ("k13:r l13 m13", "move k13-l13 c1*l13-m13", "k13 l13 m13:r"),
    ],
)
def test_legal_sacrifices_are_played(rings: str, text: str, after: str) -> None:
    before = position(f"{rings} z26")
    done = played(before, text)
    assert {name: holds(done, name) for name in after.replace(":", " ").split() if name[-1].isdigit()} == {
        names()[ring]: marbles for ring, marbles in board(after).items()
    }


def test_sacrificed_marble_is_in_no_reserve() -> None:
    after = played(position("k13:r m13:r n13", reserve=[1, 2]), "move k13*m13-n13 c1-d1")
    assert after.reserve == (1, 2)
    assert sum(marbles.count("r") for _, marbles in after.rings) == 2


@pytest.mark.parametrize(
    ("rings", "text", "sentence"),
    [
        (
            "k13:r m13:r n13:rr",
            "move k13*m13-o13 n13*n13-k13",
            "Only one of the two steps of a move can have a sacrifice; you wrote two.",
        ),
        (
            "m13:r n13",
            "move m13*m13-n13 c1-d1",
            "m13 holds 1 marble, which cannot be both given up and moved.",
        ),
        (
            "k13:r m13:rr",
            "move k13*m13-m13 c1-d1",
            "A marble must end on another ring than m13, where it starts.",
        ),
        (
            "m13:rr n13",
            "move m13*m13-m13 c1-d1",
            "A marble must end on another ring than m13, where it starts.",
        ),
        ("k13:b m13:r n13", "move k13*m13-n13 c1-d1", "You have no marble on k13: it holds 1 blue marble."),
        ("m13:r n13", "move k13*m13-n13 c1-d1", "There is no ring on k13."),
        ("k13:r m13:r", "move k13*m13-n13 c1-d1", "There is no ring on n13."),
        ("k13:r m13 n13", "move k13*m13-n13 c1-d1", "You have no marble on m13: it is empty."),
        (
            "k13:br m13:r n13",
            "move k13*m13-n13 c1-d1",
            f"Your marbles on k13 are blocked: it holds 1 blue marble and 1 red marble, {BLOCKED}",
        ),
        (
            "k13:r m13:br n13",
            "move k13*m13-n13 c1-d1",
            f"Your marbles on m13 are blocked: it holds 1 blue marble and 1 red marble, {BLOCKED}",
        ),
        (
            "k13:r m13:r n13:rrr",
            "move k13*m13-n13 c1-d1",
            f"n13 cannot take your marble: it holds 3 red marbles, {FULL}",
        ),
        # It is unblocked only after the step, not before it.
        (
            "k13:r m13:r n13:br",
            "move n13*m13-n13 c1-d1",
            f"Your marbles on n13 are blocked: it holds 1 blue marble and 1 red marble, {BLOCKED}",
        ),
    ],
)
def test_illegal_sacrifices_are_refused(rings: str, text: str, sentence: str) -> None:
    assert refusal(position(f"{rings} o13"), text) == sentence


@pytest.mark.parametrize(
    ("marbles", "words"),
    [
        ("r", "1 red marble"),
        ("bbb", "3 blue marbles"),
        ("br", "1 blue marble and 1 red marble"),
        ("bgyy", "1 blue marble, 1 green marble and 2 yellow marbles"),
    ],
)
def test_contents_of_a_ring_are_counted_by_colour(marbles: str, words: str) -> None:
    assert contents(marbles) == words
