"""Notifications are sent by a process that reaches only public hosts, tested on real sockets."""

from __future__ import annotations

import http.server
import subprocess
import threading
from collections.abc import Iterator

import pytest

from server.game.notifications.notification import NotificationMessage, SendingOutcome
from server.outbound.notifications import messenger
from server.outbound.notifications.messenger import Messenger, addresses_of, is_allowed, is_here, is_public
from tests.support.machine.ports import free_port

pytestmark = pytest.mark.slow


class Service(http.server.ThreadingHTTPServer):
    """Accepts messages, as ntfy does; below /away it redirects, and below /full it refuses."""

    def __init__(self, elsewhere: int = 0) -> None:
        self.told: list[str] = []
        self.elsewhere = elsewhere
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def port(self) -> int:
        """Return the port of the server."""
        return int(self.server_address[1])

    def message(self, topic: str, host: str = "127.0.0.1") -> NotificationMessage:
        """Return a message to a topic of the server."""
        return NotificationMessage(f"ntfy://{host}:{self.port}/{topic}", "Nibble 12: your turn, Ann", "Turn 5")


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        said = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if "away" in self.path + said:
            self.send_response(307)
            self.send_header("Location", f"http://127.0.0.1:{self.server.elsewhere}/in")
        else:
            self.server.told.append(said)
            self.send_response(507 if "full" in self.path + said else 200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *given: object) -> None:
        """Log nothing."""


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as opened:
        yield opened
        opened.shutdown()


def test_messages_are_accepted_or_not(service: Service) -> None:
    send = Messenger(also=[("127.0.0.1", service.port)])
    away = NotificationMessage(f"ntfy://127.0.0.1:{free_port()}/room", "Nobody", "listens")
    messages = [
        service.message("room"),
        service.message("full"),
        away,
        NotificationMessage("nonsense", "x", "y"),
    ]
    assert send(messages) == [SendingOutcome.TAKEN, *[SendingOutcome.LATER] * 3]
    assert "Nibble 12: your turn, Ann" in service.told[0]


def test_own_addresses_are_not_reached(service: Service) -> None:
    """Neither directly, nor by a host name, nor by a redirect from an allowed host."""
    hosts = ("127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "127.1")  # noqa: S104 - asked for on purpose
    assert Messenger()([service.message("room", host) for host in hosts]) == [SendingOutcome.LATER] * len(hosts)
    assert service.told == []
    with Service(elsewhere=service.port) as outside:
        send = Messenger(also=[("127.0.0.1", outside.port)])
        assert send([outside.message("away")]) == [SendingOutcome.LATER]
        outside.shutdown()
    assert service.told == []


def test_address_with_commas_is_one_address(service: Service) -> None:
    with Service() as other:
        send = Messenger(also=[("127.0.0.1", service.port), ("127.0.0.1", other.port)])
        both = f"json://127.0.0.1:{service.port}/room,json://127.0.0.1:{other.port}/x"
        send([NotificationMessage(both, "Ann", "Turn 5")])
        assert other.told == []
        other.shutdown()


def test_notification_process_knows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, str]] = []

    def run(command: object, env: dict[str, str], **_: object) -> object:
        given.append(env)
        raise OSError

    monkeypatch.setattr(subprocess, "run", run)
    for name in ("NABU_SECRET_KEY", "NABU_DATABASE_URL", "https_proxy", "SOMETHING_ELSE"):
        monkeypatch.setenv(name, "secret")
    Messenger()([])
    assert "secret" not in given[0].values()
    assert "PATH" in given[0]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),  # noqa: S104 - not listened at
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("ff02::1", False),
        ("fec0::1", False),
        ("::127.0.0.1", False),
        ("::7f00:1", False),
        ("192.88.99.1", False),
        ("::ffff:192.88.99.1", False),
    ],
)
def test_public_addresses_are_recognized(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize(
    ("address", "port", "allowed"),
    [
        ("93.184.216.34", 443, True),
        ("93.184.216.34", 80, True),
        ("93.184.216.34", 8448, True),
        ("93.184.216.34", 25, False),
        ("93.184.216.34", 8080, False),
        ("127.0.0.1", 443, False),
        ("93.184.216.1", 443, False),
        ("::ffff:93.184.216.1", 443, False),
        ("2606:2800:220:1::7%eth0", 443, False),
    ],
)
def test_few_ports_and_no_own_address_are_reached(address: str, port: int, allowed: bool) -> None:
    assert is_allowed(address, port, {"93.184.216.1", "2606:2800:220:1::7"}) is allowed


def test_own_addresses_are_known() -> None:
    assert "127.0.0.1" in addresses_of(["localhost", "no.such.host.invalid"])
    assert is_here("127.0.0.5")
    assert is_here("::ffff:127.0.0.1")
    assert not is_here("93.184.216.34")


def test_public_address_of_this_computer_is_not_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(messenger, "is_public", lambda address: True)
    assert not is_allowed("127.0.0.1", 443)
    assert is_allowed("93.184.216.34", 443)
