"""Transcripts of one random game of each type: turns, sentences, data and pictures, to be read and compared.

`tests/playthroughs/<game>.txt` changes when a rule, a text or a picture changes; the difference shows how.
`python -m tests.support.rules.playthroughs` writes all of them again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from rules.chance import Chance
from rules.drawing import ascii_board
from rules.registry import RULES
from tests.support.folders import TESTS
from tests.support.rules.random_games import AnyRules, AnyStep, first_position, random_game, seed

FOLDER = TESTS / "playthroughs"
PICTURE_EVERY = 8


def transcript(rules: AnyRules) -> Iterator[str]:
    """Yield the lines of random game 0 with the default options."""
    options = rules.options({})
    seats = rules.seats(options)
    yield f"{rules.title}, version {rules.version}"
    yield f"options: {json.dumps(options)}"
    yield f"setup: {json.dumps(rules.setup(options, Chance(seed(0), 'layout')))}"
    yield f"seats: {', '.join(seats)}"
    yield ascii_board(rules.diagram(first_position(rules, options)))
    for number, step in enumerate(random_game(rules, options), 1):
        yield f"\nturn {number}"
        yield from _turn(rules, seats, step)
        if number % PICTURE_EVERY == 0 or rules.result(step.after):
            yield ascii_board(rules.diagram(step.after, step))
    result = rules.result(step.after)
    yield f"\nresult: {json.dumps(result.to_json() if result else None)}"


def _turn(rules: AnyRules, seats: tuple[str, ...], step: AnyStep) -> Iterator[str]:
    if dice := rules.write(step.before).get("dice"):
        yield f"dice: {' '.join(map(str, dice))}"
    for seat, move in sorted(step.moves.items()):
        passes = rules.forced(step.before) is not None
        yield f"{seats[seat]}: {'pass' if passes else rules.format(move)}"
    yield from rules.story(step)
    yield json.dumps(rules.write(step.after))


def main() -> None:
    """Write all files again."""
    for name, game_type in RULES.items():
        lines = list(transcript(game_type))
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")
        sys.stdout.write(f"{name}: {len(lines)} lines\n")


if __name__ == "__main__":
    main()
