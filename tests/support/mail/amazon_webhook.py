"""Emails as Amazon's SNS posts them: signed with a certificate, for a topic."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA1, SHA256

from tests.support.mail import keys
from tests.support.mail.keys import certificate_for

TOPIC = "arn:aws:sns:us-east-1:123456789012:mail"


CERTIFICATE = "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123abcd.pem"


SUBSCRIBE = f"https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn={TOPIC}&Token=2336"


RAW = b"From: Ann <ann@example.org>\r\nSubject: \xc3\xb6\r\n\r\nc4\r\n"


K7 = "play+k7@games.example"


NOW = datetime.now(UTC)


ORDERS = {
    "Notification": ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    "SubscriptionConfirmation": (
        "Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type",
    ),
}  # fmt: skip


class Web:
    """A stand-in for Amazon's certificates and confirmations that records the requested addresses."""

    def __init__(self, content: bytes = b"") -> None:
        self.content = content or certificate_for("127.0.0.1")
        self.asked: list[str] = []

    def fetch(self, url: str) -> bytes:
        self.asked.append(url)
        return self.content


def notification(action: dict[str, str] | None = None, **changes: object) -> str:
    """Return a notification of SES about an email."""
    given: dict[str, object] = {
        "notificationType": "Received",
        "mail": {"source": "ann@example.org", "destination": ["x"]},
        "receipt": {"recipients": [K7], "action": action or {"type": "SNS", "encoding": "UTF-8"}},
        "content": RAW.decode(),
    }
    return json.dumps({name: value for name, value in (given | changes).items() if value is not None})


def moment(time: datetime) -> str:
    """Return a time as SNS writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def signed(version: str = "2", **changes: str) -> dict[str, str]:
    """Return a message as SNS posts it."""
    message = {
        "Type": "Notification", "MessageId": "1-2-3", "TopicArn": TOPIC, "Message": notification(),
        "Subject": "Amazon SES Email Receipt Notification", "Timestamp": moment(NOW),
        "SignatureVersion": version, "SigningCertURL": CERTIFICATE, "UnsubscribeURL": "x", **changes,
    }  # fmt: skip
    message = {name: value for name, value in message.items() if value != "missing"}
    names = [name for name in ORDERS.get(message["Type"], ()) if name in message]
    data = "".join(f"{name}\n{message[name]}\n" for name in names).encode()
    digest = SHA256() if version == "2" else SHA1()  # noqa: S303 - Amazon's default
    signature = keys.private_rsa_key().sign(data, PKCS1v15(), digest)
    return message | {"Signature": b64encode(signature).decode()}
