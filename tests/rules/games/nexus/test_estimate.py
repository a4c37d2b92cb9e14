"""The estimate of positions of NEXUS, for computer players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from rules.bots.match import play_one
from rules.bots.match_players import Searcher
from rules.bots.thinking import Budget
from rules.games.nexus.board import Board, ordinary_steps, take_step
from rules.games.nexus.estimate import ATTACKED_NOW, estimate, features_of
from rules.games.nexus.position import LETTERS, Position
from rules.reasons import Reason
from tests.support.rules.positions import nexus
from tests.support.rules.random_games import random_game

AHEAD = nexus.position("m13:rr m14:r n12", reserve=[9, 3])


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("players", [2, 3])
def test_marbles_in_danger_are_those_that_steps_can_delete(number: int, players: int) -> None:
    for step in list(random_game(nexus.NEXUS, {"players": players}, number))[::3]:
        if not nexus.NEXUS.result(step.after):
            assert_dangers_found(step.after)


def test_no_marble_can_enter_a_ring_of_four() -> None:
    assert_dangers_found(nexus.position("m13:bbgr n13:b n14 l13:bgr", players=3, to_move=1))


def assert_dangers_found(position: Position) -> None:
    """Check the features of the seats that do not move next."""
    mover, features = position.to_move, features_of(position)
    for seat in set(position.staying) - {mover}:
        by_two, by_one = in_danger(position.board, LETTERS[mover], LETTERS[seat])
        assert features[seat][ATTACKED_NOW] == len(by_two - by_one)
        assert features[seat][ATTACKED_NOW + 2] == len(by_one)
        assert features[seat][ATTACKED_NOW + 4] == bool(by_one | by_two)


def in_danger(board: Board, colour: str, enemy: str) -> tuple[set[int], set[int]]:
    """Return the rings with only one marble, of the enemy, that two steps on them delete, and the rings with
    one that one step deletes.
    """
    by_two, by_one = set(), set()
    for ring, between, deleted in entered(board, colour):
        if enemy in deleted:
            by_one.add(ring)
        if board[ring] == enemy:
            by_two |= {again for again, _, letters in entered(between, colour) if again == ring and letters}
    return by_two, by_one


def entered(board: Board, colour: str) -> Iterator[tuple[int, Board, str]]:
    """Yield the rings with enemies that a step can enter, the board after it, and the marbles deleted."""
    for step in ordinary_steps(board, colour):
        if board[step.end].strip(colour):
            yield (step.end, *take_step(board, colour, step))


def test_chances_become_equal_as_a_draw_comes_nearer() -> None:
    fresh, quiet, repeated = (estimate(position)[0] for position in drawing_nearer(AHEAD))
    assert fresh > 0.6
    assert quiet == pytest.approx(0.5 + (fresh - 0.5) / 4)
    assert repeated == pytest.approx(0.5 + (fresh - 0.5) / 2)


def drawing_nearer(position: Position) -> tuple[Position, Position, Position]:
    """Return a position as it is, after 75 turns without progress, and when it comes up the second time."""
    return position, replace(position, quiet=75), replace(position, seen=position.seen * 2)


def test_chances_are_equal_beyond_the_limit_of_a_standstill() -> None:
    assert estimate(replace(AHEAD, quiet=1000)) == (0.5, 0.5)


def test_last_player_left_has_won() -> None:
    assert estimate(nexus.NEXUS.leave(AHEAD, 1, Reason.RESIGNED)) == (1.0, 0.0)


def test_only_players_still_in_share_a_draw() -> None:
    rings = " ".join(["m13:r m14 n12", *nexus.MEADOW[:2]])
    third_out = nexus.position(rings, players=3, out=[2], reserve=[9, 3, 0], meadow=False)
    chances = estimate(replace(third_out, quiet=50))
    assert chances[2] == 0
    assert sum(chances) == pytest.approx(1)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3])
def test_equal_players_do_not_draw(players: int) -> None:
    searcher = Searcher(Budget(nodes=20))
    for number in range(2):
        game = play_one(nexus.NEXUS, {"players": players}, (searcher, searcher), number)
        assert game.points in (0, 1)
