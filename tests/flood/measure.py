"""The effect of one hostile client on others: the same requests, without and under a flood, by entry point."""

from __future__ import annotations

import http.client
import http.server
import queue
import smtplib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from multiprocessing.connection import Connection

from server.accounts import players
from server.accounts.login import api_tokens
from server.bench.filling.playing import begin
from server.bench.harness.databases import new_database
from server.bench.harness.load import within
from server.bench.harness.processes import DOMAIN, Process, run_mail_process, settings_for, start
from server.bench.harness.web import cookie_of, run_web
from server.bench.turn import reply
from server.game.log import log
from server.outbound.notifications.lanes import QUICK
from server.outbound.notifications.messenger import Messenger
from server.processes.services import open_services
from server.processes.triggers import TaskRunner
from server.processes.worker import POLL_SECONDS
from server.settings import Settings
from server.store import schema
from server.store.db import writing
from server.store.models import Channel, Notice
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from server.web import create_app
from tests.flood import hostile_clients

HOSTILE = {
    "smtp": "half-sent emails, and emails of 4.3 MB, on 24 connections",
    "lmtp": "the same by LMTP",
    "web": "pipelined requests whose answers it does not read, and slow requests, on 40 connections",
    "api": "calls with one token on 32 connections, as fast as the server answers",
    "notifications": "40 channels at a host that answers one byte at a time",
    "streams": "24 streams of 12 players from one network, reopened when refused",
}
"""The actions of the hostile client, by entry point."""
LINES = (
    "| entry point | hostile client | requests | quiet median | p95 | flooded median | p95 | ratio | served |",
    "|---|---|--:|--:|--:|--:|--:|--:|--:|",
)

_HONEST, _NETWORK = "127.0.0.1", "198.51.100.7"
"""The source address of the honest client, and the IP address that its requests claim to come from."""
_PLAYERS = 12
"""The number of players of the hostile client."""
_CHANNELS = 40
_CALLS = 300
"""The most API calls per minute with one token; the honest client makes fewer."""
_PAUSE = 0.1
"""Seconds between two requests of the honest client."""
_WARM_UP, _LEAST = 3, 5
"""Requests that are not measured, and the least number of measured ones."""
_SETTLED = 1.0
"""Seconds until a flood reaches full strength."""
_PATIENCE = 30.0
_FAILURES = (OSError, smtplib.SMTPException, http.client.HTTPException, queue.Empty)

Ask = Callable[[], None]
"""An honest request; returns when it is answered, and raises one of `_FAILURES` if it is not."""


@dataclass
class Served:
    """The times of answers, in seconds, and the number of requests without a proper answer."""

    times: list[float] = field(default_factory=list)
    refused: int = 0


@dataclass(frozen=True)
class FloodRow:
    """The results of one entry point: `made` is the number of requests of the hostile client."""

    entry: str
    made: int
    quiet: Served
    flooded: Served

    @property
    def ratio(self) -> float | None:
        """The median under the flood divided by the quiet one; None if one of them is missing."""
        quiet, flooded = self.quiet.times, self.flooded.times
        return within(0.5, flooded) / within(0.5, quiet) if quiet and flooded else None

    def __str__(self) -> str:
        times = [
            f"{within(share, served.times):.1f} ms" if served.times else "-"
            for served in (self.quiet, self.flooded)
            for share in (0.5, 0.95)
        ]
        ratio = "-" if self.ratio is None else f"{self.ratio:.1f}"
        answered = len(self.flooded.times)
        cells = [self.entry, HOSTILE[self.entry], self.made, *times, ratio]
        return f"| {' | '.join(map(str, cells))} | {answered} of {answered + self.flooded.refused} |"


