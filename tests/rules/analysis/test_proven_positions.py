"""Hints and analyses of 200 positions whose result is known: none is wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pytest

from rules import driver
from rules.analysis import game_report, hints
from rules.registry import RULES
from tests.support.rules.perfect_play import (
    drawn,
    followers,
    late,
    left_by,
    mover,
    places,
    solved,
    worth,
)
from tests.support.rules.positions import nardshir as positions
from tests.support.rules.random_games import AnyRules

SEATS = 2
SMALL = 1e-6
NOTICED = 0.03
"""The least loss that an analysis reports."""


@dataclass(frozen=True)
class Known:
    """A position with the exact chance of the seat to move after each of its moves."""

    rules: AnyRules
    position: Any
    seat: int
    values: dict[Any, float]
    dice: tuple[int, ...] = ()

    @property
    def best(self) -> float:
        """The chance after the best move."""
        return max(self.values.values())

    def value(self, text: str) -> float:
        """Return the chance after the move that a text names."""
        after = self.rules.play(self.position, {self.seat: self.rules.parse(self.position, self.seat, text)})
        return next(value for move, value in self.values.items() if self._after(move) == after)

    def _after(self, move: Any) -> Any:
        return self.rules.play(self.position, {self.seat: move})


def without_dice(name: str, options: dict[str, object], left: int) -> Iterator[Known]:
    """Yield late positions of random games."""
    rules = RULES[name]
    for position in late(rules, options, left, 5000):
        seat, known = mover(rules, position), dict[Any, float]()
        worths = [worth(rules, after, known) for after in followers(rules, position, seat)]
        shares = [each if seat == 0 else 1 - each for each in worths]
        yield Known(rules, position, seat, dict(zip(rules.moves(position, seat), shares, strict=True)))


def bearing_off() -> Iterator[Known]:
    """Yield positions of Nardshir in which both sides bear off, with dice."""
    rules, rng = positions.NARDSHIR, random.Random(11)
    for mine, theirs in drawn(500, 3):
        dice = rng.randint(1, 6), rng.randint(1, 6)
        played = (dice[0],) * 4 if dice[0] == dice[1] else dice
        position = positions.board(places(mine), places(theirs), *dice)
        if rules.forced(position) is not None:
            continue
        values = {}
        for turn in rules.candidates(position, 0):
            after = rules.play(position, {0: turn}).discs[0]
            left = tuple(sorted(25 - place for place in range(19, 25) for _ in range(after[place])))
            assert left in left_by(mine, played)
            values[turn] = 1 - solved(theirs, left) if left else 1.0
        yield Known(rules, position, 0, values, dice)


SOURCES = {
    "nebuchadnezzar": lambda: without_dice("nebuchadnezzar", {"size": 4}, 6),
    "nibble": lambda: without_dice("nibble", {}, 9),
    "nibble hex-13": lambda: without_dice("nibble", {"board": "hex-13"}, 9),
    "nardshir": bearing_off,
}
EACH = 50
"""Positions of each kind, which makes 200."""


@pytest.mark.long
@pytest.mark.parametrize("source", SOURCES)
def test_no_hint_and_no_analysis_of_a_known_position_is_wrong(source: str) -> None:
    tried = hard = 0
    for known in islice(SOURCES[source](), EACH):
        check_hint(known)
        worst = min(known.values, key=known.values.__getitem__)
        best = max(known.values, key=known.values.__getitem__)
        for move in (worst, best):
            check_analysis(known, move)
        hard += known.best - known.values[worst] > SMALL
        tried += 1
    assert tried == EACH
    assert hard >= EACH // 10, "in several positions some moves are worse"


def check_hint(known: Known) -> None:
    """Assert that a hint names a best move, with its chance."""
    rules, seat = known.rules, known.seat
    hint = hints.find(rules, known.position, seat, SEATS, random.Random(1).randrange)
    assert known.value(hint.best.move) == pytest.approx(known.best, abs=1e-9)
    if hint.is_sure:
        assert hint.best.share == pytest.approx(known.best, abs=1e-9)
    else:
        assert len(known.values) == 1


def check_analysis(known: Known, move: Any) -> None:
    """Assert that an analysis reports a move if it loses something, and only then, with the right chances."""
    rules, seat, value = known.rules, known.seat, known.values[move]
    step = driver.play(rules, known.position, {seat: move}, known.dice)
    found = game_report.assess(rules, known.position, [step], [1], SEATS, bytes(32), hurried=False)
    if known.best - value < NOTICED:
        assert found.slips == ()
        return
    (slip,) = found.slips
    assert slip.seat == seat
    assert slip.share == pytest.approx(value, abs=1e-3)
    assert found.shares[1][seat] == slip.share
    assert slip.better_share == pytest.approx(known.best, abs=1e-3)
    assert known.value(slip.better) == pytest.approx(known.best, abs=1e-9)
