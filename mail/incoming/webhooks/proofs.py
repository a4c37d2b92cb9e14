"""Proofs that a request comes from a provider: a password in its address, or a signature that is not old."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Mapping
from datetime import datetime

from mail.incoming.webhooks.errors import Unsigned
from mail.incoming.webhooks.forms import header

_SHORTEST = 16
_TIME = re.compile(r"[0-9]{1,12}")


def check_length(password: str) -> None:
    """Raise ValueError for a password that could be guessed."""
    if len(password) < _SHORTEST:
        raise ValueError(f"must have at least {_SHORTEST} characters")


def check_password(headers: Mapping[str, str], password: str) -> None:
    """Raise Unsigned unless the address of the webhook has this password: `https://user:password@…`."""
    _, _, given = _credentials(headers).partition(b":")
    if not same(given, password.encode()):
        raise Unsigned("The password in the address of the webhook is missing or wrong.")


def check_time(timestamp: str, window: int, now: datetime, provider: str) -> None:
    """Raise Unsigned for a signature whose time is more than `window` seconds before or after now."""
    if not _TIME.fullmatch(timestamp) or abs(now.timestamp() - int(timestamp)) > window:
        raise Unsigned(f"{provider}'s signature is too old.")


def same(given: bytes, right: bytes) -> bool:
    """Return whether two values are equal, in a time that does not reveal where they differ."""
    return hmac.compare_digest(given, right)


def _credentials(headers: Mapping[str, str]) -> bytes:
    scheme, _, encoded = header(headers, "Authorization").partition(" ")
    if scheme.lower() != "basic":
        return b""
    try:
        return base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        return b""
