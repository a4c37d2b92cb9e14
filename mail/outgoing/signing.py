"""DKIM signatures on outgoing emails, by which others verify their sender (RFC 6376 and RFC 8463)."""

from __future__ import annotations

import base64
import hashlib
import textwrap
from collections.abc import Iterator
from datetime import datetime

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from mail.authentication.checks.dkim import signed_data
from mail.authentication.checks.wire import Wire, parse, picked
from mail.fields import Field

# Fields that readers see or act on. Relays may add and change other fields.
_SIGNED = (
    "from", "reply-to", "to", "subject", "date", "message-id", "in-reply-to", "references", "auto-submitted",
    "list-unsubscribe", "list-unsubscribe-post", "list-id", "feedback-id", "mime-version", "content-type",
    "content-transfer-encoding",
)  # fmt: skip
# Named once more than they occur, so that no one can add a second one that programs would show instead.
_SEALED = ("from", "to", "subject", "date", "reply-to", "message-id", "content-type")
_FEWEST_BITS = 1024
_WIDTH = 76


class BadKey(ValueError):
    """Raised for a private key that cannot sign emails; the message says which keys can."""


class Signer:
    """Signs emails for one domain with one key, RSA or Ed25519; `key` is in PEM, without password.

    The public key is published in the DNS under `name`, as `record`. Raises BadKey. Any thread may use it.
    """

    def __init__(self, domain: str, selector: str, key: bytes) -> None:
        self._domain, self._selector = domain, selector
        self._key = _read(key)
        self._algorithm = "rsa-sha256" if isinstance(self._key, RSAPrivateKey) else "ed25519-sha256"

    @property
    def name(self) -> str:
        """Return the name in the DNS for the public key, for example `nabu._domainkey.example.org`."""
        return f"{self._selector}._domainkey.{self._domain}"

    @property
    def record(self) -> str:
        """Return the text (TXT) to publish in the DNS under `name`: the public key."""
        if isinstance(self._key, RSAPrivateKey):
            kind, form = "rsa", (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        else:
            kind, form = "ed25519", (Encoding.Raw, PublicFormat.Raw)
        public = base64.b64encode(self._key.public_key().public_bytes(*form)).decode()
        return f"v=DKIM1; k={kind}; p={public}"

    def sign(self, mail: bytes, now: datetime) -> bytes:
        """Return the email with a signature on top, otherwise unchanged. Raises Malformed for a broken header.

        To sign with several keys, use several signers one after the other.
        """
        wire = parse(mail)
        names = list(_covered(wire))
        body_hash = base64.b64encode(wire.body_hash(relaxed=True)).decode()
        tags = (
            f"DKIM-Signature: v=1; a={self._algorithm}; c=relaxed/relaxed; d={self._domain};"
            f" s={self._selector}; t={int(now.timestamp())}; h={': '.join(names)}; bh={body_hash}; b="
        )
        field = Field("dkim-signature", _folded(tags))
        data = signed_data(picked(wire.fields, names), field, relaxed=True)
        signature = base64.b64encode(self._signature(data))
        lines = [signature[start : start + _WIDTH] for start in range(0, len(signature), _WIDTH)]
        return b"\r\n ".join([field.raw, *lines]) + b"\r\n" + mail

    def _signature(self, data: bytes) -> bytes:
        if isinstance(self._key, RSAPrivateKey):
            return self._key.sign(data, PKCS1v15(), SHA256())
        return self._key.sign(hashlib.sha256(data).digest())


def _read(key: bytes) -> RSAPrivateKey | Ed25519PrivateKey:
    try:
        read = load_pem_private_key(key, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise BadKey("The key is not a private key in PEM without a password.") from None
    if isinstance(read, Ed25519PrivateKey):
        return read
    if not isinstance(read, RSAPrivateKey) or read.key_size < _FEWEST_BITS:
        raise BadKey("The key must be Ed25519, or RSA of 1024 bits or more; 2048 is recommended.")
    return read


def _covered(wire: Wire) -> Iterator[str]:
    """Yield the names for tag h: each field once, and once more those that must not be added."""
    present = [field.name for field in wire.fields]
    for name in _SIGNED:
        yield from [name] * (present.count(name) + (name in _SEALED))


def _folded(text: str) -> bytes:
    return "\r\n ".join(textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)).encode()
