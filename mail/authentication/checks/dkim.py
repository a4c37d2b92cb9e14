"""The domains that have signed an email (DKIM, RFC 6376 and RFC 8463).

ARC seals (`arc.py`) have the same form: they use the functions for tags, hashes and public keys.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from mail.authentication.checks.dns import Lookup, LookupFailed
from mail.authentication.checks.wire import Wire, picked
from mail.fields import Field

_MOST_SIGNATURES = 8
_NEEDED = ("v", "a", "b", "bh", "d", "h", "s")
_TIME = re.compile(r"\d{1,12}")
_SLACK = timedelta(hours=10)  # tolerance for wrong clocks
_LONGEST_KEY = 4000  # characters; one of 8192 bits has 1400
_FEWEST_BITS, _MOST_BITS = 1024, 8192
_TAG_NAME = re.compile(r"[A-Za-z]\w*")
_HOST_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")

_Verify = Callable[[bytes, bytes], None]  # given a signature and data, raises InvalidSignature


class BadSignature(ValueError):
    """Raised for a signature that proves nothing; the message has the reason."""


def signers(wire: Wire, lookup: Lookup, now: datetime) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the domains that signed the email as it is now, and those whose keys were unavailable.

    Only the topmost eight signatures are checked.
    """
    domains: dict[str, None] = {}
    unanswered: dict[str, None] = {}
    for field in wire.named("dkim-signature")[:_MOST_SIGNATURES]:
        try:
            domains[signer(wire, field, lookup, now)] = None
        except BadSignature:
            continue
        except LookupFailed:
            unanswered[tags(field.value)["d"].lower()] = None
    return tuple(domains), tuple(unanswered)


def signer(wire: Wire, field: Field, lookup: Lookup, now: datetime) -> str:
    """Return the domain that made this signature. Raises BadSignature or LookupFailed."""
    given = tags(field.value)
    _check_tags(given, now)
    names = covered(given)
    if "from" not in names:
        raise BadSignature("It does not cover the sender.")
    check_mail(wire, field, names, lookup, "simple/simple")
    return given["d"].lower()


def covered(given: Mapping[str, str]) -> list[str]:
    """Return the names of the fields that a signature covers, in its order."""
    return [name.strip().lower() for name in given["h"].split(":")]


def _check_tags(given: Mapping[str, str], now: datetime) -> None:
    if any(not given.get(name) for name in _NEEDED) or given["v"] != "1":
        raise BadSignature("A required tag is missing or wrong.")
    if "l" in given:
        # Anyone may have written the text after the signed length.
        raise BadSignature("It covers only the beginning of the email.")
    domain = given["d"].lower()
    agent = given.get("i", "@" + domain).lower()
    if not agent.endswith(("@" + domain, "." + domain)) or "@" not in agent:
        raise BadSignature("It speaks for another domain.")
    if given.get("q", "dns/txt") != "dns/txt":
        raise BadSignature("Its key is not in the DNS.")
    signed, expires = _time(given.get("t", "0")), _time(given.get("x", "999999999999"))
    if signed > (now + _SLACK).timestamp() or expires < (now - _SLACK).timestamp() or expires < signed:
        raise BadSignature("It is not valid at this time.")


def _time(text: str) -> int:
    if not _TIME.fullmatch(text):
        raise BadSignature("Its time is not a time.")
    return int(text)


def tags(text: str) -> dict[str, str]:
    """Parse tags such as `v=1; d=example.org; s=mail`. Raises BadSignature, also for a repeated name."""
    found: dict[str, str] = {}
    for item in text.rstrip().removesuffix(";").split(";"):
        name, equals, value = item.partition("=")
        name = name.strip()
        if not equals or not _TAG_NAME.fullmatch(name):
            raise BadSignature("It is not a list of tags.")
        if name in found:
            raise BadSignature(f"It has two tags {name}.")
        found[name] = value.strip()
    return found


def check_mail(wire: Wire, signature: Field, names: list[str], lookup: Lookup, usual: str) -> None:
    """Raise BadSignature if the body, or a field with one of these names, is not as signed, or LookupFailed.

    `usual` is the canonicalisation of a signature that names none.
    """
    given = tags(signature.value)
    relaxed_header, relaxed_body = _canonicalisation(given.get("c", usual))
    if wire.body_hash(relaxed_body) != decoded(given.get("bh", "")):
        raise BadSignature("The body has been changed.")
    check_signature(given, signed_data(picked(wire.fields, names), signature, relaxed_header), lookup)


