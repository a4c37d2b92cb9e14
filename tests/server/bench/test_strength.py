"""Matches of computer players, and their tables."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rules.bots import match_players
from rules.bots.match import Played
from rules.bots.match_players import Chooser, OfStrength
from rules.game import Json
from rules.registry import RULES
from rules.strengths import NAMES, STRENGTHS
from server.bench.computer_players import strength, yardsticks
from server.bench.computer_players.commands import bench_opponents
from server.bench.computer_players.strength import MatchResult, Setting
from server.bench.computer_players.uct import Uct
from tests.support.rules.every_game import every_game, sampled
from tests.support.rules.random_games import AnyRules
from tests.support.rules.toy_games import Heap, Toy
from tests.support.rules.winning_positions import won_at_once


def test_dice_games_are_recognized() -> None:
    assert [name for name, game_type in RULES.items() if strength.has_dice(game_type)] == ["nardshir"]


def test_each_level_plays_the_one_below_and_the_strongest_others() -> None:
    assert list(strength.pairings(RULES["nibble"], yardsticks=False)) == [
        ("Enkidu", "Belshazzar", 0.65),
        ("Amytis", "Enkidu", 0.65),
        ("Hammurabi", "Amytis", 0.65),
        ("Berossus", "Hammurabi", 0.65),
        ("Berossus", "random", 0.95),
    ]


@pytest.mark.long
def test_matches_are_played_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses the weakest players, who do not think for long."""
    monkeypatch.setattr(strength, "NAMES", NAMES[:2])
    found = list(strength.matches(["nibble"], Setting(processes=2, most=2), yardsticks=False))
    assert [(line.first, line.second) for line in found] == [("Enkidu", "Belshazzar"), ("Enkidu", "random")]
    assert {len(line.games) for line in found} == {2}


