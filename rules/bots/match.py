"""Games between two computer players, for finding out which is stronger.

Games come in pairs: in the second the players have swapped seats, and layout and dice are the same. In games
with three or four seats, the first player takes each seat in turn, and the second player has all the others.
"""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from rules import driver
from rules.bots.match_players import AnyRules, Chooser
from rules.chance import Chance

MOST_TURNS = 2000
"""A game that has not ended after this many turns is a draw of the players still in."""


@dataclass(frozen=True)
class Played:
    """The result of one game of a match for the first player."""

    points: float
    """Its share of the win: 1, 0, or a part of a draw."""
    moves: tuple[int, int]
    """The number of moves of each player."""
    seconds: tuple[float, float]
    """The processor time in seconds that each player used in all."""


def play_one(
    rules: AnyRules, options: Mapping[str, object], players: Sequence[Chooser], number: int, seed: str = ""
) -> Played:
    """Return the result of game `number` of a match, from 0. The same seed and number give the same game.

    In game `number`, the first player has seat `number` modulo the number of seats.
    """
    settled = rules.options(options)
    seats = len(rules.seats(settled))
    of_round = sha256(f"{seed}\n{number // seats}".encode()).digest()
    below = random.Random(f"{seed}\n{number}").randrange  # noqa: S311 - draws of players, for speed
    position = rules.start(settled, rules.setup(settled, Chance(of_round, "setup")))
    seated = [int(seat != number % seats) for seat in range(seats)]
    moves, seconds = [0, 0], [0.0, 0.0]
    for turn in range(MOST_TURNS):
        if rules.result(position) is not None:
            break
        position, dice = driver.begin(rules, position, Chance(of_round, f"dice {turn}").dice)
        step = driver.forced_step(rules, position, dice)
        if step is None:
            chosen = {}
            for seat in rules.to_move(position):
                began = time.process_time()
                chosen[seat] = players[seated[seat]](rules, position, seat, seats, below)
                seconds[seated[seat]] += time.process_time() - began
                moves[seated[seat]] += 1
            step = driver.play(rules, position, chosen, dice)
        position = step.after
    result = rules.result(position)
    staying = set(range(seats)) - set(rules.seats_out(position))
    winners = result.winners if result and result.winners else staying
    points = 1 / len(winners) if seated.index(0) in winners else 0.0
    return Played(points, (moves[0], moves[1]), (seconds[0], seconds[1]))


@contextmanager
def played(
    rules: AnyRules,
    options: Mapping[str, object],
    players: Sequence[Chooser],
    games: int,
    *,
    first: int = 0,
    seed: str = "",
    processes: int = 1,
) -> Iterator[Iterator[Played]]:
    """Play games of a match from number `first` on, in `processes` processes; yield the results in order.

    Unfinished games are ended when the block ends.
    """
    one, numbers = partial(play_one, rules, options, players, seed=seed), range(first, games)
    if processes == 1:
        yield map(one, numbers)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield pool.imap(one, numbers)
