"""The process of the computer players: it hands their turns to children that think, several at once.

What players ask the computer, for hints or about games that are over, one child more thinks about.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import Protocol

from rules.asked.child import Question
from rules.game import Json
from server.jobs import computer, inquiries
from server.processes.guarded import Guarded
from server.processes.services import Services
from server.processes.thinkers import Thinker

BELL = 0.25
"""Seconds between two looks at what is due."""


class Thinks(Protocol):
    """Somebody who thinks about one question at a time."""

    def ask(self, question: Question) -> str | None:
        """The move that they answer; None if they have to stop."""

    def ponder(self, request: Json) -> Json | None:
        """What they answer to a request as `rules.asked.answering` takes it; None if they have to stop."""

    def hurry(self) -> None:
        """Answer at once, with what is found by now."""

    def close(self) -> None:
        """Stop thinking, whatever about."""


class Computers:
    """Moves for all computer players.

    `bell` is the number of seconds between two looks for their turns, `make` makes each of those who think.
    """

    def __init__(self, services: Services, *, bell: float = BELL, make: Callable[[], Thinks] = Thinker) -> None:
        self._office, self._bell = services, bell
        self._closing = threading.Event()
        self.thinkers, self.coach = [make() for _ in range(services.settings.thinkers)], make()
        self._free = SimpleQueue[Thinks]()
        self._unhurried: dict[Thinks, computer.Claim] = {}
        """Who thinks about what, and was not asked to hurry yet."""
        for thinker in self.thinkers:
            self._free.put(thinker)
        self._hands = ThreadPoolExecutor(len(self.thinkers), "computers")
        self._watch = threading.Thread(target=self._look_again, name="watch of the computers")
        self._questions = threading.Thread(target=self._answer, name="questions to the computers")

    def start(self) -> None:
        """Begin to move."""
        self._watch.start()
        self._questions.start()

    def stop(self) -> None:
        """Hand out no more turns, and leave those that are being thought about to others."""
        self._closing.set()
        if self._watch.is_alive():
            self._watch.join()
        for thinker in (*self.thinkers, self.coach):
            thinker.close()
        if self._questions.is_alive():
            self._questions.join()
        self._hands.shutdown()

    def _look_again(self) -> None:
        look = Guarded("computers", self._hand_out)
        while not self._closing.wait(self._bell):
            look()

    def _answer(self) -> None:
        answer = Guarded("inquiries", self._answer_all)
        while not self._closing.wait(self._bell):
            answer()

    def _answer_all(self) -> None:
        """Answer what players ask."""
        services = self._office
        while not self._closing.is_set() and inquiries.answer_next(
            services.engine, services.sealer, services.now(), self.coach.ponder
        ):
            pass

    def _hand_out(self) -> None:
        """Hand out the turns that wait, as long as somebody is free to think about them.

        If nobody is, and a person waits at a page, whoever thinks for somebody who is not there has to answer.
        """
        services = self._office
        if self._free.empty() and computer.is_awaited(services.engine, services.now()):
            self._hurry()
        while not self._closing.is_set() and not self._free.empty():
            taken = computer.claim(services.engine, services.now(), len(self.thinkers))
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

    def _think(self, taken: computer.Claim, thinker: Thinks) -> None:
        services = self._office
        try:
            computer.move(services.engine, services.sealer, services.now, taken, thinker.ask)
        finally:
            self._unhurried.pop(thinker, None)
            self._free.put(thinker)
