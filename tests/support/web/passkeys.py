"""A device with passkeys, which signs all requests."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from tests.support.web.client import Browser, readable

_PRESENT, _VERIFIED, _HAS_KEY = 0x01, 0x04, 0x40


@dataclass(frozen=True)
class Device:
    """A device with one passkey, in a browser that shows the pages of `origin`."""

    origin: str = "http://localhost:8000"
    host: str = "localhost"
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    handle: bytes = b""
    count: int = 0
    """The number of uses that it reports."""
    flags: int = _PRESENT | _VERIFIED
    key: Any = field(default_factory=lambda: generate_private_key(SECP256R1()))

    def owned_by(self, options: dict[str, Any]) -> Device:
        """Return the device with the account for which a passkey was requested."""
        return replace(self, handle=base64url_to_bytes(options["user"]["id"]))

    def make(self, options: dict[str, Any]) -> str:
        """Return a browser's response to a request for a new passkey."""
        statement = {"fmt": "none", "attStmt": {}, "authData": self._data(self.flags | _HAS_KEY) + self._made()}
        said = self._said("webauthn.create", options["challenge"])
        return self._sent({"clientDataJSON": said, "attestationObject": cbor2.dumps(statement)})

    def sign(self, options: dict[str, Any]) -> str:
        """Return a browser's response to a request to log in."""
        said, data = self._said("webauthn.get", options["challenge"]), self._data(self.flags)
        signature = self.key.sign(data + sha256(said).digest(), ECDSA(SHA256()))
        given = {"clientDataJSON": said, "authenticatorData": data, "signature": signature}
        return self._sent({**given, "userHandle": self.handle})

    def _said(self, what: str, challenge: str) -> bytes:
        return json.dumps({"type": what, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int) -> bytes:
        return sha256(self.host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _made(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        x, y = (each.to_bytes(32, "big") for each in (numbers.x, numbers.y))
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        return bytes(15) + b"\1" + len(self.credential).to_bytes(2, "big") + self.credential + public

    def _sent(self, response: dict[str, bytes]) -> str:
        name = bytes_to_base64url(self.credential)
        written = {key: bytes_to_base64url(value) for key, value in response.items()}
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": written})


def asked(browser: Browser, address: str = "/login/passkey/ask") -> dict[str, Any]:
    """Return the challenge of these pages to a browser."""
    answer = browser.send(address)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = json.loads(answer.text)
    return found


def add_passkey(browser: Browser, device: Device | None = None, name: str = "Phone") -> Device:
    """Add a passkey for the player who is logged in in this browser, and return its device."""
    options = asked(browser, "/settings/passkeys/ask")
    device = (device or Device()).owned_by(options)
    answer = browser.send("/settings/passkeys", credential=device.make(options), name=name)
    assert (answer.status_code, answer.location) == (303, "/settings/logins"), readable(answer)
    return device
