"""Keys for single purposes, derived from the administrator's secret key."""

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def derive(secret: str, purpose: str) -> bytes:
    """A key of 32 bytes for one purpose; keys for different purposes say nothing of one another."""
    return HKDF(SHA256(), 32, salt=None, info=f"nabu {purpose}".encode()).derive(secret.encode())
