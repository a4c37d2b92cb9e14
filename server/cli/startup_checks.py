"""Checks before anything starts: they report a problem in one line instead of a crash."""

import logging
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from sqlalchemy.exc import DBAPIError

from server.processes.mail_process import Mailroom
from server.processes.services import Services
from server.settings import Settings
from server.settings.loading import BadSettings, strange_names
from server.settings.value_types import host_and_port
from server.store.db import said

logger = logging.getLogger(__name__)

WEB = ("http_listen",)
MAIL = ("smtp_listen", "lmtp_listen")


@contextmanager
def database_told() -> Iterator[None]:
    """Turn errors of an unavailable database into BadSettings."""
    try:
        yield
    except OSError as error:
        raise BadSettings(f"NABU_DATABASE_URL: {error.filename}: {error.strerror}.") from None
    except DBAPIError as error:
        raise BadSettings(f"NABU_DATABASE_URL: the database cannot be reached: {said(error)}") from None


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
            raise BadSettings(f"NABU_{name.upper()}: cannot listen on {value}: {error.strerror}.") from None


def check_all(services: Services) -> None:
    """Raise BadSettings if one of the processes could not run."""
    check_ports(services, (*WEB, *MAIL))
    services.delivery().lines.close()
    Mailroom(services)


def warn_of_open_secrets(settings: Settings, config: Path | None) -> None:
    """Log a warning for each file with secrets that other users of the machine can read."""
    for file in filter(None, (config, Path(settings.dkim_key) if settings.dkim_key else None)):
        if file.stat().st_mode & stat.S_IROTH:
            logger.warning(
                "%s contains secrets, but all users of this machine can read it: chmod 600 %s", file, file
            )


def warn_of_strange_names() -> None:
    """Log a warning about unknown names in the environment; `nabu serve` does it for all its processes."""
    is_part = click.get_current_context().find_root().params["lifeline"] is not None
    names = [] if is_part else strange_names()
    if names:
        logger.warning("not settings, although in the environment: %s", ", ".join(sorted(names)))
