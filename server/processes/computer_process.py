"""The process of the computer players: it hands their turns to children that think, several at once.

What players ask the computer, for hints or about games that are over, one child more thinks about.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue

from server.jobs import computer_moves, inquiries
from server.processes.services import Services
from server.processes.thinkers import Thinker
from server.processes.triggers import Guarded, TaskRunner

POLL_SECONDS = 1.0
"""Seconds between two looks at what is due; what others commit is looked at as soon as it is heard of."""


class Computers:
    """Moves for all computer players.

    `poll` is the number of seconds between two looks for their turns, if nothing is heard of meanwhile, `make`
    makes each of those who think.
    """

    def __init__(
        self, services: Services, *, poll: float = POLL_SECONDS, make: Callable[[], Thinker] = Thinker
    ) -> None:
        self._services = services
        self._closing = threading.Event()
        self.thinkers, self.coach = [make() for _ in range(services.settings.thinkers)], make()
        self._free = SimpleQueue[Thinker]()
        self._unhurried: dict[Thinker, computer_moves.Claim] = {}
        """Who thinks about what, and was not asked to hurry yet."""
        for thinker in self.thinkers:
            self._free.put(thinker)
        self._hands = ThreadPoolExecutor(len(self.thinkers), "computers")
        self._runner = TaskRunner(services.engine)
        self._runner.add("computers", poll, self._hand_out)
        self._runner.add("inquiries", poll, self._answer_all)

    def start(self) -> None:
        """Begin to move."""
        self._runner.start()

    def stop(self) -> None:
        """Hand out no more turns, and leave those that are being thought about to others."""
        self._closing.set()
        for thinker in (*self.thinkers, self.coach):
            thinker.close()
        self._runner.stop()
        self._hands.shutdown()

    def _answer_all(self) -> None:
        """Answer what players ask."""
        services = self._services
        while not self._closing.is_set() and inquiries.answer_next(
            services.engine, services.sealer, services.now(), self.coach.ponder
        ):
            pass

    def _hand_out(self) -> None:
        """Hand out the turns that wait, as long as somebody is free to think about them.

        If nobody is, and a person waits at a page, whoever thinks for somebody who is not there has to answer.
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
            computer_moves.move(services.engine, services.sealer, services.now, taken, thinker.ask)
        finally:
            self._unhurried.pop(thinker, None)
            self._free.put(thinker)
            self._runner.trigger()
