"""Notifications at slow hosts do not delay others."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta

import pytest

from server.game.notifications.notification import NotificationMessage, Push, SendingOutcome
from server.outbound.notifications.lanes import SLOW_FOR, host_of, in_turn
from server.outbound.notifications.messenger import Messenger
from server.outbound.notifications.sender import Notices
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Channel, Game, Notice
from tests.support.machine.waiting import await_that
from tests.support.server.games import TwoPlayerGame
from tests.support.server.notifications import notices_of, notices_waiting
from tests.support.server.services import Clock

pytestmark = pytest.mark.game("nelaxtam", size=10, troops=1, sea=0)

SLOW, ROOM = "slow.example", "ntfys://ntfy.example.org/room"


class Others:
    """Fake services; those at hosts that begin with "slow" take too long."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def __call__(self, messages: Sequence[NotificationMessage | Push]) -> list[SendingOutcome]:
        addresses = [message.address for message in messages if isinstance(message, NotificationMessage)]
        self.batches.append(addresses)
        return [SendingOutcome.SLOW if "slow" in host_of(each) else SendingOutcome.TAKEN for each in addresses]


@pytest.fixture
def others() -> Others:
    return Others()


@pytest.fixture
def notices(services: Services, others: Others) -> Notices:
    return notices_of(services, others)


def wait(table: TwoPlayerGame, seat: int, addresses: Sequence[str]) -> None:
    """Queue a notification for one seat in each of these channels."""
    services = table.services
    with writing(services.engine) as session:
        turn = session.get_one(Game, table.number).turn
        for address in addresses:
            sealed = services.sealer.seal(address.encode())
            channel = Channel(mark=services.sealer.mark(address), service="ntfy", sealed=sealed)
            session.add(channel)
            session.flush()
            assert channel.id is not None
            row = {"channel_id": channel.id, "game_id": table.number, "turn": turn, "seats": [seat]}
            session.add(Notice.model_validate({**row, "due_at": services.now()}))


def at_one_host(number: int) -> str:
    return f"ntfys://{SLOW}/room{number}"


def at_many_hosts(number: int) -> str:
    return f"ntfys://slow{number}.example/room"


@pytest.mark.parametrize("where", [at_one_host, at_many_hosts])
def test_ordinary_notification_is_in_the_next_batch(
    table: TwoPlayerGame, notices: Notices, others: Others, where: Callable[[int], str]
) -> None:
    wait(table, 0, [where(number) for number in range(60)])
    wait(table, 1, [ROOM])
    notices.send_due(table.services.now())
    assert ROOM in others.batches[0]
    assert len(others.batches[0]) == 40
    assert notices_waiting(table.services) == 60


@pytest.mark.slow
@pytest.mark.both
def test_slow_host_has_its_own_lane(
    table: TwoPlayerGame, notices: Notices, others: Others, clock: Clock
) -> None:
    services = table.services
    assert notices.send_slow(services.now()) == 0
    wait(table, 0, [at_one_host(number) for number in range(60)])
    notices.send_due(services.now())
    wait(table, 1, [ROOM])
    assert notices.send_due(services.now()) == 1
    assert others.batches[1:] == [[ROOM]]
    assert [notices.send_slow(services.now()) for _ in range(3)] == [40, 20, 0]
    assert {host_of(each) for each in others.batches[2] + others.batches[3]} == {SLOW}
    clock.advance(minutes=1)
    assert notices.send_due(services.now()) == 0, "it remains there while it is slow"
    clock.advance(minutes=15)
    assert notices.send_due(services.now()) == 40, "and is tried again after a while"


def test_channel_may_be_slow_while_its_host_is_not(
    table: TwoPlayerGame, notices: Notices, others: Others
) -> None:
    def send(messages: Sequence[NotificationMessage | Push]) -> list[SendingOutcome]:
        return [SendingOutcome.SLOW, *[SendingOutcome.TAKEN] * (len(messages) - 1)]

    wait(table, 0, [at_one_host(number) for number in range(2)])
    slow = notices_of(table.services, send)
    assert slow.send_due(table.services.now()) == 2
    wait(table, 0, [at_one_host(2)])
    assert slow.send_due(table.services.now()) == 1
    assert notices_waiting(table.services) == 2


def test_order_is_fair_to_players_and_then_to_hosts() -> None:
    waiting = [(0, 1, "a"), (1, 1, "b"), (2, 2, "a"), (3, 2, "a"), (4, 3, "a"), (5, 4, "c")]
    assert in_turn(waiting) == [0, 5, 2, 4, 1, 3]


def test_lanes_have_limits(services: Services) -> None:
    """The numbers in `docs/security.md`."""
    notices = services.notices()
    assert isinstance(notices.send, Messenger)
    assert isinstance(notices.send_slowly, Messenger)
    assert (notices.send.patience, notices.send_slowly.patience) == (5, 45)
    assert timedelta(minutes=15) == SLOW_FOR


class Service(http.server.ThreadingHTTPServer):
    """An ntfy server; below /slow it sends its response byte by byte."""

    daemon_threads = True
    request_queue_size = 100

    def __init__(self, host: str) -> None:
        super().__init__((host, 0), _Handler)
        self.told: list[str] = []
        self.dripping = 0
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def address(self, topic: str) -> str:
        """Return the address of a channel."""
        return f"ntfy://{self.place[0]}:{self.place[1]}/{topic}"

    @property
    def place(self) -> tuple[str, int]:
        """Return host and port of the server."""
        return str(self.server_address[0]), int(self.server_address[1])


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        said = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if "slow" in said:
            self.server.dripping += 1
            try:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
                while True:
                    self.wfile.write(b"x")
                    time.sleep(0.5)
            except OSError:
                return
        self.server.told.append(said)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *given: object) -> None:
        """Log nothing."""


@pytest.mark.long
def test_sixty_dripping_channels_delay_others_by_one_batch(table: TwoPlayerGame) -> None:
    """In the worst case, a batch full of them has just started. A batch takes `QUICK` seconds."""
    services = table.services
    with ExitStack() as stack:
        honest, dripping = (stack.enter_context(Service(host)) for host in ("127.0.0.2", "127.0.0.3"))
        also = [honest.place, dripping.place]
        messenger, began = Messenger(also, patience=2), threading.Semaphore(0)

        def send(messages: Sequence[NotificationMessage | Push]) -> list[SendingOutcome]:
            began.release()
            return messenger(messages)

        notices = replace(services.notices(), send=send, send_slowly=messenger)
        wait(table, 0, [dripping.address(f"slow{number}") for number in range(60)])
        ended = threading.Event()

        def ring(task: Callable[..., int]) -> None:
            while not ended.is_set():
                task(services.now())
                ended.wait(0.2)

        threads = [threading.Thread(target=ring, args=[task]) for task in (notices.send_due, notices.send_slow)]
        for each in threads:
            each.start()
        try:
            await_that(lambda: dripping.dripping)
            wait(table, 1, [honest.address("room")])
            await_that(lambda: honest.told)
            assert began.acquire(blocking=False)
            assert began.acquire(blocking=False)
            assert not began.acquire(blocking=False), "it is sent in the second batch"
        finally:
            ended.set()
            for each in threads:
                each.join()
            for service in (honest, dripping):
                service.shutdown()
