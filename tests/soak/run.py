"""One run, from an empty database to the last mail."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlmodel import select

from server.processes.services import Services, open_services
from server.store.db import reading
from server.store.models import Inbox, Outbox
from server.store.tokens import TokenSigner
from tests.soak import disk, house, postbox, stores
from tests.soak.administrator import Administrator
from tests.soak.crowd import ConnectionPool
from tests.soak.meters import Meters
from tests.soak.report import Soaked, assert_all_is_well, told
from tests.soak.weather import Weather
from tests.support.machine.ports import free_ports
from tests.support.server.services import settings_for

Opened = Callable[[disk.Disk], AbstractContextManager[stores.Store]]
STORES: Mapping[str, Opened] = {
    "sqlite": stores.sqlite,
    "postgresql": stores.postgresql,
    "patroni": stores.patroni,
}
_A_WHILE = timedelta(minutes=20)
"""After this what somebody was doing who was killed is certainly taken up by others."""
_LONGEST = 300.0
"""Seconds within which every game goes on in the calm, and all mail is sent when everybody has gone home."""


@dataclass(frozen=True)
class Plan:
    """The length of a run, and the number of games in it; times in seconds.

    After faults for at least so long, each at least once, all is calm, at least so long, and until there was a
    move in every game. `pause` is for how long people do not look at a game, `fair` the time between two
    faults, both on the mean; `spell` is how long a fault lasts that does not end by itself; `room` is the size
    of the disk in MB.
    """

    store: str
    storm: float
    calm: float
    games: int
    people: int
    pause: float
    fair: float
    spell: float
    room: int
    seed: int


def soak(plan: Plan, say: Callable[[str], None]) -> None:
    """Run, print the figures, and raise AssertionError if something is wrong."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="nabu-soak-")))
        folder.chmod(0o711)  # PostgreSQL runs as another user
        place = stack.enter_context(disk.mounted(folder, plan.room))
        store = stack.enter_context(STORES[plan.store](place))
        mail, web = (f"127.0.0.1:{port}" for port in free_ports(2))
        given = {"smtp_listen": mail, "http_listen": web, "base_url": f"http://{web}"}
        outside = stack.enter_context(postbox.opened(TokenSigner(settings_for(store.url).secret_keys)))
        settings = settings_for(
            store.url, smtp_url=outside.url, delivery_lease=30, domain_rate=1_000_000, **given
        )
        home = stack.enter_context(house.opened(settings, folder))
        services = open_services(settings, home.clock)
        stack.callback(services.close)
        meters = Meters(home)
        stack.callback(meters.close)
        crowd = ConnectionPool(services, outside, plan.people, plan.pause, plan.seed)
        stack.callback(crowd.stop)  # its threads would go on for ever after an error
        crowd.register()
        _await(crowd.enter)
        crowd.sit_down(plan.games)
        began = time.monotonic()
        weather = Weather(home, outside, store, place, Administrator(services), plan.spell, plan.seed)
        weather.storm(began + plan.storm, plan.fair)
        home.clock.advance(_A_WHILE)
        calm = time.monotonic()
        say(f"{calm - began:.0f} s of storm are over: {len(crowd.hands.played)} moves were acknowledged")
        time.sleep(plan.calm)
        _await(lambda: not crowd.stuck_games(calm))
        over = time.monotonic()
        crowd.go_home()
        _await(lambda: not _work(services))
        meters.close()
        ended = sum((part.ended for part in home.parts.values()), Counter())
        courses = {name: meters.course(name, calm, over) for name in home.parts}
        run = Soaked(services, outside, crowd, courses, home.close(), ended, (calm, over))
        for line in told(run, weather.fell):
            say(line)
        assert_all_is_well(run)


def _work(services: Services) -> bool:
    with reading(services.engine) as session:
        waiting = (
            select(Inbox.id).where(Inbox.state == "new"),
            select(Outbox.id).where(Outbox.state == "queued"),
        )
        return any(session.exec(query).first() is not None for query in waiting)


def _await(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + _LONGEST
    while not condition():
        assert time.monotonic() < end, "this took too long"
        time.sleep(0.5)
