"""All guests together, each in a thread of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

from sqlmodel import Session, col, select

from server.settings import Settings
from server.store.models import Game, Inbox, Outbox, Tournament
from tests.support.e2e.mailboxes import World
from tests.support.evening.guests import Habit, Lease
from tests.support.evening.hands import Hands, is_guided
from tests.support.evening.house import House, opened

_HABITS: Sequence[Habit] = ("mail", "both", "web")


class Party:
    """The people at a server, and their games; a third of them does everything by email, a third on the web."""

    def __init__(self, house: House, names: Sequence[str], threads: ThreadPoolExecutor) -> None:
        self.house = house
        self.hands = Hands(house.engine)
        self.guests = [
            Lease(name, _HABITS[number % len(_HABITS)], house, self.hands) for number, name in enumerate(names)
        ]
        self.over = threading.Event()
        self._threads = threads
        self._lives: list[Future[None]] = []

    def all_do(self, deeds: Iterable[Callable[[], object]]) -> None:
        """Do things side by side; raises what goes wrong in any."""
        for each in [self._threads.submit(deed) for deed in deeds]:
            each.result()

    def live(self) -> None:
        """From now on all answer their mail, and look at the pages that they have open."""
        self.over.clear()
        self._lives = [self._threads.submit(guest.live, self.over) for guest in self.guests]

    def sleep(self, length: timedelta) -> None:
        """All go to bed, and time passes."""
        self.over.set()
        for life in self._lives:
            life.result()
        self.house.night(length)
        self.live()

    def rest(self, *cups: int) -> None:
        """Wait until no mail waits, no game goes on but those in which all are silent, and no cup but these."""

        def left(session: Session) -> list[object]:
            games = session.exec(select(Game).where(Game.state == "running"))
            going_on = (Tournament.state == "running", col(Tournament.id).not_in(cups))
            return [
                *(game.id for game in games if game.id not in self.hands.silent and not is_guided(game)),
                *session.exec(select(Tournament.id).where(*going_on)),
                *session.exec(select(Game.id).where(col(Game.next_due_at).is_not(None))),
                *session.exec(select(Game.id).where(col(Game.count_due_at).is_not(None))),
                *session.exec(select(Game.id).where(col(Game.news_at).is_not(None))),
                *session.exec(select(Inbox.id).where(Inbox.state == "new")),
                *session.exec(select(Outbox.id).where(Outbox.state == "queued")),
            ]

        self.house.wait_for(left, self._raise_what_went_wrong)

    def _raise_what_went_wrong(self) -> None:
        for life in self._lives:
            if life.done():
                life.result()


@contextmanager
def party(settings: Settings, world: World, names: Sequence[str]) -> Iterator[Party]:
    """A house with guests, who have come but not yet registered."""
    with opened(settings, world) as house, ThreadPoolExecutor(2 * len(names)) as threads:
        found = Party(house, names, threads)
        try:
            yield found
        finally:
            found.over.set()
