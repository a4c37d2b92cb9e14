"""Counts of all possible beginnings of a game, by the engine and by the naive second implementation.

`tests/perft/<game>.txt` holds lines of options, depth and count: the number of sequences of `depth` turns that
begin a game with these options and the layout of seed 0. All orders of a simultaneous turn and all rolls of a
turn with dice count; a seat that has to pass ends its sequence. `python -m tests.support.rules.perft` counts
all lines again.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import prod
from typing import Any, NamedTuple

from rules.game import Json
from rules.registry import RULES
from tests.support.folders import TESTS
from tests.support.rules.random_games import AnyRules, first_position

FOLDER = TESTS / "perft"


class Line(NamedTuple):
    """One line of a file."""

    options: Json
    depth: int
    ways: int

    def __str__(self) -> str:
        return f"{json.dumps(self.options)} {self.depth} {self.ways}"


@dataclass(frozen=True)
class Player:
    """An engine for counting; it defines its own positions and moves."""

    seats: Callable[[Any], Iterable[int]]
    moves: Callable[[Any, int], Iterable[Any]]
    play: Callable[[Any, Mapping[int, Any]], Any]
    rolled: Callable[[Any], Iterator[Any]]


def lines(game: str) -> list[Line]:
    """Return the lines of the file of a game; raises FileNotFoundError if there is none."""
    found = []
    for text in (FOLDER / f"{game}.txt").read_text().splitlines():
        options, depth, ways = text.rsplit(" ", 2)
        found.append(Line(json.loads(options), int(depth), int(ways)))
    return found


def count(player: Player, position: Any, depth: int) -> int:
    """Return the number of sequences of `depth` turns from here."""
    total = 0
    for before in player.rolled(position):
        seats = list(player.seats(before))
        moves = [list(player.moves(before, seat)) for seat in seats]
        if depth == 1:
            total += prod(map(len, moves))
            continue
        for chosen in product(*moves):
            after = player.play(before, dict(zip(seats, chosen, strict=True)))
            total += count(player, after, depth - 1)
    return total


def count_by_engine(rules: AnyRules, options: Json, depth: int) -> int:
    """Count with the rules of the server."""
    player = Player(rules.to_move, rules.moves, rules.play, lambda position: rolls(rules, position))
    return count(player, first_position(rules, rules.options(options)), depth)


def count_naively(rules: AnyRules, options: Json, depth: int) -> int:
    """Count with `tests/support/rules/naive/<game>.py`, on positions as data."""
    options = rules.options(options)
    naive: Any = importlib.import_module(f"tests.support.rules.naive.{rules.name}")
    known = {"options": options} if "options" in inspect.signature(naive.moves).parameters else {}

    def seats(data: Json) -> Iterable[int]:
        return range(len(rules.seats(options))) if rules.simultaneous else [data["to_move"]]

    def rolled(data: Json) -> Iterator[Json]:
        return map(rules.write, rolls(rules, rules.read(options, data))) if "dice" in data else iter([data])

    player = Player(seats, lambda data, seat: naive.moves(data, seat, **known), naive.play, rolled)
    return count(player, rules.write(first_position(rules, options)), depth)


def rolls(rules: AnyRules, position: Any) -> Iterator[Any]:
    """Yield the position after each possible roll, or the position itself if no roll is due."""
    dice = rules.dice(position)
    if not dice:
        yield position
        return
    for numbers in combinations_with_replacement(range(1, 7), dice):
        yield rules.roll(position, numbers)


def main() -> None:
    """Write all files again."""
    for name, game_type in RULES.items():
        counted = [
            line._replace(ways=count_by_engine(game_type, line.options, line.depth)) for line in lines(name)
        ]
        (FOLDER / f"{name}.txt").write_text("".join(f"{line}\n" for line in counted))
        sys.stdout.write(f"{name}: {len(counted)} lines\n")


if __name__ == "__main__":
    main()
