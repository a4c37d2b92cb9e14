"""Training by self-play: the same seed gives the same weights, and the weights learn from results."""

from __future__ import annotations

import ast
from dataclasses import replace
from math import exp
from typing import Any

import pytest

from rules.games.nardshir import estimate as nardshir
from rules.registry import RULES
from server.bench.computer_players import training
from tests.support.rules.random_games import random_game

NAMES = list(training.MODELS)


@pytest.mark.parametrize("name", ["nardshir", pytest.param("nexus", marks=pytest.mark.long)])
def test_same_seed_gives_the_same_weights(name: str) -> None:
    (first,), (second,), (other,) = (list(training.trained(name, 1, seed)) for seed in ("a", "a", "b"))
    assert first == second != other
    assert len(first[2]) == training.MODELS[name].size
    assert list(first[2]) != training.MODELS[name].weights()


@pytest.mark.parametrize("name", NAMES)
def test_module_of_weights_contains_their_origin(name: str) -> None:
    tree = ast.parse(training.module([0.5, -1.25], "written today"))
    assert ast.get_docstring(tree) == "The weights of `estimate`, written today."
    (assignment,) = tree.body[1:]
    assert isinstance(assignment, ast.Assign)
    assert ast.literal_eval(assignment.value) == (0.5, -1.25)
    stored = ast.parse(training.path_of(name).read_text())
    assert f"nabu bench train {name} --games" in (ast.get_docstring(stored) or "")


@pytest.mark.parametrize("name", NAMES)
def test_estimates_use_the_stored_weights(name: str) -> None:
    stored = ast.parse(training.path_of(name).read_text()).body[1]
    assert isinstance(stored, ast.Assign)
    weights = ast.literal_eval(stored.value)
    for position in positions(name):
        scores = [
            exp(sum(weight * feature for weight, feature in zip(weights, found, strict=True)))
            for found in training.MODELS[name].features(position)
        ]
        estimate = RULES[name].evaluate(position)
        assert estimate == pytest.approx([score / sum(scores) for score in scores])


def positions(name: str) -> list[Any]:
    """Return positions from all over a random game: of NEXUS without a draw in sight, of Nardshir no races."""
    steps = list(random_game(RULES[name], RULES[name].options({}), 1))
    found = [step.before for step in steps[:: max(1, len(steps) // 20)]]
    if name == "nexus":
        return [replace(each, quiet=0, seen=each.seen[-1:]) for each in found]
    return [each for each in found if not nardshir.is_race(each)]


def test_weights_move_towards_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """If games of a few turns are always won by the first seat, the estimates of later games favour it."""
    model = replace(
        training.MODELS["nardshir"], known=lambda position: (1.0, 0.0) if position.turn > 5 else None
    )
    monkeypatch.setitem(training.MODELS, "nardshir", model)
    ((_, of_first_game, _),) = training.trained("nardshir", 1, "a")
    ((games, error, _),) = training.trained("nardshir", 30, "a")
    assert games == 30
    assert error < 0.7 * of_first_game


def test_races_are_not_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    model = training.MODELS["nardshir"]
    looked_at: list[Any] = []

    def features(position: Any) -> Any:
        looked_at.append(position)
        return model.features(position)

    monkeypatch.setitem(training.MODELS, "nardshir", replace(model, features=features))
    list(training.trained("nardshir", 1, "a"))
    assert len(looked_at) > 100
    assert not any(map(nardshir.is_race, looked_at))
