"""Game reports: shares after each turn, and the turns in which most was lost."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from rules import driver
from rules.analysis import answering, game_report
from rules.analysis.game_report import Assessment, assess, nodes_for
from rules.chance import Chance
from rules.game import Json
from rules.playout import random_step
from rules.registry import RULES
from tests.support.rules.perfect_play import worth
from tests.support.rules.random_games import played, request


def assessed(asked: Json) -> Assessment:
    """Return the assessment after a trip through another process."""
    return Assessment.from_json(json.loads(json.dumps(answering.answer(json.loads(json.dumps(asked))))))


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_type", "options"),
    [
        ("nibble", {}),
        ("nebuchadnezzar", {"size": 4}),
        pytest.param("nelaxtam", {"size": 10, "troops": 1, "sea": 0}, marks=pytest.mark.long),
        ("nardshir", {}),
        ("nexus", {"players": 3}),
    ],
    ids=str,
)
def test_chances_of_every_turn_add_up_to_one(
    game_type: str, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many positions searched after each turn as in the longest games."""
    monkeypatch.setattr(game_report, "_MOST_NODES", nodes_for(700))
    asked = played(game_type, options, most=2)
    found = assessed(asked)
    assert found.numbers == (0, 1, 2)
    for shares in found.shares:
        assert sum(shares) == pytest.approx(1, abs=0.02)
        assert all(-0.01 <= share <= 1.01 for share in shares)
    rules = RULES[game_type]
    for slip in found.slips:
        (turn,) = (turn for number, turn in asked["turns"] if number == slip.turn)
        texts = turn["orders"] if "orders" in turn else {str(turn["seat"]): turn["move"]}
        assert slip.played == texts[str(slip.seat)] != slip.better
        assert slip.loss > 0
        assert rules.simultaneous or slip.seat == turn["seat"]


@pytest.mark.slow
def test_loss_that_a_longer_search_does_not_confirm_is_no_mistake() -> None:
    """The first search takes a forced loss for a mistake; the longer one finds that every move loses."""
    rules = RULES["nebuchadnezzar"]
    rows = [".w..", "w.b.", "w.bb", "wbb."]
    written = {"size": 4, "rows": rows, "colours": ["black", "white"], "to_move": 1, "ply": 9}
    before = rules.read(rules.options({"size": 4}), written)
    step = driver.play(rules, before, {1: rules.parse(before, 1, "d1")})
    assert worth(rules, before, {}) == 1.0
    found = assess(rules, before, [step], [1], 2, bytes(32), hurried=False)
    assert found.shares[0][1] > 0.3, "the first search still sees chances before the move"
    assert found.shares[1][1] == 0.0
    assert found.slips == ()


@pytest.mark.slow
def test_same_game_gets_the_same_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_report, "_MOST_NODES", nodes_for(700))
    rules, chance = RULES["nebuchadnezzar"], Chance(bytes(32), "another")
    start = position = rules.start(rules.options({"size": 4}), {})
    steps = []
    while rules.result(position) is None:
        steps.append(random_step(rules, position, chance.below))
        position = steps[-1].after
    numbers = range(1, len(steps) + 1)
    once, again = (assess(rules, start, steps, numbers, 2, bytes(32), hurried=False) for _ in range(2))
    assert once == again
    assert once.slips


@pytest.mark.slow
def test_thrown_away_win_is_found() -> None:
    """A seat that could have won immediately, and did not, gets this turn in its report."""
    options, turns = given_away()
    found = assessed(request("nebuchadnezzar", options, {}, turns))
    slip = next(slip for slip in found.slips if slip.turn == len(turns) - 1)
    assert slip.seat == turns[-2][1]["seat"]
    assert slip.better_share > 0.9
    for each in found.slips:
        assert found.shares[each.turn][each.seat] == each.share, "the curve says the same"


def given_away() -> tuple[Json, list[Any]]:
    """A game of random moves, up to the turn after the first one with a missed immediate win."""
    rules = RULES["nebuchadnezzar"]
    options = rules.options({"size": 4})
    for seed in range(100):
        below, turns, gift = Random(seed).randrange, list[Any](), 0
        position: Any = rules.start(options, {})
        while rules.result(position) is None and (not gift or len(turns) == gift):
            (seat,), move = rules.to_move(position), rules.forced(position)
            if move is None:
                moves = list(rules.moves(position, seat))
                others = [each for each in moves if rules.result(rules.play(position, {seat: each})) is None]
                if not gift and 0 < len(others) < len(moves):
                    gift = len(turns) + 1
                move = (others or moves)[below(len(others or moves))]
            turns.append([len(turns) + 1, {"seat": seat, "move": rules.format(move)}])
            position = rules.play(position, {seat: move})
        if gift:
            return options, turns
    raise AssertionError("no game offers a win")


def test_turns_of_a_long_game_get_less_search() -> None:
    looks = [nodes_for(turns) for turns in range(1, 700)]
    assert looks == sorted(looks, reverse=True)
    assert looks[0] > 10 * looks[-1] > 0
    assert max(turns * looked for turns, looked in enumerate(looks, 1)) <= 16_000