def test_an_interrupted_match_continues(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(strength, "pairings", lambda *_, **__: [("random", yardsticks.ONE_PLY, 0.65)])
    results = tmp_path / "results"
    (whole,) = strength.matches(["nibble"], Setting(most=4))
    (begun,) = strength.matches(["nibble"], Setting(most=2), results=results)
    (continued,) = strength.matches(["nibble"], Setting(most=4), results=results)
    assert continued.games[:2] == begun.games
    assert [game.points for game in continued.games] == [game.points for game in whole.games]
    assert len(results.read_text().splitlines()) == 4
    assert list(strength.matches(["nibble"], Setting(most=4), results=results)) == [continued], (
        "nothing is played again"
    )


def test_results_are_found_by_the_options_that_differ(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(strength, "pairings", lambda *_, **__: [("random", "random", 0.65)])

    def game(given: dict[str, object]) -> str:
        (found,) = strength.matches(["nelaxtam"], Setting(given, most=1), results=tmp_path / "results")
        return found.game

    assert game({"size": "10", "troops": "2"}) == "nelaxtam sea=2 size=10 troops=2"
    assert game({"sea": "2", "troops": "2", "size": "10"}) == "nelaxtam sea=2 size=10 troops=2"
    assert game({"size": str(RULES["nelaxtam"].options({})["size"])}) == "nelaxtam"
    assert len((tmp_path / "results").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("options", "problem"), [(["players=3"], "players"), (["foo"], "“foo” is not an option")]
)
def test_wrong_option_is_an_error_before_the_first_match(options: list[str], problem: str) -> None:
    shown = CliRunner().invoke(bench_opponents, ["--game", "nexus", "--game", "nibble", *options])
    assert shown.exit_code == 2
    assert problem in shown.stderr
    assert not shown.stdout


@pytest.mark.parametrize("given", [["players=3"], ["--positions", "5"], []])
def test_costs_are_those_of_usual_games(monkeypatch: pytest.MonkeyPatch, given: list[str]) -> None:
    monkeypatch.setattr(strength, "matches", lambda *_, **__: ())
    monkeypatch.setattr(strength, "costs", lambda *_: ())
    shown = CliRunner().invoke(bench_opponents, ["--game", "nexus", *given], catch_exceptions=False)
    assert (strength.LINES_OF_COSTS[0] in shown.stdout) == (not given)


def test_one_seat_plays_against_three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "pairings", lambda *_, **__: [("random", "random", 0.65)])
    (found,) = strength.matches(["nexus"], Setting({"players": 4}, most=4))
    assert found.game == "nexus players=4"
    assert found.asked == pytest.approx(0.382, abs=0.001)
    assert all(game.points in (0, 1 / 4, 1 / 3, 1 / 2, 1) for game in found.games)
    assert sum(sum(game.moves) for game in found.games) > 3 * sum(game.moves[0] for game in found.games)


def test_level_limited_by_positions_is_not_limited_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [("Berossus", "Belshazzar", 0.65), ("Enkidu", "Belshazzar", 0.65)]
    monkeypatch.setattr(strength, "pairings", lambda *_, **__: pairs)
    without_proofs = tuple(replace(each, proves=0) for each in STRENGTHS)
    monkeypatch.setattr(match_players, "STRENGTHS", without_proofs)
    found = strength.matches(["nibble"], Setting(positions=5, most=1))
    assert [line.first for line in found] == ["Berossus (5)", "Enkidu"]
    assert strength.player("5", 100) == OfStrength(5, 1.0, 100)


YARDSTICKS: dict[str, Chooser] = {
    yardsticks.ONE_PLY: yardsticks.Yardstick(),
    yardsticks.TWO_PLY: yardsticks.Yardstick(looks_at_replies=True),
    "uct": Uct(0.02),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", YARDSTICKS)
@every_game
def test_yardsticks_make_legal_moves(name: str, rules: AnyRules, options: Json) -> None:
    below, seats = random.Random(1).randrange, len(rules.seats(options))
    step = sampled(rules, options, wanted=4)[-2]
    if rules.forced(step.before) is None:
        for seat in rules.to_move(step.before):
            move = YARDSTICKS[name](rules, step.before, seat, seats, below)
            assert rules.allows(step.before, seat, rules.format(move))


@pytest.mark.parametrize("name", [yardsticks.ONE_PLY, yardsticks.TWO_PLY])
@won_at_once
def test_yardsticks_find_a_win(name: str, rules: AnyRules, position: Any) -> None:
    (seat,) = rules.to_move(position)
    move = strength.player(name)(rules, position, seat, 2, random.Random(1).randrange)
    result = rules.result(rules.play(position, {seat: move}))
    assert result
    assert result.winners == (seat,)


def test_yardsticks_of_a_match_have_names() -> None:
    assert all(callable(strength.player(name)) for name in strength.YARDSTICKS)
    assert strength.player("uct=5") == Uct(5)


@pytest.mark.parametrize(("stones", "best"), [(6, 2), (7, 3), (9, 1)])
def test_uct_leaves_a_losing_heap(stones: int, best: int) -> None:
    assert Uct(0.1)(Toy(), Heap(stones), 0, 2, random.Random(1).randrange) == best


def test_row_contains_points_error_and_time() -> None:
    won, lost = Played(1.0, (10, 10), (0.5, 0.1)), Played(0.0, (10, 10), (0.5, 0.1))
    line = MatchResult("nibble", "A", "B", 0.6, (won, won, won, lost), True)
    assert strength.row(line) == "| nibble | A - B | 60% | 75.0% | 4 | 30% to 95% | yes | 50.0 / 10.0 |"


@pytest.mark.long
def test_each_level_has_time_and_memory_costs() -> None:
    costs = list(strength.costs(["nibble"], (1, 3)))
    assert [cost.level for cost in costs] == [1, 3]
    assert costs[-1].milliseconds > costs[0].milliseconds > 0
    assert 500 > costs[-1].megabytes > costs[0].megabytes > 0
