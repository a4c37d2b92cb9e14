"""A healthy Nabu server with a relay, a proxy and name servers, until a test breaks something."""

from __future__ import annotations

import smtplib
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mail.incoming.receiving import Listener, Received
from mail.outgoing.signing import Signer
from server.doctor.examination import examine
from server.doctor.finding import Finding
from server.doctor.installation import Installation
from server.jobs import downtime
from server.processes.mail_process import Mailroom
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading
from server.store.models import Heartbeat
from server.web import create_app
from server.web.server import WebServer
from tests.support.machine.ports import free_ports
from tests.support.machine.waiting import await_that
from tests.support.mail.dns_zone import Zone
from tests.support.mail.keys import self_signed
from tests.support.server.services import Clock

DOMAIN = "games.example.org"
ADDRESS = "203.0.113.2"
PROXY = "127.0.0.9"


class Relay:
    """A mail server that delivers Nabu's own emails back to it, and accepts all others silently."""

    def __init__(self, ours: tuple[str, int]) -> None:
        self._ours = ours
        self.brings = True
        self.spoils = False
        self.refuses = ""
        self.listener = Listener(
            "127.0.0.1",
            0,
            protocol="smtp",
            hostname="relay.example.org",
            accepts=lambda recipient: self.refuses or None,
            own=lambda peer: True,
            store=self._take,
        )

    def _take(self, mails: Sequence[Received]) -> None:
        for mail in mails if self.brings else ():
            content = mail.content.replace(b"Subject: ", b"Subject: [spam?] ") if self.spoils else mail.content
            with smtplib.SMTP(*self._ours) as way:
                way.sendmail(mail.mail_from, list(mail.recipients), content)


class Proxy:
    """A web proxy that terminates TLS, and passes on the client's address."""

    def __init__(self, port: int, certificate: tuple[Path, Path]) -> None:
        self._nabu = port
        self.tells = True
        self.shows(certificate)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def shows(self, certificate: tuple[Path, Path]) -> None:
        """Use this certificate from now on."""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(*certificate)

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, (peer, _) = self._server.accept()
                with suppress(OSError), closing(client), self._context.wrap_socket(client, True) as visitor:
                    self._pass_on(visitor, peer)

    def _pass_on(self, visitor: ssl.SSLSocket, peer: str) -> None:
        line, _, rest = visitor.recv(10_000).partition(b"\r\n")
        told = f"X-Forwarded-For: {peer}\r\n".encode() if self.tells else b""
        with socket.create_connection(("127.0.0.1", self._nabu), source_address=(PROXY, 0)) as nabu:
            nabu.sendall(line + b"\r\nConnection: close\r\n" + told + rest)
            while part := nabu.recv(10_000):
                visitor.sendall(part)


@dataclass
class HealthyServer:
    """A healthy server with parts that a test may break."""

    installation: Installation
    room: Mailroom
    relay: Relay
    proxy: Proxy
    zone: Zone
    clock: Clock

    def having(self, **more: Any) -> HealthyServer:
        """Return the same server with other settings."""
        settings = self.installation.settings.model_copy(update=more)
        services = replace(self.installation.services, settings=settings)
        return replace(self, installation=replace(self.installation, services=services))

    def within(self, seconds: float) -> HealthyServer:
        """Return the same server with a shorter time limit for its test email."""
        return replace(self, installation=replace(self.installation, patience=seconds))

    def examine(self) -> dict[str, Finding]:
        """Return the findings by check."""
        return {check.name: found for check, found in examine(self.installation)}


@contextmanager
def hospital(settings: Settings, clock: Clock, folder: Path) -> Iterator[HealthyServer]:
    """Start a healthy server."""
    config, key, ports = folder / "nabu.env", folder / "dkim.pem", free_ports(2)
    certificate = self_signed(folder, "127.0.0.1", days=60)
    config.write_text("")
    key.write_bytes(
        Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    config.chmod(0o600)
    key.chmod(0o600)
    relay, proxy = Relay(("127.0.0.1", ports[1])), Proxy(ports[0], certificate)
    relay.listener.start()
    given = {
        "http_listen": f"127.0.0.1:{ports[0]}",
        "smtp_listen": f"127.0.0.1:{ports[1]}",
        "smtp_url": "smtp://{}:{}".format(*relay.listener.address),
        "base_url": f"https://127.0.0.1:{proxy.port}",
        "trusted_proxies": PROXY,
        "dkim_key": str(key),
    }
    services = open_services(settings.model_copy(update=given), clock)
    signer = Signer(DOMAIN, "nabu", key.read_bytes())
    room = Mailroom(services)
    pages = WebServer(create_app(services), "127.0.0.1", ports[0], own=lambda peer: True)
    room.start()
    pages.start()
    downtime.beat(services.engine, clock())
    await_that(lambda: _has_beaten(services))
    tls = ssl.create_default_context(cafile=certificate[0])
    zone = _zone(signer)
    installation = Installation(services, config, zone, ADDRESS, tls, patience=30)
    try:
        yield HealthyServer(installation, room, relay, proxy, zone, clock)
    finally:
        pages.stop()
        room.stop()
        proxy.close()
        relay.listener.stop()
        services.close()


def _has_beaten(services: Services) -> bool:
    """Return whether the mail process has written its start-up record, which tests must not change earlier."""
    with reading(services.engine) as session:
        return session.get(Heartbeat, Heartbeat.INTAKE) is not None


def _zone(signer: Signer) -> Zone:
    """Return the DNS records of the server."""
    zone = Zone()
    zone.add(DOMAIN, "MX", f"mx.{DOMAIN}")
    zone.add(f"mx.{DOMAIN}", "A", ADDRESS)
    zone.add(DOMAIN, "TXT", f"v=spf1 ip4:{ADDRESS} -all")
    zone.add(signer.name, "TXT", signer.record)
    zone.add(f"_dmarc.{DOMAIN}", "TXT", "v=DMARC1; p=quarantine")
    zone.add("2.113.0.203.in-addr.arpa", "PTR", f"mx.{DOMAIN}")
    return zone
