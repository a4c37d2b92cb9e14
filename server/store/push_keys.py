"""Keys by which push services know that it is we who send (VAPID), derived from the operator's secret keys."""

import base64
from collections.abc import Sequence
from contextlib import suppress

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.store.deriving import derive

_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many points P-256 has: private keys are the numbers below it, without 0."""


class PushKeys:
    """A pair of keys for each secret key; texts are base64 as browsers take it, of points and numbers alike."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the operator's keys, the one in use first."""
        numbers = [int.from_bytes(derive(secret, "push messages")) % (_ORDER - 1) + 1 for secret in secrets]
        self._pairs = {_point(number): encoded(number.to_bytes(32)) for number in numbers}
        self.public = next(iter(self._pairs))
        """The public key in use, which a browser that is to be told something hands to its push service."""

    def private(self, public: str) -> str | None:
        """The private key that belongs to a public one; None if that is not, or no longer, ours."""
        return self._pairs.get(public)


def encoded(content: bytes) -> str:
    """Bytes in base64 as browsers write it."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes that `encoded` made this text from; raises ValueError for every other text."""
    with suppress(ValueError):
        content = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        if encoded(content) == text:
            return content
    raise ValueError("this is not base64 as browsers write it")


def _point(number: int) -> str:
    public = derive_private_key(number, SECP256R1()).public_key()
    return encoded(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
