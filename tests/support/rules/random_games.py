"""Whole games of random moves, the same for the same seed on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.chance import Chance
from rules.game import Json, Kind, Step
from rules.playout import random_step

AnyKind = Kind[Any, Any]
AnyStep = Step[Any, Any]


def seed(number: int) -> bytes:
    """The seed of game `number`."""
    return number.to_bytes(32, "big")


def first_position(kind: AnyKind, options: Json, number: int = 0) -> Any:
    """Where game `number` begins, with the layout that its seed gives."""
    return kind.start(options, kind.setup(options, Chance(seed(number), "layout")))


def random_game(kind: AnyKind, options: Json, number: int = 0) -> Iterator[AnyStep]:
    """The turns of game `number`, to its end."""
    position = first_position(kind, options, number)
    below = Chance(seed(number), "moves").below
    while not kind.result(position):
        step = random_step(kind, position, below)
        yield step
        position = step.after
