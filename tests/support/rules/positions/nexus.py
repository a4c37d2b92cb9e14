"""Positions of NEXUS for tests in short notation, and the results of turns."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from rules.errors import IllegalMove
from rules.game import Json
from rules.games.nexus.board import Board
from rules.games.nexus.position import Position
from rules.games.nexus.rules import Nexus
from rules.games.nexus.turn import TurnOutcome, outcome
from rules.geometry.hexes import DIRECTIONS, names, places

NEXUS = Nexus()

MEADOW = ("c1:r d1 e1", "c4:b d4 e4", "c7:g d7 e7", "c10:y d10 e10")
"""Far from the middle, one marble of each colour on a row of three rings, so that no player is ever out."""

TO_AND_FRO = ("move c1-d1-e1", "move c4-d4-e4", "move e1-d1-c1", "move e4-d4-c4")
"""Moves of two players on the meadow that lead back to the first position."""


def board(text: str) -> Board:
    """Return rings with their marbles: "m13 m14:rr"."""
    pairs = (word.partition(":") for word in text.split())
    return {places()[name]: marbles for name, _, marbles in pairs}


def shown(rings: Board) -> str:
    """Return the opposite of `board`, by name."""
    return " ".join(
        f"{names()[ring]}:{marbles}" if marbles else names()[ring] for ring, marbles in sorted(rings.items())
    )


def data(
    rings: str,
    *,
    players: int = 2,
    to_move: int = 0,
    reserve: Sequence[int] | None = None,
    last: Sequence[str | None] | None = None,
    out: Sequence[int] = (),
    quiet: int = 0,
) -> Json:
    """Return a position as JSON; by default all players have moved and have no reserve."""
    return {
        "rings": {name: marbles for name, _, marbles in (word.partition(":") for word in rings.split())},
        "reserve": list(reserve or [0] * players),
        "out": list(out),
        "to_move": to_move,
        "last_actions": list(last or ["move"] * players),
        "ply": 20,
        "quiet": quiet,
    }


def position(rings: str, *, players: int = 2, meadow: bool = True, **rest: Any) -> Position:
    """Return the position of `data`, with `MEADOW` beside the rings by default."""
    far = MEADOW[:players] if meadow else ()
    return NEXUS.read({"players": players}, data(" ".join([rings, *far]), players=players, **rest))


def start(players: int) -> Position:
    return NEXUS.start({"players": players}, {})


def played(before: Position, text: str) -> Position:
    """Return the position after the seat to move has played this."""
    return NEXUS.play(before, {before.to_move: NEXUS.parse(before, before.to_move, text)})


def replayed(before: Position, *texts: str) -> Position:
    for text in texts:
        before = played(before, text)
    return before


def becomes(before: Position, text: str) -> TurnOutcome:
    """Return the outcome of a turn of the seat to move."""
    seat = before.to_move
    return outcome(before.board, "rbgy"[seat], NEXUS.parse(before, seat, text))


def removed(before: Position, text: str) -> list[str]:
    """Return the marbles that a turn deletes by surrounding: ["b2g", "c3b"]."""
    return [names()[loss.ring] + loss.colour for loss in becomes(before, text).removed]


def holds(after: Position, name: str) -> str:
    return after.board[places()[name]]


def is_legal(before: Position, text: str) -> bool:
    try:
        NEXUS.parse(before, before.to_move, text)
    except IllegalMove:
        return False
    return True


def refusal(before: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        NEXUS.parse(before, before.to_move, text)
    return str(caught.value)


def scattered(draw: random.Random, players: int, size: int) -> Json:
    """Return a random position on a few rings close to one another, crowded with marbles, as JSON."""
    near = [names()[place] for place in sorted(places().values()) if names()[place] in _PATCH]
    rings = draw.sample(near, size)
    colours = "rbgy"[:players]
    words = []
    for name in rings:
        count = draw.choice((0, 0, 1, 1, 2, 3, 4))
        marbles = "".join(sorted(draw.choice(colours) for _ in range(count)))
        crowded = any(marbles.count(colour) > 3 for colour in colours)
        words.append(f"{name}:{marbles[:3] if crowded else marbles}")
    return data(
        " ".join(words),
        players=players,
        to_move=draw.randrange(players),
        reserve=[draw.randrange(5) for _ in range(players)],
        last=[draw.choice(("add", "move", "move", "rings", None)) for _ in range(players)],
        quiet=draw.randrange(20),
    )


def besieged(draw: random.Random, players: int) -> Json:
    """Return a random group of rings that red has surrounded but for one empty ring, red to move, as JSON."""
    group = {places()["m13"]}
    while len(group) < draw.randrange(2, 6):
        group.add(draw.choice(sorted(group)) + draw.choice(DIRECTIONS))
    shore = {ring + way for ring in group for way in DIRECTIONS} - group
    others = "bgy"[: players - 1]
    rings = {ring: "".join(draw.choice(others) for _ in range(draw.randrange(1, 4))) for ring in group}
    rings |= {ring: "r" + draw.choice(["", "", "r", "b"]) for ring in shore if draw.random() < 0.8}
    rings[draw.choice(sorted(shore))] = ""
    words = [f"{names()[ring]}:{''.join(sorted(marbles))}" for ring, marbles in rings.items()]
    words += [*MEADOW[:players], "f20:rr"]
    return data(" ".join(words), players=players, reserve=[3] * players)


_PATCH = {f"{letter}{number}" for letter in "klmno" for number in range(11, 16)}


POCKET = "m13:{} n13:{} l13:r m14:r m12:r n12:r l14 o13:r o12:r n14:r"
"""Blue on m13 and n13 with red around, but for the empty l14; a red marble can step there from k14."""


def pocket(first: str = "bb", second: str = "bb", **rest: Any) -> Position:
    return position(f"{POCKET.format(first, second)} k14:r", **rest)
