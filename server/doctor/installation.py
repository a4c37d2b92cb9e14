"""The installation that is checked, and its view of the network."""

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
"""A distant address, used only to find this machine's own address; nothing is sent to it."""
_INSIDE = read_networks("10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,172.16.0.0/12,192.168.0.0/16")


@dataclass(frozen=True)
class Installation:
    """One installation of Nabu.

    `config` is its settings file, if any. `lookup` queries the DNS. `address` is the public IP address of this
    machine, "" if unknown. `tls` verifies certificates. `patience` is the number of seconds to wait for the
    test email.
    """

    services: Services
    config: Path | None
    lookup: Lookup
    address: str
    tls: ssl.SSLContext
    patience: float

    @property
    def settings(self) -> Settings:
        """The settings."""
        return self.services.settings

    @property
    def file(self) -> Path | None:
        """The file of the database; None for PostgreSQL."""
        return self.settings.database_file

    def has_address(self, host: str) -> bool:
        """Return whether the DNS has an address of a host. Raises LookupFailed."""
        return bool(self.lookup(host, "A") or self.lookup(host, "AAAA"))

    @cached_property
    def health(self) -> Health:
        """The server's health, from the database."""
        with reading(self.services.engine) as session:
            return health(session, self.services.now())

    @cached_property
    def trip(self) -> RoundTrip:
        """The round trip of a test email, sent once. Raises DeliveryFailed."""
        return travel(self.services, self.patience)


def own_address() -> str:
    """Return the public address of this machine; "" if it is behind a NAT or has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(_ELSEWHERE)
        except OSError:
            return ""
        address = str(way.getsockname()[0])
    return "" if within(address, _INSIDE) else address
