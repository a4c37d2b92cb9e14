"""Checks before anything starts: they report a problem in one line instead of a crash."""

import logging
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from server.processes.mail_process import Mailroom
from server.processes.services import Services
from server.settings import Settings
from server.settings.errors import unusable
from server.settings.loading import BadSettings
from server.settings.value_types import host_and_port
from server.store.db import passes, said
from server.store.keys.check import WrongKey
from server.store.rollback.history import OlderDatabase
from server.store.schema import Outdated

logger = logging.getLogger(__name__)

WEB = ("http_listen",)
MAIL = ("smtp_listen", "lmtp_listen")


def explanation(error: Exception) -> tuple[str, int] | None:
    """Return the lines that explain an error of a command, and the exit code; None for an unexpected error.

    The exit code is 2 if the settings or the database are wrong, and 75 for problems that may pass.
    """
    if isinstance(error, BadSettings | Outdated | WrongKey):
        return str(error), 2
    if isinstance(error, OlderDatabase):
        return error.sentence, os.EX_TEMPFAIL
    if isinstance(error, DBAPIError) and passes(error):
        return f"The database cannot do this now. Try again later: {said(error)}", os.EX_TEMPFAIL
    return None


@contextmanager
def database_told(settings: Settings) -> Iterator[None]:
    """Turn errors of an unavailable database into BadSettings; the settings may be right for an older one."""
    try:
        yield
    except OSError as error:
        raise BadSettings(_database(settings, f"{error.filename}: {error.strerror}")) from None
    except OlderDatabase:
        raise
    except DBAPIError as error:
        raise BadSettings(_database(settings, f"the database cannot be reached: {said(error)}")) from None


def _database(settings: Settings, problem: str) -> str:
    return unusable("database_url", settings.database_url, problem)


def check_ports(services: Services, names: tuple[str, ...]) -> None:
    """Raise BadSettings if an address cannot be listened on, for example because it is in use."""
    for name in names:
        value = getattr(services.settings, name)
        if not value:
            continue
        host, port = host_and_port(value)
        try:
            family, game_type, _, _, place = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            with socket.socket(family, game_type) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(place)
        except OSError as error:
            raise BadSettings(unusable(name, value, f"cannot listen: {error.strerror}")) from None


def check_all(services: Services) -> None:
    """Raise BadSettings if one of the processes could not run."""
    check_ports(services, (*WEB, *MAIL))
    services.delivery().connections.close()
    Mailroom(services)


def warn_of_open_secrets(settings: Settings, config: Path | None) -> None:
    """Log a warning for each file with secrets that other users of the machine can read."""
    for file in filter(None, (config, Path(settings.dkim_key) if settings.dkim_key else None)):
        if file.stat().st_mode & stat.S_IROTH:
            logger.warning(
                "%s contains secrets, but all users of this machine can read it: chmod 600 %s", file, file
            )
