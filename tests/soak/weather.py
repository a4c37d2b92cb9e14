"""Failures in a random order, one after the other."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from random import Random

from tests.soak.administrator import Administrator
from tests.soak.disk import Disk
from tests.soak.house import House
from tests.soak.postbox import Postbox
from tests.soak.stores import Store

_JUMPS = {
    "clock two minutes ahead": timedelta(minutes=2),
    "clock two hours ahead": timedelta(hours=2),
    "clock a minute back": timedelta(minutes=-1),
    "clock two hours back": timedelta(hours=-2),
}
_MOODS = ("is busy", "hangs", "answers are lost")


class Weather:
    """Everything that can go wrong; `fell` counts what did. A mood, or a full disk, lasts `spell` seconds."""

    def __init__(
        self,
        house: House,
        postbox: Postbox,
        store: Store,
        disk: Disk,
        administrator: Administrator,
        spell: float,
        seed: int,
    ) -> None:
        self.fell: Counter[str] = Counter()
        self._house, self._postbox, self._store, self._disk = house, postbox, store, disk
        self._administrator = administrator
        self._spell, self._random = spell, Random(seed)
        self._faults = self._all()

    def storm(self, until: float, pause: float) -> None:
        """One fault after the other, each at least once, with pauses of about so many seconds between them.

        `until` is on the monotonic clock. A fault that has started runs to its end.
        """
        order = list(self._faults)
        self._random.shuffle(order)
        while order or time.monotonic() < until:
            fault = order.pop() if order else self._random.choice(list(self._faults))
            self._faults[fault]()
            self.fell[fault] += 1
            time.sleep(self._random.uniform(0.5, 1.5) * pause)

    def _all(self) -> dict[str, Callable[[], None]]:
        faults = {f"{name} killed": part.kill for name, part in self._house.parts.items()}
        faults["all killed"] = self._kill_all
        faults["relay gone"] = self._relay_gone
        faults |= {f"relay {mood}": partial(self._relay, mood) for mood in _MOODS}
        faults |= {name: partial(self._house.clock.advance, step) for name, step in _JUMPS.items()}
        faults |= self._store.troubles
        faults["mail paused"] = lambda: self._administrator.pause_mail(self._spell)
        faults["maintenance"] = self._administrator.maintain
        if self._disk.can_be_full:
            faults["disk full"] = self._fill
        return faults

    def _kill_all(self) -> None:
        for part in self._house.parts.values():
            part.kill()

    def _relay(self, mood: str) -> None:
        self._postbox.mood = mood
        time.sleep(self._spell)
        self._postbox.mood = ""

    def _relay_gone(self) -> None:
        self._postbox.close()
        time.sleep(self._spell)
        self._postbox.open()

    def _fill(self) -> None:
        with self._disk.full():
            time.sleep(self._spell)
        self._store.repair()
