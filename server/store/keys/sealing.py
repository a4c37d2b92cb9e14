"""Encryption of stored data ("sealing"), with keys derived from the administrator's secret key."""

import base64
import hmac
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.store.keys.derivation import derive
from server.store.redaction import Redactor

_END = b"\x80"
"""Marks the end of the content, before the zeros that fill the last block."""
_BLOCK = 256
"""Sizes are rounded up to a multiple of this number of bytes; the sizes of orders and moves differ by less."""
_NONCE = 12
"""The bytes of a nonce, as AES-GCM expects. Nonces are random, so one key can safely encrypt 2^32 values."""
_SHORT = 12
"""The length of a pseudonym."""
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of P-256: private keys are the numbers from 1 to below it."""


class Sealer:
    """Encrypts and decrypts stored data. Without the key, sealed data cannot be read or changed."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the current key first, then older ones, which only open."""
        self._ciphers = [AESGCM(derive(secret, "vault")) for secret in secrets]
        self._marking = tuple(derive(secret, "marks") for secret in secrets)
        self.marks = tuple(derive(secret, "known keys").hex() for secret in secrets)
        """A constant identifier of each key that reveals nothing about the key."""
        self._redactor = Redactor(secrets)

    def seal(self, content: bytes) -> bytes:
        """Return the content encrypted and authenticated; its size is rounded up to hide the exact one."""
        padded, nonce = content + _END, os.urandom(_NONCE)
        padded = padded.ljust(-(-len(padded) // _BLOCK) * _BLOCK, b"\0")
        return nonce + self._ciphers[0].encrypt(nonce, padded, None)

    def open(self, sealed: bytes) -> bytes:
        """Return the decrypted content. Raises UnknownKey if none of the keys has sealed it."""
        return self._opened(sealed)[1]

    def opened_by(self, sealed: bytes) -> str | None:
        """Return the mark of the key that has sealed this content; None if no known key has."""
        with suppress(UnknownKey):
            return self.marks[self._opened(sealed)[0]]
        return None

    def renew(self, sealed: bytes) -> bytes | None:
        """Return the content sealed with the current key; None if it is already. Raises UnknownKey."""
        key, content = self._opened(sealed)
        return self.seal(content) if key else None

    def _opened(self, sealed: bytes) -> tuple[int, bytes]:
        """Return the index of the key that has sealed a content, 0 for the current one, and the content."""
        for key, cipher in enumerate(self._ciphers):
            with suppress(InvalidTag, ValueError):  # a ValueError if there is not even a nonce
                padded = cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], None)
                return key, padded.rstrip(b"\0").removesuffix(_END)
        raise UnknownKey("This is damaged, or was sealed with a key that is not in NABU_OLD_SECRET_KEYS.")

    def mark(self, content: str | bytes) -> str:
        """Return a keyed hash of the content, to find it in the database without storing it in clear text.

        Stored marks may be those of an older key: see `marks_of`.
        """
        return self.marks_of(content)[0]

    def pseudonym(self, address: str) -> str:
        """Return the text that replaces an email address in the log."""
        return self.mark(address)[:_SHORT]

    def marks_of(self, content: str | bytes) -> list[str]:
        """Return the marks of the content with all keys, that of the current key first."""
        content = content if isinstance(content, bytes) else content.encode(errors="replace")
        return [hmac.digest(key, content, sha256).hex() for key in self._marking]

    def without_secrets(self, text: str, most: int) -> str:
        """Return the first `most` characters of a text without Nabu's secret addresses, links and tokens.

        Use it for every text that other people will read. It is a method of the sealer because all functions
        that store such texts have one.
        """
        return self._redactor.redact(text, most)

    def seal_json(self, data: Any) -> bytes:
        """Return a JSON value encrypted as by `seal`."""
        return self.seal(json.dumps(data, separators=(",", ":")).encode())

    def open_json(self, sealed: bytes) -> Any:
        """Return the decrypted JSON value. Raises UnknownKey if none of the keys has sealed it."""
        return json.loads(self.open(sealed))


class UnknownKey(Exception):
    """Raised for content that was sealed with an unknown key, or is damaged."""


class PushKeys:
    """The key pairs for web push, one for each secret key, in unpadded URL-safe base64 as browsers use it."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the administrator's keys, the current one first."""
        numbers = [int.from_bytes(derive(secret, "push messages")) % (_ORDER - 1) + 1 for secret in secrets]
        self._pairs = {_point(number): encoded(number.to_bytes(32)) for number in numbers}
        self.public = next(iter(self._pairs))
        """The current public key, which a browser passes to its push service."""

    def private(self, public: str) -> str | None:
        """Return the private key of a public one; None if it is not, or no longer, one of Nabu's."""
        return self._pairs.get(public)


def encoded(content: bytes) -> str:
    """Return bytes in unpadded URL-safe base64, as browsers write it."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of a text from `encoded`; raises ValueError for every other text."""
    with suppress(ValueError):
        content = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        if encoded(content) == text:
            return content
    raise ValueError("not unpadded URL-safe base64")


def _point(number: int) -> str:
    public = derive_private_key(number, SECP256R1()).public_key()
    return encoded(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
