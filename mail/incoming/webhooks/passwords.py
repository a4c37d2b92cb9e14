"""A password that a request must bring where the provider does not sign what it posts."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Mapping

from mail.incoming.webhooks.errors import Unsigned
from mail.incoming.webhooks.forms import header

_SHORTEST = 16


def check_length(password: str) -> None:
    """Raise ValueError for a password that could be guessed."""
    if len(password) < _SHORTEST:
        raise ValueError(f"a webhook password has at least {_SHORTEST} characters")


def check_password(headers: Mapping[str, str], password: str) -> None:
    """Raise Unsigned unless the address of the webhook has this password: `https://user:password@…`."""
    _, _, given = _credentials(headers).partition(b":")
    if not same(given, password.encode()):
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
