"""A game played once in the process that all processes of tests are forked from.

A process that has just started reads templates and compiles statements for a second. Tests start hundreds of
them, and many handle a mail or two before they end.
"""

from __future__ import annotations

import gc
from dataclasses import replace
from tempfile import TemporaryDirectory

from mail.outgoing.delivering import Relay, RelayConnections
from server.jobs.table import CLOCK, RESOLVER
from server.processes.services import Services, open_services
from server.processes.worker import Worker
from tests.support import speed
from tests.support.server.computer_players import move_next
from tests.support.server.emails import PLAY, letters, receive
from tests.support.server.services import Clock, settings_for, sqlite_database
from tests.support.speed import share_compiled


class _Nowhere(Relay):
    def __init__(self) -> None:
        super().__init__("smtp://127.0.0.1:9", hostname="games.example.org")

    def send(self, mail_from: str, recipient: str, content: bytes) -> None:
        pass


def _play(services: Services) -> None:
    for name in ("ann", "ben"):
        receive(services, f"{name}@example.org", PLAY, f"register {name}")
    invitation, *_ = receive(services, "ann@example.org", PLAY, "challenge ben nebuchadnezzar size=5")
    begun = receive(services, "ben@example.org", invitation.mail["Reply-To"], "accept")
    for letter in begun:
        receive(services, letter.to, letter.mail["Reply-To"], "c3")
    assert "report" in {letter.letter for letter in letters(services)}


def _work(services: Services) -> None:
    worker = Worker(services)
    move_next(services)
    RESOLVER.run(worker.work)
    CLOCK.run(worker.work)
    lines = RelayConnections([_Nowhere()])
    replace(services.delivery(), connections=lines).send_due(services.now())
    lines.close()


share_compiled()
speed.do_not_wait_for_disks()
with TemporaryDirectory(prefix="nabu-warm-") as _folder:
    _services = open_services(settings_for(sqlite_database(_folder)), Clock())
    _play(_services)
    _work(_services)
    _services.close()
gc.freeze()
