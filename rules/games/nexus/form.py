"""The choices that a player of NEXUS gets in a form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rules.game import FormField
from rules.games.nexus.board import Add, Board, Step, Walk, ordinary_steps, reachable, take_step
from rules.games.nexus.notation import write_steps
from rules.geometry.hexes import names

NOTHING: Final = ("", "-")


def form(board: Board, colour: str, reserve: int, walking: bool, turns: Sequence[str]) -> tuple[FormField, ...]:
    """Fields for an addition, for two ordinary steps if `walking` is allowed, and for some whole `turns`.

    The second step is one that is possible after some first step.
    """
    firsts = list(ordinary_steps(board, colour)) if walking else []
    after_first = (take_step(board, colour, step)[0] for step in firsts)
    seconds = (step for after in after_first for step in ordinary_steps(after, colour))
    rings = reachable(board, colour) if reserve >= 3 else []
    additions = [(names()[ring], f"add on {names()[ring]}") for ring in rings]
    sorts = [(Add.name, "add three marbles")] * bool(rings) + [(Walk.name, "move twice")] * walking
    return (
        FormField("Action", (*sorts, *((turn, f"only: {turn}") for turn in turns))),
        FormField("First", (NOTHING, *additions, *_choices(firsts))),
        FormField("Second", (NOTHING, *additions, *_choices(seconds))),
        FormField("Third", (NOTHING, *additions)),
    )


def _choices(steps: Iterable[Step]) -> list[tuple[str, str]]:
    texts = dict.fromkeys(write_steps([step])[0] for step in steps)
    return [(text, f"move {text}") for text in texts]