def run(entry: str, seconds: float) -> FloodRow:
    """Measure an entry point, for the same time quiet and under a flood."""
    serving = _notifying if entry == "notifications" else _serving
    with _world(entry) as world, serving(entry, world) as (ask, flood):
        for _ in range(_WARM_UP):
            ask()
        quiet = _measured(ask, seconds)
        client = flood()
        try:
            time.sleep(_SETTLED)
            flooded = _measured(ask, seconds)
        finally:
            client.stop()
        return FloodRow(entry, client.pipe.recv(), quiet, flooded)


def _measured(ask: Ask, seconds: float) -> Served:
    found, ends = Served(), time.monotonic() + seconds
    while time.monotonic() < ends or len(found.times) + found.refused < _LEAST:
        began = time.monotonic()
        try:
            ask()
        except _FAILURES:
            found.refused += 1
        else:
            found.times.append(time.monotonic() - began)
        time.sleep(_PAUSE)
    return found


@dataclass(frozen=True)
class _World:
    """A game in which the honest player has to move; API tokens: first the honest player's, then others."""

    settings: Settings
    game: int
    turn: int
    seat: int
    email: str
    recipient: str
    tokens: Sequence[str]
    cookie: str


@contextmanager
def _world(entry: str) -> Iterator[_World]:
    with new_database(None) as database_url:
        settings = settings_for(database_url, ("127.0.0.1", 1)).model_copy(
            update={
                "smtp_listen": "127.0.0.1:0" if entry == "smtp" else "",
                "lmtp_listen": "127.0.0.1:0" if entry == "lmtp" else "",
                "own_networks": "",
                "trusted_proxies": "127.0.0.0/8",
                "api_rate": _CALLS,
                "daily_mail_megabytes": 300,
            }
        )
        services = open_services(settings)
        schema.upgrade(services.engine)
        app = create_app(services)
        with writing(services.engine) as session:
            action = ActionContext(session, services.sealer, services.now())
            people = [
                players.register(action, f"p{number}@example.org", f"P{number}")
                for number in range(2 + _PLAYERS)
            ]
            game = begin(action, people[:2], "nebuchadnezzar", {"size": 5})
            (seat,) = log.rules_of(game).to_move(log.position_of(game))
            honest = log.seats(session, game)[seat].player
            hostile_ones = people[2:]
            tokens = [api_tokens.add(action, each, "bench", "")[1] for each in (honest, *hostile_ones)]
            number, turn, email = log.id_of(game), game.turn, honest.email
        cookie = cookie_of(app, services, honest)
        recipient = f"play+{services.tokens.write(ReplyToken(number, seat, turn))}@{DOMAIN}"
        services.close()
        yield _World(settings, number, turn, seat, email, recipient, tokens, cookie)


@contextmanager
def _serving(entry: str, world: _World) -> Iterator[tuple[Ask, Callable[[], Process]]]:
    """Serve an entry point; yield a function that sends an honest request, and one that starts the flood."""
    if entry in ("smtp", "lmtp"):
        server = start(run_mail_process, world.settings)
    else:
        server = start(run_web, world.settings, False)
    address = server.address
    headers = {"X-Forwarded-For": _NETWORK}
    token = {**headers, "Authorization": f"Bearer {world.tokens[0]}"}
    asks: dict[str, Ask] = {
        "smtp": partial(_mail, smtplib.SMTP, address, world, count()),
        "lmtp": partial(_mail, smtplib.LMTP, address, world, count()),
        "web": partial(_get, address, f"/games/{world.game}", {**headers, "Cookie": f"nabu={world.cookie}"}),
        "api": partial(_get, address, hostile_clients.CALL, token),
        "streams": partial(_listen, address, token),
    }
    try:
        yield (
            asks[entry],
            partial(start, hostile_clients.run, entry, address, f"play@{DOMAIN}", world.tokens[1:]),
        )
    finally:
        server.stop()


