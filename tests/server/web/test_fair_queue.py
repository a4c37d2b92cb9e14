"""The order in which requests of several networks are handled."""

from __future__ import annotations

import threading

from server.web.fair_queue import FairDispatcher

PATIENCE = 60.0


class Task:
    """A task for a network that runs once the gate is open."""

    def __init__(self, network: str, order: list[str], gate: threading.Event) -> None:
        self.network = network
        self._order, self._gate = order, gate
        self.done = threading.Event()

    def service(self) -> None:
        assert self._gate.wait(PATIENCE)
        self._order.append(self.network)
        self.done.set()

    def cancel(self) -> None:
        """Raise an error: no task is cancelled in these tests."""


def test_networks_take_turns_on_a_thread() -> None:
    order: list[str] = []
    gate = threading.Event()
    tasks = [Task(network, order, gate) for network in "xaaabbc"]
    dispatcher = FairDispatcher(1, 1, lambda task: str(task.network))
    for task in tasks:
        dispatcher.add_task(task)
    gate.set()
    for task in tasks:
        assert task.done.wait(PATIENCE)
    dispatcher.shutdown()
    assert "".join(order) == "xabcaba"
