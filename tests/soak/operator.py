"""Whoever runs the house, and does now and then what operators do."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from server.admin import announcements, outgoing_mail
from server.admin.audit import Office
from server.processes.services import Services
from server.store.db import writing
from server.store.outbox import Action
from tests.soak.people import DOMAIN

_WHY = "This is being tried out."
_DOWN = timedelta(minutes=30)


class Operator:
    """By the functions that the commands call."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def hold(self, seconds: float) -> None:
        """Send nothing to anybody for so long."""
        self._do(lambda office: outgoing_mail.hold(office, DOMAIN, _WHY))
        time.sleep(seconds)
        self._do(lambda office: outgoing_mail.release(office, DOMAIN))

    def maintain(self) -> None:
        """Have all clocks stand still for a while from now on; moves are taken all the same."""
        self._do(_plan_maintenance)

    def _do(self, what: Callable[[Office], object]) -> None:
        with writing(self._services.engine) as session:
            what(Office(Action(session, self._services.sealer, self._services.now())))


def _plan_maintenance(office: Office) -> None:
    now = office.action.now
    announcements.plan(office, now, now + _DOWN, _WHY, mail=False)
