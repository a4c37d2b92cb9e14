"""Positions of Nardshir in short notation, turns typed as texts and random games, for its tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rules.errors import IllegalMove
from rules.game import Step
from rules.games.nardshir.board import HAND, OFF, Turn
from rules.games.nardshir.position import Position
from rules.games.nardshir.rules import Nardshir

NARDSHIR = Nardshir()
START = NARDSHIR.start({}, {})


def board(x: dict[int, int], o: dict[int, int], *dice: int, to_move: int = 0, quiet: int = 0) -> Position:
    """Return a position from discs by own point (25 for off), all others in hand; two dice for the seat to
    move, or none.
    """
    sides = [[0] * 26, [0] * 26]
    for side, discs in zip(sides, (x, o), strict=True):
        for place, count in discs.items():
            side[place] = count
        side[HAND] += 15 - sum(side)
    data = {
        "points": [side[1:OFF] for side in sides],
        "hand": [side[HAND] for side in sides],
        "off": [side[OFF] for side in sides],
        "to_move": to_move,
        "dice": [],
        "turn": 9,
        "quiet_turns": quiet,
    }
    now = NARDSHIR.read({}, data)
    return NARDSHIR.roll(now, dice) if dice else now


def step(now: Position, text: str) -> Step[Position, Turn]:
    """Return the turn of the seat to move."""
    moves = {now.to_move: NARDSHIR.parse(now, now.to_move, text)}
    return Step(now, moves, NARDSHIR.play(now, moves))


def after(now: Position, text: str) -> Position:
    """Return the position after a turn of the seat to move."""
    return step(now, text).after


def canonical(now: Position, text: str) -> str:
    """Return the canonical text of a turn of the seat to move."""
    return NARDSHIR.format(NARDSHIR.parse(now, now.to_move, text))


def texts(now: Position) -> list[str]:
    """Return all turns of the seat to move."""
    return [NARDSHIR.format(turn) for turn in NARDSHIR.moves(now, now.to_move)]


def refusal(now: Position, text: str) -> str:
    """Return the sentence that refuses an illegal turn of the seat to move."""
    with pytest.raises(IllegalMove) as refused:
        NARDSHIR.parse(now, now.to_move, text)
    return str(refused.value)


def random_game(seed: int) -> Iterator[Step[Position, Turn]]:
    """Yield the turns of a game of random moves, passes included, to its end."""
    drawn = random.Random(seed)
    now = START
    while not NARDSHIR.result(now):
        now = NARDSHIR.roll(now, (drawn.randint(1, 6), drawn.randint(1, 6)))
        turn = NARDSHIR.forced(now)
        if turn is None:
            turn = NARDSHIR.sample(now, now.to_move, drawn.randrange)
        played = Step(now, {now.to_move: turn}, NARDSHIR.play(now, {now.to_move: turn}))
        now = played.after
        yield played
