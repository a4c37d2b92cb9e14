"""Processes of Nabu with email listener and worker, to be used and killed by tests."""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

import pytest

from mail.incoming.maildir import Maildir
from rules.analysis import answering
from rules.analysis.subprocess_worker import Question
from rules.game import Json
from rules.registry import RULES
from server.cli.run import stop_event, wait_for
from server.game.log.log import AnyRules
from server.processes import mail_process
from server.processes.computer_process import Computers
from server.processes.mail_process import Mailroom
from server.processes.services import open_services, utc_now
from server.processes.thinkers import Thinker
from server.processes.worker import Worker
from server.settings import Settings
from tests.support.e2e.mailboxes import PATIENCE
from tests.support.forks import FORKS
from tests.support.random_values import seed_from
from tests.support.server.computer_players import think

POLL_SECONDS = 0.1
"""Seconds between two looks of the worker and into a maildir; tests wait for each email."""


class Here(Thinker):
    """A computer player that thinks in the process of its caller."""

    def ask(self, question: Question) -> str:
        """Return a move with hardly any thought."""
        return think(question)

    def ponder(self, request: Json) -> Json:
        """Think as long as it takes."""
        return answering.answer(request)

    def hurry(self) -> None:
        """Return True: it always hurries."""

    def close(self) -> None:
        """Do nothing."""


class Running:
    """Mail listener and worker in one process."""

    def __init__(self, process: ForkServerProcess, listener: tuple[str, int]) -> None:
        self.process = process
        self.listener = listener

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        if self.process.pid is not None:
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()

    def stop(self) -> None:
        """Ask the process to end, and wait for that."""
        if self.process.is_alive():
            self.process.terminate()
        self.process.join(PATIENCE)
        assert not self.process.is_alive()


def start(
    settings: Settings,
    die_at: int = 0,
    game_types: Sequence[type[AnyRules]] = (),
    now: Callable[[], datetime] = utc_now,
) -> Running:
    """Start listener and worker; with `die_at`, the process kills itself at that event after an email arrives.

    `game_types` are also registered there; `now` is the time there.
    """
    ours, theirs = FORKS.Pipe()
    process = FORKS.Process(
        target=_run,
        args=(settings.model_dump(), theirs, secrets.token_hex(), die_at, game_types, now),
        daemon=True,
    )
    process.start()
    theirs.close()
    return Running(process, ours.recv())


@contextmanager
def running(settings: Settings, game_types: Sequence[type[AnyRules]] = ()) -> Iterator[Running]:
    """Run listener and worker for the length of a block."""
    nabu = start(settings, game_types=game_types)
    try:
        yield nabu
    finally:
        nabu.stop()


def _run(
    settings: dict[str, object],
    ready: Connection,
    label: str,
    die_at: int,
    game_types: Sequence[type[AnyRules]],
    now: Callable[[], datetime],
) -> None:
    seed_from(label)
    stop = stop_event()
    RULES.update({each.name: each() for each in game_types})
    services = open_services(Settings(**settings), now)  # type: ignore[arg-type]
    if die_at:
        from tests.support.e2e.kill_points import arm

        arm(services, die_at)
    forever = pytest.MonkeyPatch()
    forever.setattr(mail_process, "Maildir", partial(Maildir, pause=POLL_SECONDS))
    room = Mailroom(services)
    parts: list[Worker | Computers] = [Worker(services, poll=POLL_SECONDS)]
    if not die_at:
        # Separate processes do not have games that are registered here.
        parts.append(Computers(services, poll=POLL_SECONDS, make=Here if game_types else Thinker))
    room.start()
    for part in parts:
        part.start()
    ready.send(room.listeners[0].address if room.listeners else ("", 0))
    wait_for(stop)
    room.stop()
    for part in parts:
        part.stop()
