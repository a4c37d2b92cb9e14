"""Keys for single purposes, derived from the administrator's secret key."""

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def derive(secret: str, purpose: str) -> bytes:
    """Return a key of 32 bytes for one purpose. Keys for different purposes are independent."""
    return HKDF(SHA256(), 32, salt=None, info=f"nabu {purpose}".encode()).derive(secret.encode())
