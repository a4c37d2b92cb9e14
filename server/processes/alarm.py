"""Telling the administrator, at once and by more than mail, what a person should look at."""

import logging
import shlex
import subprocess
import threading
from collections.abc import Callable, Collection

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from server.admin.health import HealthProblem, health
from server.game.notifications.notification import NotificationMessage
from server.outbound.notifications.messenger import Messenger, inherited
from server.processes.services import Services
from server.processes.triggers import Guarded
from server.settings import Settings
from server.store.db import reading

logger = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between two looks."""
_PATIENCE = 45.0
_TITLE = "Nabu needs somebody"
_DATABASE = "database"

Tell = Callable[[str], bool]
"""Tells the administrator something; whether somebody took it."""


class Alarm:
    """Tells of each trouble when it has been seen twice in a row, and once more when it is over.

    It tells `only` these sorts, or all: that it is silent itself, a process cannot tell.
    """

    def __init__(self, services: Services, tell: Tell, only: Collection[str] | None = None) -> None:
        self._services, self._tell, self._only = services, tell, only
        self._seen: set[str] = set()
        self._told: set[str] = set()
        self._stopped = threading.Event()
        # Nobody waits for it to end: it may be telling somebody who does not answer.
        self._thread = threading.Thread(target=self._watch, name="alarm", daemon=True)

    def start(self) -> None:
        """Look every minute from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()

    def look(self) -> None:
        """Look once, and tell what is new and what is over."""
        found = self._troubles()
        lasting = {what for what in found if what in self._seen or what in self._told}
        lines = [f"{what}: {found[what]}" for what in found if what in lasting - self._told]
        lines += [f"{what}: over" for what in sorted(self._told - set(found))]
        self._seen = set(found)
        if not lines or self._tell("\n".join(lines)):
            self._told = lasting

    def _troubles(self) -> dict[str, str]:
        try:
            with reading(self._services.engine) as session:
                troubles = list(health(session, self._services.now()).troubles())
        except (DBAPIError, NoConnection):
            troubles = [HealthProblem(_DATABASE, "it does not answer")]
        return {each.what: each.told for each in troubles if self._only is None or each.what in self._only}

    def _watch(self) -> None:
        look = Guarded("alarm", self.look)
        while not self._stopped.wait(EVERY):
            look()


def teller(settings: Settings) -> Tell | None:
    """What tells it as the settings say; None if they name nothing. It is logged if nobody takes it."""
    addresses, command = settings.alert_urls.split(), shlex.split(settings.alert_command)
    if not addresses and not command:
        return None

    def tell(text: str) -> bool:
        logger.warning("the administrator is told: %s", text.replace("\n", "; "))
        taken = False
        if addresses:
            outcomes = Messenger(anywhere=True)([NotificationMessage(each, _TITLE, text) for each in addresses])
            if any(outcome != "taken" for outcome in outcomes):
                logger.error("not all of NABU_ALERT_URLS took an alarm")
            taken = "taken" in outcomes
        if command:
            ran = _run(command, text)
            if not ran:
                logger.error("NABU_ALERT_COMMAND did not take an alarm")
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
