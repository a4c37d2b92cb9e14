"""A push service and the browsers behind it, each of which decrypts messages with its own key."""

from __future__ import annotations

import base64
import http.server
import json
import secrets
import threading
from dataclasses import dataclass, field
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlmodel import select
from werkzeug.test import TestResponse

from server.accounts.push_subscriptions import Subscription
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Browser as Allowed
from server.store.models import Channel, Notice
from tests.support.web.client import Browser


def encoded(content: bytes) -> str:
    """Return bytes in base64 like browsers write it."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "==")


@dataclass
class Device:
    """A browser that has allowed notifications."""

    endpoint: str
    key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))
    auth: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    def subscription(self, server: str) -> Subscription:
        """Return the subscription for its page; `server` is the public key in the request."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return Subscription(self.endpoint, encoded(point), encoded(self.auth), server)

    def fields(self, server: str) -> dict[str, str]:
        """Return the subscription as fields of a form."""
        return vars(self.subscription(server))

    def read(self, content: bytes) -> Any:
        """Return the text of a message."""
        plain = http_ece.decrypt(content, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        return json.loads(plain)


def claims(authorization: str) -> tuple[dict[str, Any], str]:
    """Return the claims of a sender and their public key; fail if the signature is wrong."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = parts["t"].rpartition(".")
    numbers = decoded(signature)
    assert len(numbers) == 64
    public = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decoded(parts["k"]))
    both = (int.from_bytes(half) for half in (numbers[:32], numbers[32:]))
    public.verify(encode_dss_signature(*both), signed.encode(), ECDSA(SHA256()))
    head, said = (json.loads(decoded(part)) for part in signed.split("."))
    assert head["alg"] == "ES256"
    return said, parts["k"]


@dataclass(frozen=True)
class Post:
    """A request to the push service."""

    path: str
    headers: dict[str, str]
    content: bytes


class PushService(http.server.ThreadingHTTPServer):
    """A server that receives messages, with the status at the beginning of the path, or 201.

    Below /slow it sends its response without end. With 307 it redirects.
    """

    def __init__(self, elsewhere: str = "") -> None:
        self.posts: list[Post] = []
        self.elsewhere = elsewhere
        self.closing = threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def place(self) -> tuple[str, int]:
        """The host and port of the service."""
        return "127.0.0.1", int(self.server_address[1])

    def device(self, path: str, host: str = "127.0.0.1") -> Device:
        """Return a browser of this service."""
        return Device(f"http://{host}:{self.place[1]}/{path}")

    def shutdown(self) -> None:
        """Stop the service."""
        self.closing.set()
        super().shutdown()


class _Handler(http.server.BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posts.append(Post(self.path, dict(self.headers), content))
        if self.path.startswith("/slow"):
            self._drip()
            return
        number = self.path[1:4]
        self.send_response(int(number) if number.isdigit() else 201)
        self.send_header("Location", self.server.elsewhere)
        self.send_header("Content-Length", "1000000000" if "endless" in self.path else "0")
        self.end_headers()

    def _drip(self) -> None:
        self.wfile.write(b"HTTP/1.1 201 Created\r\nX: ")
        while not self.server.closing.wait(0.1):
            try:
                self.wfile.write(b"x")
                self.wfile.flush()
            except OSError:
                return

    def log_message(self, format: str, *given: object) -> None:
        """Log nothing."""


FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def allow(browser: Browser, services: Services, device: Device, **more: Any) -> TestResponse:
    """Allow notifications in a browser, which sends its user agent and the URL at its push service."""
    fields = {"csrf_token": browser.token(), **device.fields(services.push_keys.public), **more}
    return browser.client.post("/settings/browsers", data=fields, headers={"User-Agent": FIREFOX})


def allowed(services: Services) -> dict[int, int]:
    """Return the owner of each browser by its number; check that removed browsers leave no rows."""
    with reading(services.engine) as session:
        found = {each.channel_id: each.player_id for each in session.exec(select(Allowed))}
        assert {channel.id for channel in session.exec(select(Channel))} == set(found)
        assert {notice.channel_id for notice in session.exec(select(Notice))} <= set(found)
        return found
