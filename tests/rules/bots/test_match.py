"""Matches: fair to both players, the same each time; and the test that ends them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.bots import match, match_players
from rules.bots.match import play_one, played
from rules.bots.match_players import Flat, OfStrength, Searcher, at_random, greedy, read_chooser
from rules.bots.sprt import Sprt, standard_error, wilson
from rules.bots.thinking import Budget, Thought
from rules.reasons import Reason
from rules.registry import RULES
from rules.strengths import STRENGTHS, Strength
from tests.support.rules.toy_games import Toy


class Watching:
    """Makes random moves, and remembers its seat and position each time."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, Any]] = []

    def __call__(self, rules: Any, position: Any, seat: int, seats: int, below: Any, /) -> Any:
        self.seen.append((seat, position))
        return rules.sample(position, seat, below)


def test_pair_of_games_swaps_seats_and_keeps_layout_and_dice() -> None:
    for name in ("nibble", "nardshir"):
        one, two = Watching(), Watching()
        play_one(RULES[name], {}, (one, two), 4)
        (seat, first), *_ = one.seen
        again, other = Watching(), Watching()
        play_one(RULES[name], {}, (again, other), 5)
        assert seat == 0
        assert {at for at, _ in again.seen} == {1}
        assert other.seen[0] == (0, first)
        next_pair = Watching()
        play_one(RULES[name], {}, (next_pair, Watching()), 6)
        assert next_pair.seen[0] != (0, first)


def test_same_seed_gives_the_same_games() -> None:
    def points(seed: str) -> list[tuple[float, tuple[int, int]]]:
        with played(Toy(), {"stones": 30}, (at_random, at_random), 12, seed=seed) as games:
            return [(game.points, game.moves) for game in games]

    assert points("a") == points("a") != points("b")


def test_better_player_wins_the_match() -> None:
    with played(Toy(), {"stones": 21}, (Searcher(Budget(300)), at_random), 20) as games:
        assert sum(game.points for game in games) > 15


def test_player_who_is_out_has_no_share_of_an_unfinished_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "MOST_TURNS", 0)
    rules = RULES["nexus"]
    start = rules.start(rules.options({"players": 3}), {})
    monkeypatch.setattr(type(rules), "start", lambda *_: rules.leave(start, 1, Reason.TIMEOUT))
    points = [play_one(rules, {"players": 3}, (at_random, at_random), number).points for number in range(3)]
    assert points == [1 / 2, 0, 1 / 2]


@pytest.mark.parametrize(("level", "searched"), [(4, 500), (5, 7)])
def test_level_limited_by_positions_proves_as_usual(
    monkeypatch: pytest.MonkeyPatch, level: int, searched: int
) -> None:
    strengths: list[Strength] = []

    def think(_rules: Any, _position: Any, _seat: int, _seats: int, strength: Strength, below: Any) -> Any:
        strengths.append(strength)
        return Thought(below(2))

    monkeypatch.setattr(match_players, "think", think)
    OfStrength(level, 1.0, 7)(Toy(), None, 0, 2, lambda most: most - 1)
    assert strengths == [replace(STRENGTHS[level - 1], nodes=searched, work=None)]


@pytest.mark.slow
def test_several_processes_play_the_same_games() -> None:
    results = []
    for processes in (1, 2):
        with played(RULES["nibble"], {}, (OfStrength(1), greedy), 4, processes=processes) as games:
            results.append([(game.points, game.moves) for game in games])
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("Amytis", OfStrength(3)),
        ("5", OfStrength(5)),
        ("random", at_random),
        ("greedy", greedy),
        ("nodes=500", Searcher(Budget(nodes=500))),
        ("seconds=0.5", Searcher(Budget(seconds=0.5))),
        ("flat=1", Flat(1.0)),
    ],
)
def test_text_names_a_computer_player(text: str, player: object) -> None:
    assert read_chooser(text) == player


@pytest.mark.parametrize(
    "text", ["", "6", "nodes", "nodes=0", "nodes=x", "flat=-1", "seconds=nan", "Amytis=3", "Ann"]
)
def test_unknown_text_is_refused_with_the_possible_ones(text: str) -> None:
    with pytest.raises(ValueError, match="A player is one of Belshazzar, Enkidu"):
        read_chooser(text)


@pytest.mark.parametrize(
    ("points", "games", "verdict"),
    [(0, 0, None), (20, 20, True), (4, 20, False), (6, 10, None), (170, 200, True), (90, 200, False)],
)
def test_sprt_ends_when_the_result_is_certain(points: float, games: int, verdict: bool | None) -> None:
    assert Sprt(0.55, 0.65).verdict(points, games) is verdict


def test_standard_error_is_computed_from_pairs() -> None:
    assert standard_error([1, 0, 1, 0]) == 0
    assert standard_error([1, 1, 0, 0]) == pytest.approx(0.5 / 2**0.5)
    assert standard_error([]) == 0.5


@pytest.mark.parametrize(
    ("points", "games", "interval"), [(0, 0, (0, 1)), (5, 10, (0.237, 0.763)), (10, 10, (0.722, 1.0))]
)
def test_wilson_interval_narrows_with_more_games(
    points: float, games: int, interval: tuple[float, float]
) -> None:
    assert wilson(points, games) == pytest.approx(interval, abs=0.001)
