"""Alerts: send problems to the administrator immediately, through channels other than email."""

import logging
import shlex
import subprocess
import threading
from collections.abc import Callable, Collection

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from server.admin.health import health, without_database
from server.game.notifications.notification import NotificationMessage
from server.outbound.notifications.messenger import Messenger, inherited
from server.processes.services import Services
from server.processes.triggers import Guarded
from server.settings import Settings
from server.store.db import reading

logger = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between two checks."""
_PATIENCE = 45.0
_TITLE = "Alert from Nabu"

Tell = Callable[[str], bool]
"""Sends a text to the administrator; returns whether a service or the command accepted it."""


class Alarm:
    """Sends an alert about each problem that two consecutive checks find, and another when it is resolved.

    `only` are the names of the problems that it checks for; None for all. A process cannot report that it does
    not run itself.
    """

    def __init__(self, services: Services, tell: Tell, only: Collection[str] | None = None) -> None:
        self._services, self._tell, self._only = services, tell, only
        self._seen: set[str] = set()
        self._told: set[str] = set()
        self._stopped = threading.Event()
        # A daemon, as it may be waiting for a service that does not answer.
        self._thread = threading.Thread(target=self._watch, name="alarm", daemon=True)

    def start(self) -> None:
        """Start to check every minute, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop checking."""
        self._stopped.set()

    def look(self) -> None:
        """Check once, and send alerts about new and resolved problems."""
        found = self._troubles()
        lasting = {what for what in found if what in self._seen or what in self._told}
        lines = [f"{what}: {found[what]}" for what in found if what in lasting - self._told]
        lines += [f"{what}: resolved" for what in sorted(self._told - set(found))]
        self._seen = set(found)
        if not lines or self._tell("\n".join(lines)):
            self._told = lasting

    def _troubles(self) -> dict[str, str]:
        try:
            with reading(self._services.engine) as session:
                state = health(session, self._services.now())
                troubles = [*state.troubles(), *state.warnings()]
            self._services.probe.look()
        except (DBAPIError, NoConnection) as error:
            troubles = [without_database(error)]
        return {each.what: each.sentence for each in troubles if self._only is None or each.what in self._only}

    def _watch(self) -> None:
        look = Guarded("alarm", self.look)
        while not self._stopped.wait(EVERY):
            look()


def alert_sender(settings: Settings) -> Tell | None:
    """Return a function that sends a text as an alert; None if the settings name no channel for alerts.

    It logs failures, and returns False if no channel has accepted the alert.
    """
    addresses, command = settings.alert_urls.split(), shlex.split(settings.alert_command)
    if not addresses and not command:
        return None

    def tell(text: str) -> bool:
        logger.warning("alert: %s", text.replace("\n", "; "))
        taken = False
        if addresses:
            outcomes = Messenger(anywhere=True)([NotificationMessage(each, _TITLE, text) for each in addresses])
            if any(outcome != "taken" for outcome in outcomes):
                logger.error("some services in NABU_ALERT_URLS did not accept an alert")
            taken = "taken" in outcomes
        if command:
            ran = _run(command, text)
            if not ran:
                logger.error("NABU_ALERT_COMMAND failed to send an alert")
            taken = taken or ran
        return taken

    return tell


def _run(command: list[str], text: str) -> bool:
    try:
        done = subprocess.run(  # noqa: S603 - the administrator's
            command,
            input=f"{text}\n".encode(),
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            env=inherited(),
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
