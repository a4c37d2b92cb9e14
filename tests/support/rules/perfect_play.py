"""Perfect play at the end of games, by simple exhaustive searches, without code of the computer players."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from rules import driver
from tests.support.rules.random_games import AnyRules, random_game

# Games without dice

GAMES = 1000
"""More than are needed to find 20 positions in which a seat has a choice."""


def worth(rules: AnyRules, position: Any, known: dict[Any, float]) -> float:
    """Return the first seat's share of the win with perfect play, by searching everything that can follow.

    A winning move is as good as any, so other moves are not searched then.
    """
    if position in known:
        return known[position]
    result = rules.result(position)
    if result is not None:
        found = 1 / len(result.winners) if 0 in result.winners else 0.0
    else:
        (seat,) = rules.to_move(position)
        step = driver.forced_step(rules, position)
        after = [step.after] if step else followers(rules, position, seat)
        best, most = (max, 1.0) if seat == 0 else (min, 0.0)
        found = 1 - most
        for each in after:
            found = best(found, worth(rules, each, known))
            if found == most:
                break
    known[position] = found
    return found


def followers(rules: AnyRules, position: Any, seat: int) -> Iterator[Any]:
    """Yield the positions after each move."""
    return (rules.play(position, {seat: move}) for move in rules.moves(position, seat))


def late(rules: AnyRules, options: dict[str, object], left: int, first: int) -> Iterator[Any]:
    """Yield one late position from each random game, in which a seat has a choice."""
    for number in range(first, first + GAMES):
        steps = list(random_game(rules, rules.options(options), number))
        for step in steps:
            if (
                _left(rules, step.before) <= left
                and len(list(rules.moves(step.before, mover(rules, step.before)))) > 1
            ):
                yield step.before
                break


def mover(rules: AnyRules, position: Any) -> int:
    (seat,) = rules.to_move(position)
    return seat


def _left(rules: AnyRules, position: Any) -> int:
    """Return the number of blocks left, or of empty points."""
    written = rules.write(position)["rows"]
    signs = "".join(written)
    return signs.count(".") if rules.name == "nebuchadnezzar" else len(signs) - signs.count(".")


# Bearing off in Nardshir

_SMALL = 1e-13
"""The largest change of a chance in one round once it is found."""

Points = tuple[int, ...]
"""The discs that are left, as the pips that each has to go, ascending."""
_FOUND: dict[tuple[Points, Points], float] = {}
"""The chance of the player who rolls next, named first; all searches share the results."""


@cache
def left_by(discs: Points, dice: tuple[int, ...]) -> frozenset[Points]:
    """Return the discs that can be left once no die of these can be played any more."""
    found: set[Points] = set()
    for number, die in enumerate(dice):
        for disc in set(discs):
            if disc >= die:
                others = list(discs)
                others.remove(disc)
                rest = tuple(sorted([*others, disc - die] if disc > die else others))
                found |= left_by(rest, (*dice[:number], *dice[number + 1 :]))
    return frozenset(found) or frozenset({discs})


@cache
def _rolled(discs: Points) -> list[tuple[int, frozenset[Points]]]:
    """Return the positions that can follow each roll, with the number of 36 rolls that are the same."""
    return [
        (1 if one == two else 2, left_by(discs, (one,) * 4 if one == two else (one, two)))
        for one, two in combinations_with_replacement(range(1, 7), 2)
    ]


def _winning(mine: Points, theirs: Points) -> float:
    """Return the chance of the player who rolls next, by the chances found so far."""
    total = 0.0
    for times, lefts in _rolled(mine):
        total += times * max(1 - _FOUND.get((theirs, left), 0.5) if left else 1.0 for left in lefts)
    return total / 36


def solved(mine: Points, theirs: Points) -> float:
    """Return the chance to win of the player who rolls next, by value iteration over all that can follow."""
    states = _reached(mine, theirs)
    change = 1.0
    while states and change > _SMALL:
        change = 0.0
        for state in states:
            chance = _winning(*state)
            change = max(change, abs(chance - _FOUND.get(state, 0.5)))
            _FOUND[state] = chance
    return _FOUND[mine, theirs]


def _reached(mine: Points, theirs: Points) -> list[tuple[Points, Points]]:
    """Return all unsolved pairs that can follow, those with the fewest pips first."""
    new = [(mine, theirs)]
    found = set(new) - set(_FOUND)
    while new:
        one, other = new.pop()
        for _, lefts in _rolled(one):
            for left in lefts:
                if left and (other, left) not in found and (other, left) not in _FOUND:
                    found.add((other, left))
                    new.append((other, left))
    return sorted(found, key=lambda pair: sum(map(sum, pair)))


def drawn(wanted: int, most: int) -> Iterator[tuple[Points, Points]]:
    """Yield pairs of a few discs on the last six points."""
    rng = random.Random(5)
    for _ in range(wanted):
        mine, theirs = (tuple(sorted(rng.choices(range(1, 7), k=rng.randint(1, most)))) for _ in range(2))
        yield mine, theirs


def places(discs: Points) -> dict[int, int]:
    """Return a side of the board with these discs; all others are off."""
    found = {25 - pips: discs.count(pips) for pips in set(discs)}
    return found | {25: 15 - len(discs)}
