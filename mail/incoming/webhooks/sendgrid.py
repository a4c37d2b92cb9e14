"""Mail from SendGrid: Inbound Parse that posts the raw mail."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from mail.incoming.envelopes import enclosed
from mail.incoming.receiving import Received
from mail.incoming.webhooks.errors import NoMail, Unsigned
from mail.incoming.webhooks.forms import document, field, form, header, text_at, texts_at
from mail.incoming.webhooks.passwords import Password

_SIGNATURE = "X-Twilio-Email-Event-Webhook-Signature"
_TIME = re.compile(r"[0-9]{1,12}")
_TIMESTAMP = "X-Twilio-Email-Event-Webhook-Timestamp"


@dataclass(frozen=True)
class SendgridCredentials:
    """`public_key` is that of the security policy, in base64; without one a `password` is needed.

    Raises ValueError. A signature covers the mail, which is not taken twice. It is good for `window` seconds,
    since SendGrid tries for three days.
    """

    public_key: str = ""
    password: Password | None = None
    window: int = 5 * 24 * 3600

    def __post_init__(self) -> None:
        if not self.public_key and self.password is None:
            raise ValueError("SendGrid's public key is missing, and there is no password.")
        if self.public_key:
            _key(self.public_key)


def received(
    headers: Mapping[str, str], body: bytes, agreement: SendgridCredentials, now: datetime
) -> list[Received]:
    """The mail in a request. Raises Unsigned or NoMail."""
    if agreement.public_key:
        _check_signature(headers, body, agreement.public_key)
        _check_age(header(headers, _TIMESTAMP), agreement.window, now)
    if agreement.password is not None:
        agreement.password.check(headers)
    fields = form(headers, body)
    if "email" not in fields:
        raise NoMail("SendGrid must be told to post the raw mail.")
    envelope = document(field(fields, "envelope"))
    return [enclosed("sendgrid", fields["email"], text_at(envelope, "from"), texts_at(envelope, "to"))]


def _check_signature(headers: Mapping[str, str], body: bytes, public_key: str) -> None:
    try:
        signature = base64.b64decode(header(headers, _SIGNATURE), validate=True)
        _key(public_key).verify(signature, header(headers, _TIMESTAMP).encode() + body, ECDSA(SHA256()))
    except (InvalidSignature, binascii.Error, ValueError):
        raise Unsigned("SendGrid's signature is wrong.") from None


def _check_age(timestamp: str, window: int, now: datetime) -> None:
    if not _TIME.fullmatch(timestamp) or abs(now.timestamp() - int(timestamp)) > window:
        raise Unsigned("SendGrid's signature is too old.")


def _key(public_key: str) -> EllipticCurvePublicKey:
    try:
        key = load_der_public_key(base64.b64decode(public_key))
    except (ValueError, binascii.Error, UnsupportedAlgorithm):
        raise ValueError("SendGrid's public key is not a key in base64.") from None
    if not isinstance(key, EllipticCurvePublicKey):
        raise ValueError("SendGrid's public key is a key of another kind.")
    return key
