"""Anyone who runs the house, and does now and then what administrators do."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from server.admin import announcements, outgoing_mail
from server.admin.audit import AdminAction
from server.processes.services import Services
from server.store.db import writing
from server.store.outbox import ActionContext
from tests.soak.people import DOMAIN

_WHY = "This is being tried out."
_DOWN = timedelta(minutes=30)


class Administrator:
    """By the functions that the commands call."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def pause_mail(self, seconds: float) -> None:
        """Send no emails for so long."""
        self._do(lambda admin_action: outgoing_mail.pause_domain(admin_action, DOMAIN, _WHY))
        time.sleep(seconds)
        self._do(lambda admin_action: outgoing_mail.release(admin_action, DOMAIN))

    def maintain(self) -> None:
        """Have all clocks stand still for a while from now on; moves are taken all the same."""
        self._do(_plan_maintenance)

    def _do(self, what: Callable[[AdminAction], object]) -> None:
        with writing(self._services.engine) as session:
            what(AdminAction(ActionContext(session, self._services.sealer, self._services.now())))


def _plan_maintenance(admin_action: AdminAction) -> None:
    now = admin_action.action.now
    for shown in announcements.list_announcements(admin_action.session, announcements.MOST_SHOWN):
        if shown.until > now:
            announcements.end(admin_action, shown.number)
    announcements.plan(admin_action, now, now + _DOWN, _WHY, mail=False)
