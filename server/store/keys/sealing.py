"""Keys, and what they seal: everything here is derived from the administrator's secret key."""

import base64
import hmac
import json
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.store.keys.derivation import derive
from server.store.redaction import Redactor

_END = b"\x80"
"""Follows what is sealed, before the zeros that fill the last block."""
_BLOCK = 256
"""Bytes; sizes are rounded up to this, as orders and moves differ by less."""


class Sealer:
    """Seals bytes and JSON so that nobody can read or change them without the key."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the key in use first, then older ones that can still open what they sealed."""
        keys = [Fernet(base64.urlsafe_b64encode(derive(secret, "vault"))) for secret in secrets]
        self._in_use = keys[0]
        self._fernet = MultiFernet(keys)
        self._keys = keys
        self._marking = tuple(derive(secret, "marks") for secret in secrets)
        self.marks = tuple(derive(secret, "known keys").hex() for secret in secrets)
        """For each key something that is always the same, and reveals nothing about the key."""
        self._redactor = Redactor(secrets)

    def seal(self, content: bytes) -> bytes:
        """Encrypt and sign; the size is rounded up, so that it tells little."""
        padded = content + _END
        return self._fernet.encrypt(padded.ljust(-(-len(padded) // _BLOCK) * _BLOCK, b"\0"))

    def open(self, sealed: bytes) -> bytes:
        """The content; raises UnknownKey when none of the keys sealed this."""
        try:
            padded = self._fernet.decrypt(sealed)
        except InvalidToken:
            raise UnknownKey("This was sealed with a key that is not in NABU_OLD_SECRET_KEYS.") from None
        return padded.rstrip(b"\0").removesuffix(_END)

    def opened_by(self, sealed: bytes) -> str | None:
        """The mark of the key that sealed this; None when none of them did."""
        for mark, key in zip(self.marks, self._keys, strict=True):
            with suppress(InvalidToken):
                key.decrypt(sealed)
                return mark
        return None

    def renew(self, sealed: bytes) -> bytes | None:
        """The same content, sealed with the key in use; None when it is so already. Raises UnknownKey."""
        try:
            self._in_use.decrypt(sealed)
        except InvalidToken:
            return self.seal(self.open(sealed))
        return None

    def mark(self, content: str | bytes) -> str:
        """The same for the same content, as long as the key is; without the key it reveals nothing.

        What was marked earlier may have the mark of an older key: see `marks_of`.
        """
        return self.marks_of(content)[0]

    def marks_of(self, content: str | bytes) -> list[str]:
        """The marks of the content by all keys, that of the key in use first: each may have been stored."""
        content = content if isinstance(content, bytes) else content.encode(errors="replace")
        return [hmac.digest(key, content, sha256).hex() for key in self._marking]

    def without_secrets(self, text: str, most: int) -> str:
        """Return the first `most` characters of a text, with marks in place of our addresses, links and tokens.

        Use it for every text that other people will read. It is a method of the sealer because all functions
        that store such texts have one.
        """
        return self._redactor.redact(text, most)

    def seal_json(self, data: Any) -> bytes:
        """Seal a JSON value."""
        return self.seal(json.dumps(data, separators=(",", ":")).encode())

    def open_json(self, sealed: bytes) -> Any:
        """The JSON value; raises UnknownKey."""
        return json.loads(self.open(sealed))


class UnknownKey(Exception):
    """Sealed with a key that we do not have, or damaged."""


_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many points P-256 has: private keys are the numbers below it, without 0."""


class PushKeys:
    """A pair of keys for each secret key; texts are base64 as browsers take it, of points and numbers alike."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the administrator's keys, the one in use first."""
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
