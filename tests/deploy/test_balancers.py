"""The examples of balancers: one machine dies, and pages and mail go on by way of the other."""

from __future__ import annotations

import email
import os
import re
import shutil
import smtplib
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mail.incoming.receiving import Listener, Received
from server.web.connections import LIMITS
from tests.support.folders import ROOT
from tests.support.machine.ports import free_port, free_ports
from tests.support.machine.waiting import await_that
from tests.support.missing_programs import fail_or_skip
from tests.support.web.served_site import Site, serving

pytestmark = pytest.mark.slow

DEPLOY = ROOT / "deploy"
PAGE = (DEPLOY / "scale.md").read_text(encoding="utf-8")
NAME = "games.example.org"
PLACES = ("10.0.0.11:8000", "10.0.0.12:8000")
"""The addresses of the pages in the examples."""
EVENT = b"retry: 2000\n\n"
"""The beginning of an event stream."""


class Pages(ThreadingHTTPServer):
    """Stands in for `nabu web` on one machine: it answers to its name alone, and notes who asks for what."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Answer)
        self.port = port
        self.asked: list[tuple[str, str, str]] = []
        """Address, name and whom the proxy says it is for."""
        self.stopping = threading.Event()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,))
        self._thread.start()

    def die(self) -> None:
        """Answer no more."""
        self.stopping.set()
        if self._thread.is_alive():
            self.shutdown()
            self.server_close()
            self._thread.join()


class _Answer(BaseHTTPRequestHandler):
    server: Pages

    def do_GET(self) -> None:
        host, visitor = self.headers["Host"], self.headers.get("X-Forwarded-For", "")
        self.server.asked.append((self.path, host, visitor))
        self.send_response(200 if host == NAME else 400)
        if self.path.endswith("events"):
            self._stream()
            return
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def _stream(self) -> None:
        """Send the beginning of an event stream, as Nabu does, and keep it open."""
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("X-Accel-Buffering", "no")
        self.end_headers()
        self.wfile.write(EVENT)
        self.server.stopping.wait()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def machines() -> Iterator[list[Pages]]:
    found = [Pages(port) for port in free_ports(2)]
    yield found
    for each in found:
        each.die()


@pytest.mark.parametrize("program", ["nginx", "caddy", "haproxy"])
def test_web_pages_stay_available_when_one_machine_fails(
    program: str, tmp_path: Path, machines: list[Pages]
) -> None:
    port = free_port()
    mail = {"127.0.0.1:2424": free_port()} if program == "haproxy" else {}
    with balancing(program, port, tmp_path, machines, mail):
        assert {ask(port, "/games") for _ in range(20)} == {200}
        seen = [address for each in machines for address, *_ in each.asked]
        assert "/readyz" not in seen
        if program != "nginx":
            await_that(lambda: all("/healthz" in [address for address, *_ in each.asked] for each in machines))
        assert {name for each in machines for _, name, _ in each.asked} == {NAME}
        visitors = {visitor for each in machines for address, _, visitor in each.asked if address == "/games"}
        assert visitors == {"127.0.0.1"}, "what the visitor said of themselves is not passed on"
        machines[0].die()
        machines[1].asked.clear()
        assert {ask(port, "/games") for _ in range(20)} == {200}
        assert [address for address, *_ in machines[1].asked].count("/games") == 20


@pytest.mark.parametrize("program", ["nginx", "caddy", "haproxy"])
@pytest.mark.parametrize("path", ["/events", "/api/v1/events"])
def test_events_arrive_while_the_stream_is_open(
    program: str, path: str, tmp_path: Path, machines: list[Pages]
) -> None:
    port = free_port()
    mail = {"127.0.0.1:2424": free_port()} if program == "haproxy" else {}
    with balancing(program, port, tmp_path, machines, mail):
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", path, headers={"Host": NAME})
        assert connection.getresponse().read(len(EVENT)) == EVENT
        connection.close()
        for each in machines:
            each.stopping.set()


@pytest.mark.parametrize("program", ["nginx", "caddy"])
def test_stalled_clients_delay_no_page_behind_a_proxy(program: str, tmp_path: Path) -> None:
    """While clients stall, the proxy has taken the whole answers that Nabu gave, and asks for no more."""
    port, patient = free_port(), replace(LIMITS, reading=600, stalling=600)
    request = f"GET /long HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode()
    with serving(patient) as site, balancing(program, port, tmp_path, [site, site]), ExitStack() as stalled:
        for _ in range(10):
            client = socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0))
            stalled.enter_context(client).sendall(400 * request)
        await_that(lambda: site.long >= 10)
        await_that(lambda: site.pages.unread == 0)
        assert ask(port, "/") == 200
        assert site.long <= 20, "the systems on both sides keep some megabytes, which Caddy takes for read"


def test_email_is_handled_when_one_machine_fails(tmp_path: Path, machines: list[Pages]) -> None:
    port, mail, *inside = free_ports(4)
    came: list[list[Received]] = [[], []]
    listeners = [taking(here, stored) for here, stored in zip(inside, came, strict=True)]
    ports = dict(zip(("127.0.0.1:2424", "10.0.0.11:2424", "10.0.0.12:2424"), (mail, *inside), strict=True))
    with balancing("haproxy", port, tmp_path, machines, ports):
        time.sleep(1)  # it has looked several times, and leaves out who does not greet as it expects
        for number in range(10):
            hand_over(mail, number)
        assert all(came), "each takes some"
        listeners[0].stop()
        for number in range(10, 20):
            hand_over(mail, number)
    listeners[1].stop()
    taken = sorted(int(email.message_from_bytes(each.content)["Subject"]) for each in [*came[0], *came[1]])
    assert taken == list(range(20))


def taking(port: int, stored: list[Received]) -> Listener:
    """Receive emails as `nabu mail` does, from any computer there."""
    listener = Listener(
        "127.0.0.1",
        port,
        protocol="lmtp",
        hostname=NAME,
        accepts=lambda recipient: None,
        own=lambda peer: True,
        store=stored.extend,
    )
    listener.start()
    return listener


def hand_over(port: int, number: int) -> None:
    """As a mail server does by LMTP."""
    with smtplib.LMTP("127.0.0.1", port) as client:
        client.sendmail("ann@example.org", [f"play@{NAME}"], f"Subject: {number}\r\n\r\nc3\r\n")


def ask(port: int, address: str) -> int:
    """The status of an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", address, headers={"Host": NAME, "X-Forwarded-For": "203.0.113.7"})
    status = connection.getresponse().status
    connection.close()
    return status


