"""Keys for signing mail, made once for all tests."""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mail.outgoing.signing import Signer


@cache
def private_rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def rsa_key() -> bytes:
    """The same in PEM."""
    return private_rsa_key().private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


@cache
def ed25519_key() -> bytes:
    key = ed25519.Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@cache
def signer(domain: str) -> Signer:
    """One with the RSA key, which stands under the name s1."""
    return Signer(domain, "s1", rsa_key())