def _canonicalisation(text: str) -> tuple[bool, bool]:
    """Return whether header and body are relaxed."""
    header, _, body = text.partition("/")
    body = body or "simple"
    if not {header, body} <= {"simple", "relaxed"}:
        raise BadSignature("The canonicalisation is unknown.")
    return header == "relaxed", body == "relaxed"


def signed_data(fields: Iterable[Field], signature: Field, relaxed: bool) -> bytes:
    """Return the signed bytes: the covered fields, then the field of the signature without the signature."""
    covered = [field.canonical(relaxed) for field in fields]
    return b"\r\n".join([*covered, _unsigned(signature).canonical(relaxed)])


def _unsigned(field: Field) -> Field:
    items = field.raw.split(b";")
    for number, item in enumerate(items):
        name, equals, _ = item.partition(b"=")
        # The first item begins with the name of the field.
        if (name.partition(b":")[2] if number == 0 else name).strip() == b"b":
            items[number] = name + equals
    return Field(field.name, b";".join(items))


def check_signature(given: Mapping[str, str], data: bytes, lookup: Lookup) -> None:
    """Raise BadSignature unless the owner of the domain in tag d signed `data`, or LookupFailed."""
    algorithm = given.get("a", "")
    if algorithm not in ("rsa-sha256", "ed25519-sha256"):
        raise BadSignature(f"The algorithm {algorithm[:20]} proves nothing.")
    verify = _published_key(given, algorithm.partition("-")[0], lookup)
    try:
        verify(decoded(given.get("b", "")), data)
    except InvalidSignature:
        raise BadSignature("The header has been changed, or another key signed it.") from None


def decoded(text: str) -> bytes:
    """Decode base64 with blanks anywhere. Raises BadSignature."""
    try:
        return base64.b64decode(_BLANKS.sub("", text), validate=True)
    except (binascii.Error, ValueError):
        raise BadSignature("It is not in base64.") from None


def _published_key(given: Mapping[str, str], kind: str, lookup: Lookup) -> _Verify:
    name = f"{given.get('s', '')}._domainkey.{given.get('d', '')}"
    if not _HOST_NAME.fullmatch(name):
        raise BadSignature("The name of its key is not valid.")
    records = [record for record in lookup(name, "TXT") if "p=" in record]
    if not records:
        raise BadSignature("There is no key of that name.")
    key = tags(records[0][:_LONGEST_KEY])
    if key.get("v", "DKIM1") != "DKIM1" or key.get("k", "rsa") != kind:
        raise BadSignature("The key is of another type.")
    if not {"*", "email"} & _listed(key.get("s", "*")) or "sha256" not in _listed(key.get("h", "sha256")):
        raise BadSignature("The key is not for signatures like this.")
    if "s" in _listed(key.get("t", "")) and not _same_domain(given):
        raise BadSignature("The key is not for subdomains.")
    return _key(kind, decoded(key.get("p", "")))


def _key(kind: str, data: bytes) -> _Verify:
    try:
        if kind == "ed25519":
            signer = Ed25519PublicKey.from_public_bytes(data)
            return lambda signature, signed: signer.verify(signature, hashlib.sha256(signed).digest())
        key = load_der_public_key(data)
    except (ValueError, UnsupportedAlgorithm):
        raise BadSignature("The key is not a key, or has been withdrawn.") from None
    if not isinstance(key, RSAPublicKey) or not _FEWEST_BITS <= key.key_size <= _MOST_BITS:
        raise BadSignature("The key is too short, or much too long.")
    return lambda signature, signed: key.verify(signature, signed, PKCS1v15(), SHA256())


def _listed(value: str) -> set[str]:
    return {each.strip() for each in value.split(":")}


def _same_domain(given: Mapping[str, str]) -> bool:
    """Return whether the signer speaks for the domain itself; in ARC the tag i is an irrelevant number."""
    _, at, agent = given.get("i", "").rpartition("@")
    return not at or agent.lower() == given["d"].lower()