@contextmanager
def balancing(
    program: str, port: int, folder: Path, machines: Sequence[Pages | Site], ports: Mapping[str, int] = {}
) -> Iterator[None]:
    """A balancer on this port while the block lasts, as the examples have it, in front of the machines.

    `ports` are those of other places that are in the example.
    """
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        missing = f"{program} is not installed. On Debian or Ubuntu: make test-system"
        fail_or_skip(missing)
    file, command = _CONFIGURE[program](port, folder)
    text = file.read_text(encoding="utf-8")
    pages = {place: machine.port for place, machine in zip(PLACES, machines, strict=True)}
    for place, port_here in {**pages, **ports}.items():
        assert place in text
        text = text.replace(place, f"127.0.0.1:{port_here}")
    file.write_text(text, encoding="utf-8")
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([found, *command], stdout=log, stderr=log, env=environment)
    try:
        await_that(lambda: process.poll() is not None or _listens(port))
        assert process.poll() is None, (folder / "log").read_text()
        yield
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    try:
        return ask(port, "/") == 200
    except OSError:
        return False


def _block(language: str) -> str:
    """The lines that the page has added to an example."""
    (found,) = re.findall(rf"^```{language}\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def _example(name: str, *changes: tuple[str, str]) -> str:
    """An example with these changes, each of which has a place in it."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


def _nginx(port: int, folder: Path) -> tuple[Path, list[str]]:
    example = _example(
        "nginx.conf",
        ("server {", f"{_block('nginx')}server {{"),
        ("proxy_pass http://127.0.0.1:8000;", "proxy_pass http://nabu;"),
        ("listen 80;", f"listen 127.0.0.1:{port};"),
        ("listen [::]:80;", ""),
    )
    file = folder / "nginx.conf"
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"daemon off;\nuser root;\npid {folder}/pid;\nerror_log {folder}/error;\nevents {{}}\n"
    file.write_text(f"{head}http {{\naccess_log off;\n{paths}{example}}}\n", encoding="utf-8")
    return file, ["-c", str(file), "-p", str(folder)]


def _caddy(port: int, folder: Path) -> tuple[Path, list[str]]:
    file = folder / "Caddyfile"
    example = _example(
        "Caddyfile",
        ("reverse_proxy @streams 127.0.0.1:8000\n", f"reverse_proxy @streams {' '.join(PLACES)}\n"),
        ("\treverse_proxy 127.0.0.1:8000 {\n", _block("caddy")),
        ("\n\tservers {", "\n\tadmin off\n\tservers {"),
        (f"\n{NAME} {{", f"\nhttp://{NAME}:{port} {{"),
    )
    file.write_text(example, encoding="utf-8")
    return file, ["run", "--adapter", "caddyfile", "--config", str(file)]


def _haproxy(port: int, folder: Path) -> tuple[Path, list[str]]:
    file = folder / "haproxy.cfg"
    example = _example(
        "haproxy.cfg",
        ("inter 5s", "inter 100ms"),
        ("timeout connect 2s", "timeout connect 2s\n\ttimeout check 10s"),
        ("\tbind :80\n", f"\tbind 127.0.0.1:{port}\n"),
        (f"\tbind :443 ssl crt /etc/haproxy/{NAME}.pem\n", ""),
        ("\thttp-request redirect scheme https unless { ssl_fc }\n", ""),
    )
    file.write_text(example, encoding="utf-8")
    return file, ["-f", str(file)]


_CONFIGURE = {"nginx": _nginx, "caddy": _caddy, "haproxy": _haproxy}
