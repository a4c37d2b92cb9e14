"""Keys, and what they seal: everything here is derived from the operator's secret key."""

import base64
import json
from collections.abc import Sequence
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_BLOCK = 256
"""Bytes; orders and moves differ by less."""


def derive(secret: str, purpose: str) -> bytes:
    """A key of 32 bytes for one purpose; keys for different purposes say nothing of one another."""
    return HKDF(SHA256(), 32, salt=None, info=f"nabu {purpose}".encode()).derive(secret.encode())


class Vault:
    """Seals bytes and JSON so that nobody reads or changes them without the key."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the key in use first, then older ones that can still open what they sealed."""
        keys = [Fernet(base64.urlsafe_b64encode(derive(secret, "vault"))) for secret in secrets]
        self._in_use = keys[0]
        self._fernet = MultiFernet(keys)

    def seal(self, content: bytes) -> bytes:
        """Encrypt and sign."""
        return self._fernet.encrypt(content)

    def open(self, sealed: bytes) -> bytes:
        """The content; raises UnknownKey when none of the keys sealed this."""
        try:
            return self._fernet.decrypt(sealed)
        except InvalidToken:
            raise UnknownKey("This was sealed with a key that NABU_OLD_SECRET_KEYS does not hold.") from None

    def renew(self, sealed: bytes) -> bytes | None:
        """The same content, sealed with the key in use; None when it is so already. Raises UnknownKey."""
        try:
            self._in_use.decrypt(sealed)
        except InvalidToken:
            return self.seal(self.open(sealed))
        return None

    def seal_json(self, data: Any) -> bytes:
        """Encrypt and sign a JSON value; its size is rounded up, so that it tells little."""
        written = json.dumps(data, separators=(",", ":")).encode()
        return self.seal(written.ljust(-(-len(written) // _BLOCK) * _BLOCK))

    def open_json(self, sealed: bytes) -> Any:
        """The JSON value; raises UnknownKey."""
        return json.loads(self.open(sealed))


class UnknownKey(Exception):
    """Sealed with a key that is not at hand, or damaged."""
