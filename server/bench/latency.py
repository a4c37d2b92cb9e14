"""The delay of reports: from the 250 for the email with a move until the relay has the reports."""

import random
import threading
import time
from queue import SimpleQueue

from server.bench.harness.load import Couriers
from server.bench.harness.processes import Processes
from server.bench.turn import GameRunner, Match, TurnMeasurement, run, run_turns

_STILL = 10.0
"""Seconds for which idle processes are measured."""
_PAUSE = 0.4
"""The average number of seconds between two moves in the run without load."""


class Paced(GameRunner):
    """A move at a given average interval, in the game that has waited longest."""

    def __init__(self, turns: int, every: float) -> None:
        super().__init__(turns)
        self._every = every
        self._free: SimpleQueue[Match] = SimpleQueue()
        self._pace = threading.Thread(target=self._make_moves, args=(turns,), daemon=True)

    def play(self, senders: Couriers, processes: Processes) -> TurnMeasurement:
        """Play, and measure from the first pause to the last report."""
        self._pace.start()
        return super().play(senders, processes)

    def go_on(self, match: Match) -> None:
        """Note that the game waits for its next move."""
        self._free.put(match)

    def _make_moves(self, turns: int) -> None:
        due, choose = time.monotonic(), random.Random(turns).uniform  # noqa: S311 - the same pauses every time
        for _ in range(turns):
            due += choose(0.5, 1.5) * self._every  # not in step with jobs that run at fixed intervals
            time.sleep(max(0.0, due - time.monotonic()))
            super().go_on(self._free.get())


def run_alone(
    game_type: str, turns: int, still: float = _STILL, pause: float = _PAUSE, server: str | None = None
) -> TurnMeasurement:
    """Play one move at a time, with pauses, after some idle seconds.

    `server` is as in `new_database`.
    """
    return run(Paced(turns, pause), game_type, turns // 20 + 1, still, server)


def run_loaded(
    game_type: str, turns: int, games: int, share: float, server: str | None = None
) -> tuple[TurnMeasurement, TurnMeasurement]:
    """Play as many moves per second as possible; then this share of them. `server` is as in `new_database`."""
    fully, _ = run_turns(game_type, games, turns, server)
    return fully, run(Paced(turns, 1 / (share * fully.rate)), game_type, games, server=server)
