"""The process of the computer players: it distributes their turns to several child processes.

One more child answers players' requests for hints and analyses.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from queue import SimpleQueue

from rules.analysis.subprocess_worker import Question
from server.jobs import computer_moves, inquiries
from server.processes.services import Services
from server.processes.thinkers import Thinker
from server.processes.triggers import Guarded, TaskRunner

POLL_SECONDS = 1.0
"""Seconds between two checks for due work; commits of other processes trigger a check immediately."""


class Computers:
    """Makes the moves of all computer players.

    `poll` is the number of seconds between two checks for turns without a trigger; `make` starts a child
    process that computes moves.
    """

    def __init__(
        self, services: Services, *, poll: float = POLL_SECONDS, make: Callable[[], Thinker] = Thinker
    ) -> None:
        self._services = services
        self._closing = threading.Event()
        self.thinkers, self.coach = [make() for _ in range(services.settings.thinkers)], make()
        self._free = SimpleQueue[Thinker]()
        self._unhurried: dict[Thinker, computer_moves.Claim] = {}
        """The claims by thinker, of those that were not asked to hurry yet."""
        for thinker in self.thinkers:
            self._free.put(thinker)
        self._hands = ThreadPoolExecutor(len(self.thinkers), "computers")
        self._runner = TaskRunner(services.engine)
        self._runner.add("computers", poll, self._hand_out)
        self._runner.add("inquiries", poll, self._answer_all)

    def start(self) -> None:
        """Start making moves, in threads."""
        self._runner.start()

    def stop(self) -> None:
        """Stop making moves, and release claimed turns to other processes."""
        self._closing.set()
        for thinker in (*self.thinkers, self.coach):
            thinker.close()
        self._runner.stop()
        self._hands.shutdown()

    def _answer_all(self) -> None:
        """Answer players' requests for hints and analyses."""
        services = self._services
        while not self._closing.is_set() and inquiries.answer_next(
            services.engine, services.sealer, services.now(), self.coach.ponder
        ):
            pass

    def _hand_out(self) -> None:
        """Distribute the waiting turns while a thinker is free.

        If none is free and a person waits at a page, hurry a thinker whose opponent is not at their page.
        """
        services = self._services
        if self._free.empty() and computer_moves.is_awaited(services.engine, services.now()):
            self._hurry()
        while not self._closing.is_set() and not self._free.empty():
            taken = computer_moves.claim(services.engine, services.now(), len(self.thinkers))
            if taken is None:
                return
            thinker = self._free.get()
            self._unhurried[thinker] = taken
            self._hands.submit(Guarded("computers", partial(self._think, taken, thinker)))

    def _hurry(self) -> None:
        for thinker, taken in list(self._unhurried.items()):
            if not taken.soon:
                self._unhurried.pop(thinker, None)
                thinker.hurry()
                return

    def _think(self, taken: computer_moves.Claim, thinker: Thinker) -> None:
        services = self._services
        try:
            ask = partial(self._ask, thinker)
            computer_moves.move(services.engine, services.sealer, services.now, taken, ask)
        finally:
            self._unhurried.pop(thinker, None)
            self._free.put(thinker)
            self._runner.trigger()

    def _ask(self, thinker: Thinker, question: Question) -> str | None:
        """Ask a thinker, which may take as much processor time as the administrator has set."""
        return thinker.ask(replace(question, work=self._services.settings.computer_seconds))
