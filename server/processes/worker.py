"""The worker, which runs background jobs when they are due. Only the database records due jobs."""

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from apscheduler.schedulers.background import BackgroundScheduler

from server.jobs.job import Work
from server.jobs.table import JOBS
from server.processes.services import Services
from server.processes.triggers import Guarded, TaskRunner

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0
"""Seconds between two checks for due work; commits of other processes trigger a check immediately."""
_OFTEN = 1.0
"""Jobs with at most this interval, in seconds, have their own threads, which wake up less than a pool."""
_WATCH_SECONDS = 5.0
"""Seconds between two checks of the scheduler itself."""
_SLACK = timedelta(seconds=1)
_MIN_INTERVAL = 0.02
"""The least seconds between two checks for due emails, so that each check finds several in busy times."""
LEFT_LYING = timedelta(seconds=5)
"""How long an incoming email waits for the mail process before the worker handles it."""


class Worker:
    """Handles incoming emails, sends emails and runs the table of jobs, in its own threads.

    `poll` is the number of seconds between two checks for due work without a trigger.
    """

    def __init__(self, services: Services, *, poll: float = POLL_SECONDS) -> None:
        self._services = services
        self._poll = poll
        self._closing = threading.Event()
        self.work = Work(
            services.engine, services.sealer, services.now, services.settings, self._closing.is_set
        )
        self._runner = TaskRunner(services.engine)
        self._scheduler = BackgroundScheduler(timezone="UTC")
        self._watch = threading.Thread(target=self._watch_scheduler, name="watch of the worker")
        self._pipeline = services.pipeline()
        self._delivery = services.delivery()
        self._notices = services.notices()

    def start(self) -> None:
        """Start running the jobs."""
        if self._services.settings.believes_senders:
            logger.warning(
                "NABU_CHECK_SENDERS is false: anyone who writes a player's address into From can act for that "
                "player"
            )
        # It would log every run, and every one skipped because the previous one was still running.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        self._runner.add("intake", self._poll, self.handle_mail, on_commit=False)
        for job in JOBS:
            seconds = self._poll if job.wakes else max(self._poll, job.every)
            task = partial(job.run, self.work)
            if job.wakes or job.every <= _OFTEN:
                self._runner.add(job.name, seconds, task, on_commit=job.wakes)
            else:
                self._schedule(job.name, seconds, task)
        self._runner.add("delivery", self._poll, self.send_mail, rest=_MIN_INTERVAL)
        self._runner.add("notices", self._poll, self.send_notices)
        self._runner.add("slow notices", self._poll, self.send_slow_notices)
        self._scheduler.start()
        self._runner.start()
        self._watch.start()

    def stop(self) -> None:
        """Finish the jobs in progress, and start no others."""
        self._closing.set()
        if self._watch.is_alive():
            self._watch.join()
        self._runner.stop()
        self._scheduler.shutdown(wait=True)
        self._delivery.connections.close()

    def handle_mail(self) -> None:
        """Handle incoming emails that the mail process did not handle in time."""
        while not self._closing.is_set() and self._pipeline.waits(self._services.now(), LEFT_LYING):
            self._pipeline.handle_next(self._services.now(), LEFT_LYING)

    def send_mail(self) -> None:
        """Send all emails that are due."""
        self._repeat(self._delivery.send_due)

    def send_notices(self) -> None:
        """Send all notifications that are due to other services and to browsers."""
        self._repeat(self._notices.send_due)

    def send_slow_notices(self) -> None:
        """Send the due notifications to services that have answered slowly."""
        self._repeat(self._notices.send_slow)

    def _repeat(self, act: Callable[[datetime], int]) -> None:
        while not self._closing.is_set() and act(self._services.now()):
            pass

    def _watch_scheduler(self) -> None:
        """Continue if the wall clock was set back: the scheduler would wait until the old time comes again."""
        while not self._closing.wait(_WATCH_SECONDS):
            now = datetime.now(UTC)
            for job in self._scheduler.get_jobs():
                if job.next_run_time is not None and job.next_run_time - now > job.trigger.interval + _SLACK:
                    job.modify(next_run_time=now)

    def _schedule(self, name: str, seconds: float, task: Callable[[], None]) -> None:
        self._scheduler.add_job(
            Guarded(name, task), "interval", seconds=seconds, id=name, max_instances=1, coalesce=True
        )
