"""Keys for signing emails, generated once for all tests, and self-signed certificates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mail.outgoing.signing import Signer


@cache
def private_rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def rsa_key() -> bytes:
    """Return the same key in PEM."""
    return private_rsa_key().private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


@cache
def ed25519_key() -> bytes:
    key = ed25519.Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@cache
def signer(domain: str) -> Signer:
    """Return a signer with the RSA key, with the selector s1."""
    return Signer(domain, "s1", rsa_key())


def self_signed(folder: Path, host: str, days: float = 1) -> tuple[Path, Path]:
    """Return the files of a certificate for an IP address and of its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(certificate_for(host, days))
    key.write_bytes(rsa_key())
    return certificate, key


def certificate_for(host: str, days: float = 1) -> bytes:
    """Return a certificate of the RSA key for an IP address, in PEM."""
    return signed(private_rsa_key(), x509.IPAddress(ip_address(host)), days)


def signed(
    key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, host: x509.IPAddress | x509.DNSName, days: float = 1
) -> bytes:
    """Return a certificate of a key for a host, in PEM, valid for so many days."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, str(host.value))])
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([host]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    )
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