def _mail(sort: type[smtplib.SMTP], address: tuple[str, int], world: _World, numbers: Iterator[int]) -> None:
    """Send an email and wait for 250."""
    mail = reply(world.email, world.recipient, "Hello!", f"flood.{next(numbers)}")
    named = {"local_hostname": "honest.test", "source_address": (_HONEST, 0), "timeout": _PATIENCE}
    with sort(*address, **named) as client:  # type: ignore[arg-type]
        client.sendmail(mail.sender, [mail.recipient], mail.content)


@contextmanager
def _answer(address: tuple[str, int], path: str, headers: dict[str, str]) -> Iterator[http.client.HTTPResponse]:
    """Return the answer to a request, which must be 200."""
    client = http.client.HTTPConnection(*address, timeout=_PATIENCE, source_address=(_HONEST, 0))
    try:
        client.request("GET", path, headers=headers)
        answer = client.getresponse()
        if answer.status != http.client.OK:
            raise http.client.HTTPException(answer.status)
        yield answer
    finally:
        client.close()


def _get(address: tuple[str, int], path: str, headers: dict[str, str]) -> None:
    """Get a page, or call the API."""
    with _answer(address, path, headers) as answer:
        answer.read()


def _listen(address: tuple[str, int], headers: dict[str, str]) -> None:
    """Open a stream, and wait for the first event: that it is the player's turn."""
    with _answer(address, hostile_clients.STREAM, headers) as answer:
        while line := answer.readline():
            if line.startswith(b"event:"):
                return
    raise http.client.HTTPException("the stream ended")


@contextmanager
def _notifying(entry: str, world: _World) -> Iterator[tuple[Ask, Callable[[], Process]]]:
    """Send notifications, and serve those of the honest player and of the hostile one."""
    services = open_services(world.settings)
    honest, dripping = _Service(), start(hostile_clients.run_dripping)
    sender = start(_run_notices, world.settings, [honest.server_address[:2], dripping.address])
    numbers = count()

    def notify(addresses: Sequence[str], seat: int) -> None:
        with writing(services.engine) as session:
            for address in addresses:
                sealed, mark = services.sealer.seal(address.encode()), services.sealer.mark(address)
                channel = Channel(mark=mark, service="ntfy", sealed=sealed)
                session.add(channel)
                session.flush()
                now = datetime.now(UTC)
                row = {"game_id": world.game, "turn": world.turn, "seats": [seat], "due_at": now}
                session.add(Notice.model_validate({**row, "channel_id": channel.id}))

    def ask() -> None:
        host, port = honest.server_address[:2]
        notify([f"ntfy://{host!s}:{port}/room{next(numbers)}"], world.seat)
        honest.received.get(timeout=_PATIENCE)

    def flood() -> Process:
        host, port = dripping.address
        notify([f"ntfy://{host}:{port}/slow{number}" for number in range(_CHANNELS)], 1 - world.seat)
        return dripping

    try:
        yield ask, flood
    finally:
        sender.stop()
        honest.shutdown()
        services.close()


def _run_notices(settings: Settings, places: Sequence[tuple[str, int]], ready: Connection) -> None:
    """Send notifications as a worker does, but to these places of this machine."""
    services = open_services(settings)
    notices = replace(
        services.notices(), send=Messenger(also=places, patience=QUICK), send_slowly=Messenger(also=places)
    )
    closing = threading.Event()

    def drain(send: Callable[[datetime], int]) -> None:
        while not closing.is_set() and send(services.now()):
            pass

    runner = TaskRunner(services.engine)
    runner.add("notices", POLL_SECONDS, partial(drain, notices.send_due))
    runner.add("slow notices", POLL_SECONDS, partial(drain, notices.send_slow))
    runner.start()
    ready.send(("", 0))
    ready.recv()
    closing.set()
    runner.stop()
    services.close()


class _Service(http.server.ThreadingHTTPServer):
    """A notification service that answers immediately."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Service

    def do_POST(self) -> None:
        self.server.received.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(http.client.OK)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *given: object) -> None:
        """Log nothing."""
