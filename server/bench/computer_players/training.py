"""Train the weights of an estimate by games of a computer player against itself.

Temporal differences: after each game, the estimate of each position is moved towards the later estimates and
the result. The player always makes the move with the best estimate by the weights. A game ends where `estimate`
does not use the weights, such as in a race of Nardshir: its result is that estimate. Dice and randomly drawn
moves are the only variety. The same seed gives the same weights.

Sources: Tesauro, "Temporal Difference Learning and TD-Gammon" (1995); Sutton and Barto, "Reinforcement
Learning" (2018), chapter 12; Duchi and others, "Adaptive Subgradient Methods" (2011), for the steps.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp, sqrt
from operator import mul
from pathlib import Path
from typing import Any

import rules
from rules import driver
from rules.bots.match_players import AnyRules, Below
from rules.chance import Chance
from rules.games.nardshir import estimate as nardshir
from rules.games.nexus import estimate as nexus
from rules.registry import RULES

Features = Callable[[Any], Sequence[Sequence[float]]]
Known = Callable[[Any], Sequence[float] | None]


@dataclass(frozen=True)
class Model:
    """A trained estimate."""

    features: Features
    """Returns the features of each seat in a position."""
    size: int
    """The number of features."""
    start: Mapping[int, float]
    """The weights to start with, by feature; the others start with 0."""
    drawn: int = 80
    """The number of moves to choose from, if there are more."""
    most_turns: int = 500
    """The most turns of a game; one that has not ended by then is a draw."""
    known: Known = lambda _: None
    """Returns each seat's chance to win, where the estimate does not depend on the weights."""

    def weights(self) -> list[float]:
        """Return the weights to start with."""
        return [self.start.get(feature, 0.0) for feature in range(self.size)]


MODELS: dict[str, Model] = {
    "nardshir": Model(nardshir.features_of, nardshir.FEATURES, nardshir.START, known=nardshir.chances_of_race),
    "nexus": Model(nexus.features_of, nexus.FEATURES, nexus.START, drawn=40),
}
_STEP = 0.1
_LAMBDA = 0.7
"""How much an estimate moves towards the result rather than towards the next estimate."""


@dataclass
class Trainer:
    """The weights so far, and the sums of squares that make their steps smaller."""

    game_type: AnyRules
    model: Model
    weights: list[float]
    below: Below
    squares: list[float]

    def play(self) -> float:
        """Play and learn from one game; return the mean squared error of its estimates."""
        played, result = self._game()
        estimates = [self._shares(features) for features in played]
        target, error = result, 0.0
        for number in range(len(played) - 1, -1, -1):
            shares = estimates[number]
            self._learn(played[number], [one - other for one, other in zip(target, shares, strict=True)])
            error += (result[0] - shares[0]) ** 2
            target = [_LAMBDA * one + (1 - _LAMBDA) * other for one, other in zip(target, shares, strict=True)]
        return error / max(len(played), 1)

    def _game(self) -> tuple[list[Sequence[Sequence[float]]], list[float]]:
        """Return the features of all positions after a move, and each seat's share of the win in the end."""
        options = self.game_type.options({})
        chance = Chance(self.below(1 << 256).to_bytes(32, "big"), "setup")
        position = self.game_type.start(options, self.game_type.setup(options, chance))
        seats = len(self.game_type.seats(options))
        played: list[Sequence[Sequence[float]]] = []
        for _ in range(self.model.most_turns):
            if self.game_type.result(position) is not None:
                break
            position, dice = driver.begin(self.game_type, position, self._roll)
            step = driver.forced_step(self.game_type, position, dice)
            position = step.after if step else self._after_best(position)
            known = self.model.known(position)
            if known is not None:
                return played, list(known)
            played.append(self.model.features(position))
        result = self.game_type.result(position)
        winners = result.winners if result and result.winners else range(seats)
        return played, [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]

    def _roll(self, count: int) -> list[int]:
        return [1 + self.below(6) for _ in range(count)]

    def _after_best(self, position: Any) -> Any:
        (seat,) = self.game_type.to_move(position)
        best, most = None, -1.0
        for move in self._moves(position, seat):
            after = self.game_type.play(position, {seat: move})
            result = self.game_type.result(after)
            if result is not None:
                worth = 2.0 if result.winners == (seat,) else 0.0
            else:
                worth = (self.model.known(after) or self._shares(self.model.features(after)))[seat]
            if worth > most:
                best, most = after, worth
        return best

    def _moves(self, position: Any, seat: int) -> Iterator[Any]:
        most = self.model.drawn
        listed = list(islice(self.game_type.candidates(position, seat), most + 1))
        if len(listed) <= most:
            return iter(listed)
        return (self.game_type.promising(position, seat, self.below) for _ in range(most))

    def _shares(self, features: Sequence[Sequence[float]]) -> list[float]:
        """Return each seat's share of the win by the weights so far."""
        scores = [exp(min(sum(map(mul, self.weights, each)), 50)) for each in features]
        total = sum(scores)
        return [score / total for score in scores]

    def _learn(self, features: Sequence[Sequence[float]], errors: Sequence[float]) -> None:
        for each, error in zip(features, errors, strict=True):
            for place, feature in enumerate(each):
                if feature:
                    slope = error * feature
                    self.squares[place] += slope * slope
                    self.weights[place] += _STEP * slope / sqrt(self.squares[place])


def trained(name: str, games: int, seed: str) -> Iterator[tuple[int, float, Sequence[float]]]:
    """Train the estimate of a game: yield the number of games, their mean error, and the weights."""
    model = MODELS[name]
    weights = model.weights()
    below = random.Random(seed).randrange  # noqa: S311 - draws of players, for speed
    trainer = Trainer(RULES[name], model, weights, below, [1.0] * len(weights))
    errors: list[float] = []
    for number in range(1, games + 1):
        errors.append(trainer.play())
        if number % 50 == 0 or number == games:
            yield number, sum(errors) / len(errors), trainer.weights
            errors.clear()


def path_of(name: str) -> Path:
    """Return the path of the module with the weights of a game."""
    return Path(rules.__path__[0]) / "games" / name / "weights.py"


def module(weights: Sequence[float], record: str) -> str:
    """Return a Python module with these weights and the record of their training."""
    lines = "".join(f"    {weight:.4f},\n" for weight in weights)
    return f'"""The weights of `estimate`, {record}."""\n\nWEIGHTS = (\n{lines})\n'
