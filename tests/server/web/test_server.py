"""The pages on a real port: incomplete requests, unread responses, and other visitors at the same time."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import replace

import pytest

from mail.incoming.peers import Quota
from server.limits import LARGEST_RECORD_ON_WEB
from server.web import mail_webhooks
from server.web.api import events
from server.web.connections import LIMITS
from server.web.wsgi_bridge import THREADS_EACH
from tests.support.folders import ROOT
from tests.support.machine.waiting import await_that
from tests.support.web.served_site import ANN, BEN, CAT, MEGABYTE, PATIENCE, PROXY, serving

LONG = b"GET /long HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SLOW = b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SHORT = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
HALF = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nx"


def ended(connection: socket.socket) -> bool:
    """Wait, and return whether the server has closed the connection."""
    try:
        while connection.recv(65_536):
            pass
    except ConnectionError:
        pass
    return True


def test_honest_request_is_answered_during_half_sent_ones() -> None:
    with serving(replace(LIMITS, opened=200)) as site, ExitStack() as half_sent:
        for _ in range(150):
            half_sent.enter_context(site.connect(ANN, HALF))
        assert site.ask(BEN) == 200
        assert site.ask(ANN) == 200


@pytest.mark.parametrize(("peer", "header"), [(ANN, b""), (PROXY, b"X-Forwarded-For: 192.0.2.7\r\n")])
def test_one_network_gets_few_threads(peer: str, header: bytes) -> None:
    """This also holds behind a proxy. Other networks are served while its requests wait."""
    slow = SLOW.replace(b"\r\n\r\n", b"\r\n" + header + b"\r\n")
    with serving() as site, ExitStack() as asked:
        connections = [asked.enter_context(site.connect(peer, slow)) for _ in range(10)]
        for _ in range(THREADS_EACH):
            assert site.entered.acquire(timeout=PATIENCE)
        for other in (BEN, PROXY):
            assert site.ask(other) == 200
        assert not site.entered.acquire(blocking=False)
        site.gate.set()
        for connection in connections:
            assert connection.recv(15) == b"HTTP/1.1 200 OK"


def test_new_connection_replaces_the_longest_waiting() -> None:
    limits = replace(LIMITS, connections=Quota(most=6, ours=2, each=2))
    with serving(limits) as site, ExitStack() as half_sent:
        first, second = (half_sent.enter_context(site.connect(ANN, HALF)) for _ in range(2))
        for peer in (BEN, BEN):
            half_sent.enter_context(site.connect(peer, HALF))
        third = half_sent.enter_context(site.connect(ANN, HALF))
        assert ended(first)
        half_sent.enter_context(site.connect(CAT, HALF))
        assert ended(second)
        assert site.ask(PROXY) == 200
        third.sendall(b"x" * 9)
        assert third.recv(15) == b"HTTP/1.1 200 OK"


def test_one_network_opens_a_limited_number_of_connections_a_second() -> None:
    with serving(replace(LIMITS, opened=2, opened_a_second=0.001)) as site, ExitStack() as opened:
        for _ in range(2):
            assert site.ask(ANN) == 200
        assert ended(opened.enter_context(site.connect(ANN)))
        assert site.ask(ANN) == 0
        for other in (BEN, PROXY, PROXY, PROXY):
            assert site.ask(other) == 200


@pytest.mark.parametrize(
    ("peer", "code", "ends"),
    [(ANN, 429, True), (ANN, 401, True), (ANN, 404, False), (PROXY, 429, False), (PROXY, 401, False)],
)
def test_too_fast_client_is_disconnected_unless_behind_a_proxy(peer: str, code: int, ends: bool) -> None:
    with serving() as site:
        client = http.client.HTTPConnection("127.0.0.1", site.port, PATIENCE, source_address=(peer, 0))
        client.request("GET", f"/refused/{code}")
        answer = client.getresponse()
        answer.read()
        assert (answer.status, answer.will_close) == (code, ends)
        client.close()


def test_trusted_proxy_has_no_limit_of_connections() -> None:
    limits = replace(LIMITS, connections=Quota(most=8, ours=2, each=2))
    with serving(limits) as site, ExitStack() as half_sent:
        connections = [half_sent.enter_context(site.connect(PROXY, HALF)) for _ in range(8)]
        for connection in connections:
            connection.sendall(b"x" * 9)
            assert connection.recv(15) == b"HTTP/1.1 200 OK"


def test_connection_is_kept_while_it_is_answered() -> None:
    limits = replace(LIMITS, connections=Quota(most=9, ours=0, each=2), asking=0.1, reading=0.1)
    with serving(limits) as site, ExitStack() as connections:
        request = b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        asked = [connections.enter_context(site.connect(ANN, request)) for _ in range(2)]
        for _ in asked:
            assert site.entered.acquire(timeout=PATIENCE)
        assert site.ask(ANN) == 0
        assert ended(connections.enter_context(site.connect(BEN, HALF)))
        site.gate.set()
        for connection in asked:
            assert connection.recv(15) == b"HTTP/1.1 200 OK"


def test_idle_connection_is_closed() -> None:
    sent = [
        b"",
        b"\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        HALF,
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ]
    limits = replace(LIMITS, connections=Quota(most=9, ours=0, each=9), asking=0.2)
    with serving(limits) as site, ExitStack() as connections:
        for connection in [connections.enter_context(site.connect(ANN, data)) for data in sent]:
            assert ended(connection)


def test_slow_request_is_not_waited_for() -> None:
    with (
        serving(replace(LIMITS, asking=0.5)) as site,
        site.connect(ANN, b"GET / HTTP/1.1\r\nX: ") as connection,
    ):

        def cut() -> bool:
            try:
                connection.sendall(b"x")
            except ConnectionError:
                return True
            return False

        await_that(cut)


def test_client_that_never_reads_its_response_is_disconnected() -> None:
    limits = replace(LIMITS, connections=Quota(most=1, ours=0, each=1), reading=0.3)
    with serving(limits) as site, site.connect(ANN, LONG):
        await_that(lambda: site.ask(BEN) == 200)


def test_clients_that_read_nothing_delay_no_page() -> None:
    """More clients than threads, each with several requests whose responses it does not read."""
    with serving() as site, ExitStack() as stalled:
        for _ in range(10):
            stalled.enter_context(site.connect(ANN, 4 * LONG))
        await_that(lambda: site.long == 10)
        assert site.ask(BEN) == 200
        assert site.long == 10, "the others wait until the first responses are read"


def test_client_that_reads_nothing_is_disconnected() -> None:
    with serving(replace(LIMITS, stalling=0.3)) as site, site.connect(ANN, LONG) as connection:
        await_that(lambda: site.long == 1)
        await_that(lambda: not site.pages.connections)
        assert ended(connection)


def test_few_requests_are_read_ahead() -> None:
    """Reading hundreds of them takes a while in the thread that reads from all connections."""
    with serving() as site, site.connect(ANN) as connection:
        connection.setblocking(False)
        unsent = memoryview(500_000 * SHORT)
        with suppress(BlockingIOError):
            while unsent:
                unsent = unsent[connection.send(unsent) :]
        assert unsent
        assert site.ask(BEN) == 200


def test_requests_that_were_sent_together_are_answered_in_order() -> None:
    with serving() as site, site.connect(ANN, 99 * SHORT + LAST) as connection:
        assert connection.makefile("rb").read().count(b"HTTP/1.1 200 OK") == 100


def test_client_that_reads_too_slowly_is_disconnected() -> None:
    with serving(replace(LIMITS, reading=1)) as site, site.connect(ANN, LONG) as connection:
        await_that(lambda: site.long == 1)
        while site.pages.connections:
            assert connection.recv(1)
            time.sleep(0.05)


def test_unread_stream_ends() -> None:
    request = LONG.replace(b"/long", events.PATH.encode())
    with serving(replace(LIMITS, stalling=0.3)) as site, site.connect(ANN, request):
        assert site.ended.acquire(timeout=PATIENCE)


def test_limits_are_documented() -> None:
    connections, size = LIMITS.connections, LIMITS.gathered
    each = "from one address, or one /64 of IPv6"
    page = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
    for limit in (
        f"{connections.most:,}, of which {connections.ours} are for trusted proxies; "
        f"{connections.each} {each}.",
        f"{LIMITS.opened_a_second} a second {each}, after the first {LIMITS.opened} |",
        f"of which {THREADS_EACH} {each}, also behind a trusted proxy |",
        f"{size.most // MEGABYTE} MB, of which {size.ours // MEGABYTE} MB are for trusted proxies; "
        f"{size.each // MEGABYTE} MB from one address |",
    ):
        assert limit in page
    assert (LIMITS.asking, LIMITS.reading) == (60, 300), "a minute, and five minutes"


def test_large_requests_share_limited_memory() -> None:
    limits = replace(LIMITS, gathered=Quota(most=5 * MEGABYTE, ours=2 * MEGABYTE, each=2 * MEGABYTE))
    head = b"POST /mail/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1900000\r\n\r\n"
    mail = b"x" * MEGABYTE
    with serving(limits) as site, site.connect(ANN, head + b"x" * 1_500_000) as ann:
        with site.connect(CAT, head + b"x" * 1_400_000):
            await_that(lambda: site.pages.gathered == 2_900_000)
            for peer in (ANN, BEN):
                assert site.ask(peer, "/mail/x", mail) in (0, 503)
            assert site.ask(PROXY, "/mail/x", mail) == 200
            assert site.ask(BEN, "/mail/x", b"x" * 50_000) == 200
        await_that(lambda: site.pages.gathered == 1_500_000)
        assert site.ask(BEN, "/mail/x", mail) == 200
        ann.sendall(b"x" * 400_000)
        assert ann.recv(15) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize(
    ("path", "largest"), [("/mail/x", mail_webhooks.LARGEST_REQUEST), ("/", 2 * LARGEST_RECORD_ON_WEB - 1)]
)
def test_oversized_request_is_refused_unread(path: str, largest: int) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {largest + 1}\r\n\r\n"
    with serving() as site, site.connect(ANN, head.encode()) as client:
        assert client.recv(12) == b"HTTP/1.1 413"


def test_oversized_header_is_refused_unread() -> None:
    with serving() as site, site.connect(ANN, b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000) as client:
        assert client.recv(12).endswith(b" 400")


def test_a_header_field_that_only_looks_like_that_of_a_proxy_is_ignored() -> None:
    """Not all proxies drop header fields with underscores, which WSGI does not distinguish from others."""
    forged = LAST.replace(b"/", b"/who", 1).replace(b"Host", b"X_Forwarded_For: 192.0.2.66\r\nHost")
    with serving() as site, site.connect(PROXY, forged) as connection, connection.makefile("rb") as answer:
        assert answer.read().rpartition(b"\r\n\r\n")[2] == PROXY.encode()


@pytest.mark.parametrize(("peer", "seen"), [(PROXY, b"192.0.2.7"), (ANN, ANN.encode())])
def test_trusted_proxy_names_the_visitor(peer: str, seen: bytes) -> None:
    said = b"X-Forwarded-For: 192.0.2.66\r\nX-Forwarded-For: 192.0.2.7\r\n"
    asked = b"GET /who HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + said + b"\r\n"
    with serving() as site, site.connect(peer, asked) as connection, connection.makefile("rb") as answer:
        assert answer.read().rpartition(b"\r\n\r\n")[2] == seen


def test_connection_serves_one_request_after_the_other() -> None:
    with serving() as site:
        client = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
        for body in (b"a" * 70_000, b"b", b"c" * 3 * MEGABYTE):
            client.request("POST", "/mail/x", body)
            assert client.getresponse().read() == str(len(body)).encode()
        client.close()


def test_stopped_server_leaves_no_threads_behind() -> None:
    before = set(threading.enumerate())
    with serving():
        assert set(threading.enumerate()) - before
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
    assert set(threading.enumerate()) <= before
