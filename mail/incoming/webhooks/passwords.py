"""A password that a request must bring where the provider does not sign what it posts."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from mail.incoming.webhooks.errors import Unsigned
from mail.incoming.webhooks.forms import header


@dataclass(frozen=True)
class Password:
    """What the address of the webhook must hold: `https://user:password@…`, for any user. Not ""."""

    password: str

    def __post_init__(self) -> None:
        if not self.password:
            raise ValueError("A webhook needs a password in its address.")

    def check(self, headers: Mapping[str, str]) -> None:
        """Raises Unsigned."""
        _, _, given = _credentials(headers).partition(b":")
        if not same(given, self.password.encode()):
            raise Unsigned("The password in the address of the webhook is missing or wrong.")


def same(given: bytes, right: bytes) -> bool:
    """Whether they are the same, in a time that tells nothing of where they differ."""
    return hmac.compare_digest(given, right)


def _credentials(headers: Mapping[str, str]) -> bytes:
    scheme, _, encoded = header(headers, "Authorization").partition(" ")
    if scheme.lower() != "basic":
        return b""
    try:
        return base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        return b""
