"""Requests as email providers post them to the webhooks."""

from __future__ import annotations

import hmac
import json
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import urlencode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from mail.incoming.receiving import Received
from mail.incoming.webhooks.certificates import Fetch
from mail.incoming.webhooks.provider import Admits, PostedRequest, WebhookProvider

Request = tuple[dict[str, str], bytes]


def urlencoded(fields: dict[str, str | bytes]) -> Request:
    return {"content-type": "application/x-www-form-urlencoded; charset=utf-8"}, urlencode(fields).encode()


def multipart(fields: dict[str, str | bytes]) -> Request:
    parts = [
        f'--xYzZY\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode()
        + (value if isinstance(value, bytes) else value.encode())
        + b"\r\n"
        for name, value in fields.items()
    ]
    return {"Content-Type": "multipart/form-data; boundary=xYzZY"}, b"".join(parts) + b"--xYzZY--\r\n"


NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


RAW = b"Return-Path: <b@example.org>\r\nFrom: Ann <ann@x.org>\r\nSubject: \xc3\xb6\r\n\r\nc4 & c5 = 100%+1\r\n"


K7 = "play+k7@games.example"


EC = ec.generate_private_key(ec.SECP256R1())


Fields = dict[str, str | bytes]


Posted = Callable[[Fields], Request]


def der(key: ec.EllipticCurvePublicKey) -> str:
    return b64encode(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()


def basic(credentials: str) -> dict[str, str]:
    return {"authorization": "Basic " + b64encode(credentials.encode()).decode()}


def mailgun_request(changes: Fields | None = None, posted: Posted = urlencoded) -> Request:
    timestamp, token = str(int(NOW.timestamp())), "t" * 50
    fields: Fields = {
        "recipient": K7, "sender": "ann@example.org", "from": "x", "body-mime": RAW,
        "timestamp": timestamp, "token": token,
        "signature": hmac.digest(b"key-1", (timestamp + token).encode(), "sha256").hex(),
    }  # fmt: skip
    fields |= changes or {}
    return posted({name: value for name, value in fields.items() if value != b""})


def postmark_body(**changes: object) -> bytes:
    fields = {"From": "x", "OriginalRecipient": K7, "RawEmail": RAW.decode(), "TextBody": "c4"}
    return json.dumps(fields | changes).encode()


def sendgrid_request(changes: Fields | None = None, sign: bool = True) -> Request:
    envelope = json.dumps({"to": [K7], "from": "ann@example.org"})
    fields: Fields = {"to": "x", "from": "y", "email": RAW, "envelope": envelope}
    fields |= changes or {}
    headers, body = multipart({name: value for name, value in fields.items() if value != b""})
    if sign:
        signature = EC.sign(b"1795163400" + body, ec.ECDSA(SHA256()))
        headers["x-twilio-email-event-webhook-signature"] = b64encode(signature).decode()
        headers["x-twilio-email-event-webhook-timestamp"] = "1795163400"
    return headers, body


def fetch_nothing(url: str) -> bytes:
    """Fail: most providers name no address to fetch."""
    raise AssertionError(url)


def received(
    provider: WebhookProvider,
    request: Request,
    settings: dict[str, str],
    *,
    now: datetime = NOW,
    admits: Admits = lambda signed, mail: True,
    fetch: Fetch = fetch_nothing,
) -> list[Received]:
    """Return the emails that a provider with these settings finds in a request."""
    settings = {each.name: "" for each in provider.settings} | settings
    return provider.receive(PostedRequest(*request, settings, now, admits, fetch, fetch))
