"""What is looked at: one installation, and the world as it is seen from there."""

import socket
import ssl
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mail.authentication.checks.dns import Lookup
from mail.incoming.peers import read_networks, within
from server.admin.health import Health, health
from server.doctor.round_trip import RoundTrip, travel
from server.processes.services import Services
from server.settings import Settings
from server.store.db import reading

_ELSEWHERE = ("192.88.99.1", 9)
"""Somewhere far away, to which nothing is sent: only the way there is asked for."""
_INSIDE = read_networks("10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,172.16.0.0/12,192.168.0.0/16")


@dataclass(frozen=True)
class Installation:
    """An installation. `config` is its file of settings, if there is one.

    `lookup` asks the DNS, `address` is the IP address of this machine as others see it, "" if it is not known.
    `tls` says who is believed about a server's name. A mail of ours may take `patience` seconds to come back.
    """

    services: Services
    config: Path | None
    lookup: Lookup
    address: str
    tls: ssl.SSLContext
    patience: float

    @property
    def settings(self) -> Settings:
        """What it is set to."""
        return self.services.settings

    @property
    def file(self) -> Path | None:
        """The file of the database; None for PostgreSQL."""
        return self.settings.database_file

    @cached_property
    def health(self) -> Health:
        """What the database says of what runs and waits."""
        with reading(self.services.engine) as session:
            return health(session, self.services.now())

    @cached_property
    def trip(self) -> RoundTrip:
        """A mail of ours to ourselves, sent and awaited once. Raises DeliveryFailed."""
        return travel(self.services, self.patience)


def own_address() -> str:
    """The address with which this machine reaches others; "" where others see another one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(_ELSEWHERE)
        except OSError:
            return ""
        address = str(way.getsockname()[0])
    return "" if within(address, _INSIDE) else address
