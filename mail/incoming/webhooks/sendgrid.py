"""Emails from SendGrid: Inbound Parse posts the raw email."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from mail.incoming.envelopes import enclosed
from mail.incoming.receiving import Received
from mail.incoming.webhooks.errors import NoMail, Unsigned
from mail.incoming.webhooks.forms import document, field, form, header, text_at, texts_at
from mail.incoming.webhooks.proofs import check_length, check_password, check_time
from mail.incoming.webhooks.provider import PostedRequest, ProviderSetting, WebhookProvider

_SIGNATURE = "X-Twilio-Email-Event-Webhook-Signature"
_TIMESTAMP = "X-Twilio-Email-Event-Webhook-Timestamp"
_WINDOW = 5 * 86_400
"""Seconds for which a signature is valid: it covers the email, and SendGrid retries for three days."""


def _read(posted: PostedRequest) -> list[Received]:
    key, password = (posted.settings[f"sendgrid_{name}"] for name in ("public_key", "password"))
    if key:
        _check_signature(posted.headers, posted.body, key)
        check_time(header(posted.headers, _TIMESTAMP), _WINDOW, posted.now, "SendGrid")
    if password:
        check_password(posted.headers, password)
    fields = form(posted.headers, posted.body)
    if "email" not in fields:
        raise NoMail("SendGrid must be set to post the raw, full MIME message.")
    envelope = document(field(fields, "envelope"))
    return [enclosed("sendgrid", fields["email"], text_at(envelope, "from"), texts_at(envelope, "to"))]


def _check_signature(headers: Mapping[str, str], body: bytes, public_key: str) -> None:
    try:
        signature = base64.b64decode(header(headers, _SIGNATURE), validate=True)
        _key(public_key).verify(signature, header(headers, _TIMESTAMP).encode() + body, ECDSA(SHA256()))
    except (InvalidSignature, binascii.Error, ValueError):
        raise Unsigned("SendGrid's signature is wrong.") from None


def _key(public_key: str) -> EllipticCurvePublicKey:
    try:
        key = load_der_public_key(base64.b64decode(public_key))
    except (ValueError, binascii.Error, UnsupportedAlgorithm):
        raise ValueError("must be a public key in base64") from None
    if not isinstance(key, EllipticCurvePublicKey):
        raise ValueError("must be the public key of an elliptic curve")
    return key


SENDGRID = WebhookProvider(
    name="sendgrid",
    title="SendGrid",
    path="sendgrid",
    settings=(
        ProviderSetting(
            "sendgrid_public_key",
            "The public key with which Nabu verifies the emails that SendGrid posts to `/mail/sendgrid`.",
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0ZE+HH9Y/+6ebkcCJlOQGKWJpV"
            "v1JaJPYG4HhJR8ZM+D4XkcblXgs5chVthlNPJhjOV5oF4iAMTTHM8vS/9hfg==",
            _key,
        ),
        ProviderSetting(
            "sendgrid_password",
            "The password with which SendGrid posts emails to `/mail/sendgrid`, at least 16 characters. If "
            "the public key is set as well, both must be right.",
            "a-long-random-password",
            check_length,
        ),
    ),
    setup="Inbound Parse to `https://nabu:PASSWORD@HOST/mail/sendgrid`, with “POST the raw, full MIME message”"
    "; better a security policy with a signature",
    read=_read,
)
