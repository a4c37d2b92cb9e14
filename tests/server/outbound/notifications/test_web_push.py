"""Messages for browsers at a push service on a real socket: encrypted, signed, and only to public hosts."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from server.game.notifications.notification import Push, SendingOutcome
from server.outbound.notifications.messenger import Messenger
from server.store.keys.sealing import PushKeys
from tests.support.machine.ports import free_port
from tests.support.web.push_service import Device, PushService, claims

pytestmark = pytest.mark.slow

KEYS = PushKeys(["k" * 32])
SECONDS = 7200


def push(device: Device, *, urgent: bool = False) -> Push:
    """Return a message for a browser."""
    given = device.subscription(KEYS.public)
    key = KEYS.private(KEYS.public)
    assert key is not None
    return Push(
        endpoint=given.endpoint,
        p256dh=given.p256dh,
        auth=given.auth,
        key=key,
        contact="mailto:administrator@games",
        seconds=SECONDS,
        topic="t" * 32,
        urgent=urgent,
        content='{"title": "Nibble 12: your turn, Änn"}',
    )


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as opened:
        yield opened
        opened.shutdown()


def test_message_is_encrypted_for_its_browser_and_signed(service: PushService) -> None:
    device = service.device("send/abc")
    assert Messenger(also=[service.place])([push(device)]) == [SendingOutcome.TAKEN]
    (post,) = service.posts
    assert post.path == "/send/abc"
    assert device.read(post.content) == {"title": "Nibble 12: your turn, Änn"}
    assert b"Nibble" not in post.content
    told = {name: post.headers[name] for name in ("TTL", "Urgency", "Topic", "Content-Encoding")}
    assert told == {"TTL": "7200", "Urgency": "normal", "Topic": "t" * 32, "Content-Encoding": "aes128gcm"}
    said, key = claims(post.headers["Authorization"])
    assert key == KEYS.public
    assert said["aud"] == f"http://127.0.0.1:{service.place[1]}"
    assert said["sub"] == "mailto:administrator@games"
    assert 0 < said["exp"] - time.time() < 24 * 3600


def test_urgent_message_has_the_urgency_header(service: PushService) -> None:
    Messenger(also=[service.place])([push(service.device("x"), urgent=True)])
    assert service.posts[0].headers["Urgency"] == "high"


def test_outcomes_of_push_services(service: PushService) -> None:
    answers = {
        "send": SendingOutcome.TAKEN,
        "201/endless": SendingOutcome.TAKEN,
        "404": SendingOutcome.GONE,
        "410": SendingOutcome.GONE,
        "403": SendingOutcome.LATER,
        "429": SendingOutcome.LATER,
        "503": SendingOutcome.LATER,
    }
    away = push(Device(f"http://127.0.0.1:{free_port()}/x"))
    messages = [*(push(service.device(path)) for path in answers), away]
    assert Messenger(also=[service.place])(messages) == [*answers.values(), SendingOutcome.LATER]


def test_own_addresses_are_not_reached(service: PushService) -> None:
    """Neither directly, nor by a host name, nor by a redirect from an allowed host."""
    hosts = ("127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "127.1")  # noqa: S104 - asked for on purpose
    messages = [push(service.device("send", host)) for host in hosts]
    assert Messenger()(messages) == [SendingOutcome.LATER] * len(hosts)
    assert service.posts == []
    with PushService(elsewhere=service.device("in").endpoint) as outside:
        also = [outside.place, service.place]
        assert Messenger(also)([push(outside.device("307"))]) == [SendingOutcome.LATER]
        assert len(outside.posts) == 1
        outside.shutdown()
    assert service.posts == [], "not even where it would be allowed"


def test_endless_push_service_delays_no_other(service: PushService) -> None:
    messages = [push(service.device(path)) for path in ("slow/1", "send/2", "slow/3", "410/4")]
    outcomes = Messenger([service.place], patience=2)(messages)
    assert outcomes == [SendingOutcome.SLOW, SendingOutcome.TAKEN, SendingOutcome.SLOW, SendingOutcome.GONE]
