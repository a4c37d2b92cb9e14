"""The worker: rings the bell for everything that is due. What is due is in the database, never here."""

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

from server.accounts import account_changes
from server.jobs import (
    announcements,
    counting,
    lobby,
    operator_report,
    reopening,
    resolving,
    retention,
    schedule,
    series,
    spectators,
)
from server.processes.services import Services
from server.processes.triggers import Bells, Guarded
from server.store.db import writing
from server.store.outbox import ActionContext

logger = logging.getLogger(__name__)

BELL = 1.0
"""Seconds between two looks at what is due; what others commit is looked at as soon as it is heard of."""
_WATCH = 1.0
"""Seconds between two looks at the bells themselves."""
_ANNOUNCING = 30.0
"""Seconds between two times at which some players are mailed an announcement."""
_LOBBY = 60.0
"""Seconds between two looks whether open games still wait for anybody."""
_SLACK = timedelta(seconds=1)
_BREATH = 0.02
"""Seconds between two looks for mail, at least: while turns are played all the time, each finds several."""
LEFT_LYING = timedelta(seconds=5)
"""How long a mail waits for a mailroom before the worker handles it."""


class Worker:
    """Handles mail that came in, sends mail and keeps house, in threads of its own.

    `bell` is the number of seconds between two looks at what is due, if nothing is heard of meanwhile.
    """

    def __init__(self, services: Services, *, bell: float = BELL) -> None:
        self._services = services
        self._bell = bell
        self._closing = threading.Event()
        self._bells = Bells(services.engine)
        self._scheduler = BackgroundScheduler(timezone="UTC")
        self._watch = threading.Thread(target=self._watch_bells, name="watch of the worker")
        self._pipeline = services.pipeline()
        self._delivery = services.delivery()
        self._notices = services.notices()

    def start(self) -> None:
        """Begin to ring."""
        if self._services.settings.believes_senders:
            logger.warning(
                "NABU_CHECK_SENDERS is false: whoever writes a player's address into From is taken for that "
                "player."
            )
        # It would log every bell, and every one that rang while the work was still going on.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        self._ring("intake", self._bell, self.handle_mail)
        self._ring("clock", max(self._bell, 1.0), self.keep_time)
        self._ring("announcing", _ANNOUNCING, self.announce)
        self._ring("counting", max(self._bell, 1.0), self.count_games)
        self._ring("series", max(self._bell, 1.0), self.go_on)
        self._ring("watchers", max(self._bell, 1.0), self.tell_watchers)
        self._ring("lobby", _LOBBY, self.look_after_lobby)
        self._ring("housekeeping", 3600, self.keep_house)
        self._ring("trouble", 3600, self.tell_operator)
        self._bells.hang("delivery", self._bell, self.send_mail, rest=_BREATH)
        self._bells.hang("notices", self._bell, self.send_notices)
        self._bells.hang("slow notices", self._bell, self.send_slow_notices)
        self._bells.hang("resolving", self._bell, self.resolve_turns)
        self._scheduler.start()
        self._bells.start()
        self._watch.start()

    def stop(self) -> None:
        """Finish what is under way and ring no more."""
        self._closing.set()
        if self._watch.is_alive():
            self._watch.join()
        self._bells.stop()
        self._scheduler.shutdown(wait=True)
        self._delivery.lines.close()

    def handle_mail(self) -> None:
        """Handle mails that the mailroom left lying."""
        while not self._closing.is_set() and self._pipeline.waits(self._services.now(), LEFT_LYING):
            self._pipeline.handle_next(self._services.now(), LEFT_LYING)

    def send_mail(self) -> None:
        """Send all mails that are due."""
        while not self._closing.is_set() and self._delivery.send_due(self._services.now()):
            pass

    def send_notices(self) -> None:
        """Tell all turns that are due in channels of other services, and in browsers."""
        while not self._closing.is_set() and self._notices.send_due(self._services.now()):
            pass

    def send_slow_notices(self) -> None:
        """Do the same where answers have been slow."""
        while not self._closing.is_set() and self._notices.send_slow(self._services.now()):
            pass

    def resolve_turns(self) -> None:
        """Resolve turns whose orders are all in and whose delay is over."""
        services = self._services
        while not self._closing.is_set() and resolving.resolve_next(
            services.engine, services.sealer, services.now()
        ):
            pass

    def announce(self) -> None:
        """Mail an announcement to some players more."""
        services = self._services
        announcements.tell_some(services.engine, services.sealer, services.now())

    def keep_time(self) -> None:
        """Beat, and act on all deadlines that have passed."""
        services = self._services
        schedule.tick(services.engine, services.sealer, services.now, self._closing.is_set)

    def count_games(self) -> None:
        """Count the games that are over."""
        services = self._services
        while not self._closing.is_set() and counting.count_next(
            services.engine, services.sealer, services.now()
        ):
            pass

    def go_on(self) -> None:
        """Begin the next games of series, and open standing offers again."""
        services = self._services
        for follow in (series.go_on_next, reopening.reopen_next):
            while not self._closing.is_set() and follow(services.engine, services.sealer, services.now()):
                pass

    def tell_watchers(self) -> None:
        """Tell those who watch games what is new in them."""
        services = self._services
        while not self._closing.is_set() and spectators.tell_next(
            services.engine, services.sealer, services.now()
        ):
            pass

    def look_after_lobby(self) -> None:
        """Look after some open games that cannot begin as they are, or are forgotten."""
        services = self._services
        for _ in range(lobby.AT_ONCE):
            if self._closing.is_set() or not lobby.look_after_next(
                services.engine, services.sealer, services.now()
            ):
                break

    def keep_house(self) -> None:
        """Throw away what was handled or sent long ago."""
        keep = timedelta(days=self._services.settings.keep_mail_days)
        with writing(self._services.engine) as session:
            retention.throw_away(session, self._services.now(), keep)
        with writing(self._services.engine) as session:
            account_changes.keep(ActionContext(session, self._services.sealer, self._services.now()))

    def tell_operator(self) -> None:
        """Tell the operator of trouble."""
        services = self._services
        with writing(services.engine) as session:
            operator_report.tell_operator(
                ActionContext(session, services.sealer, services.now()), services.settings.operator
            )

    def _watch_bells(self) -> None:
        """Ring on if the wall clock was put back: the scheduler would wait until it is as late again."""
        while not self._closing.wait(_WATCH):
            now = datetime.now(UTC)
            for job in self._scheduler.get_jobs():
                if job.next_run_time is not None and job.next_run_time - now > job.trigger.interval + _SLACK:
                    job.modify(next_run_time=now)

    def _ring(self, name: str, seconds: float, task: Callable[[], None]) -> None:
        self._scheduler.add_job(
            Guarded(name, task), "interval", seconds=seconds, id=name, max_instances=1, coalesce=True
        )
