"""An application on a port; a test can delay its responses."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from flask import Flask, Response, request

from mail.incoming.peers import read_networks
from server.web.api import events
from server.web.connections import LIMITS, Limits, look_behind
from server.web.server import WebServer
from tests.support.machine.ports import free_ports
from tests.support.machine.waiting import await_port

PATIENCE = 60.0  # seconds for one thing to happen


ANN, BEN, CAT, PROXY = "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.9"


MEGABYTE = 1_000_000


class Site:
    """An application on a port: `/` responds immediately, `/slow` after the gate opens, `/long` at length."""

    def __init__(self, limits: Limits) -> None:
        self.gate = threading.Event()
        self.entered, self.ended = threading.Semaphore(0), threading.Semaphore(0)
        app = Flask(__name__)
        app.add_url_rule("/", "short", view_func=lambda: "hello", methods=["GET", "POST"])
        app.add_url_rule("/healthz", "healthz", view_func=lambda: "ok")
        app.add_url_rule("/who", "who", view_func=lambda: request.remote_addr or "")
        look_behind(app, read_networks(PROXY))
        app.add_url_rule("/refused/<int:code>", view_func=lambda code: ("no", code))
        app.add_url_rule("/slow", view_func=self._slow)
        app.add_url_rule("/long", view_func=self._long)
        self.long = 0
        """Return the number of long responses given."""
        app.add_url_rule(events.PATH, "stream", view_func=self._stream)
        app.add_url_rule("/mail/x", "mail", view_func=lambda: str(len(request.get_data())), methods=["POST"])
        [self.port] = free_ports(1)
        self.pages = WebServer(app, "127.0.0.1", self.port, own=lambda peer: peer == PROXY, limits=limits)

    def connect(self, peer: str, data: bytes = b"") -> socket.socket:
        """Open a connection of a peer and send the beginning of a request."""
        connection = socket.create_connection(("127.0.0.1", self.port), PATIENCE, (peer, 0))
        connection.sendall(data)
        return connection

    def ask(self, peer: str, path: str = "/", body: bytes | None = None) -> int:
        """Return the status of the response to a peer's request; 0 if the server closes the connection."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE, source_address=(peer, 0))
        try:
            client.request("GET" if body is None else "POST", path, body)
            return client.getresponse().status
        except (ConnectionError, http.client.BadStatusLine):
            return 0
        finally:
            client.close()

    def _stream(self) -> Response:
        response = Response(iter(partial(self._piece, "x" * 65_536), ""))
        response.call_on_close(self.ended.release)
        return response

    def _piece(self, text: str) -> str:
        self.gate.wait(0.002)
        return text

    def _long(self) -> str:
        self.long += 1
        return "x" * 10 * MEGABYTE

    def _slow(self) -> str:
        self.entered.release()
        assert self.gate.wait(PATIENCE)
        return "done"


@contextmanager
def serving(limits: Limits = LIMITS) -> Iterator[Site]:
    site = Site(limits)
    site.pages.start()
    await_port(site.port)
    try:
        yield site
    finally:
        site.gate.set()
        site.pages.stop()
