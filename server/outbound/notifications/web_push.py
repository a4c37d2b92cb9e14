"""Web push (RFC 8030): messages are encrypted for a browser, signed, and sent to its push service."""

import time
from urllib.parse import urlsplit

import http_ece
import requests
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from py_vapid import Vapid02

from server.game.notifications.notification import Push, SendingOutcome
from server.store.keys.sealing import decoded

_SIGNED_FOR = 12 * 3600
"""Seconds; push services accept no signature that is valid for more than a day."""
_CONNECTING, _ANSWERING = 5, 10
"""Timeouts in seconds."""
_GONE = (404, 410)


def push(wanted: Push) -> SendingOutcome:
    """Send a message to a browser, and return the outcome. Redirects are not followed."""
    try:
        answer = requests.post(
            wanted.endpoint,
            data=_encrypted(wanted),
            headers={
                "TTL": str(wanted.seconds),
                "Urgency": "high" if wanted.urgent else "normal",
                "Topic": wanted.topic,
                "Content-Type": "application/octet-stream",
                "Content-Encoding": "aes128gcm",
                "Authorization": _signed(wanted),
            },
            timeout=(_CONNECTING, _ANSWERING),
            allow_redirects=False,
            stream=True,
        )
    except requests.RequestException:
        return SendingOutcome.LATER
    answer.close()
    if answer.status_code in _GONE:
        return SendingOutcome.GONE
    return SendingOutcome.TAKEN if 200 <= answer.status_code < 300 else SendingOutcome.LATER


def _encrypted(wanted: Push) -> bytes:
    """Encrypt the content as in RFC 8291, with a new key for each message."""
    encrypted: bytes = http_ece.encrypt(
        wanted.content.encode(),
        private_key=generate_private_key(SECP256R1()),
        dh=decoded(wanted.p256dh),
        auth_secret=decoded(wanted.auth),
        version="aes128gcm",
    )
    return encrypted


def _signed(wanted: Push) -> str:
    """Return the Authorization header of RFC 8292, which identifies the sender."""
    place = urlsplit(wanted.endpoint)
    signer = Vapid02.from_raw(wanted.key.encode())
    signer.conf["no-strict"] = True  # strict mode refuses a contact at a domain without a dot
    claims = {
        "aud": f"{place.scheme}://{place.netloc}",
        "exp": int(time.time()) + _SIGNED_FOR,
        "sub": wanted.contact,
    }
    headers: dict[str, str] = signer.sign(claims)
    return headers["Authorization"]
