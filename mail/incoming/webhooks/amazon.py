"""Emails from Amazon SES: a receipt rule publishes them to an SNS topic, which posts them here."""

from __future__ import annotations

import base64
import binascii
import logging
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA1, SHA256

from mail.incoming.envelopes import enclosed
from mail.incoming.receiving import Received
from mail.incoming.webhooks.errors import NoMail, Unsigned
from mail.incoming.webhooks.forms import document, text_at, texts_at
from mail.incoming.webhooks.provider import PostedRequest, ProviderSetting, WebhookProvider

logger = logging.getLogger(__name__)

_TOPIC = re.compile(
    r"arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-[0-9]{1,2}):[0-9]{12}:[\w-]{1,256}", re.A
)
"""The name of a topic, with its partition and its region. No service of Amazon is named like a region."""

LARGEST_REQUEST = 1_000_000
"""Bytes: SNS needs a quarter of that. Anyone can post a document, and a large one takes much memory."""

_CERTIFICATE = re.compile(r"/SimpleNotificationService-[0-9a-f]{1,64}\.pem")
_SUBSCRIBE = re.compile(r"/\?Action=ConfirmSubscription&[A-Za-z0-9:._=&%-]{1,2000}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z")
_OLDEST = timedelta(hours=2)
"""SNS tries to post a message for at most an hour; an older one was kept by someone."""
_NEWEST = timedelta(minutes=10)
"""The time by which Amazon's clock may be ahead."""
_SIGNED = ("Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")
_DMARC = {"PASS": "pass", "FAIL": "fail", "GRAY": "none"}
_NOT_IN = {"Notification": ("SubscribeURL", "Token"), "SubscriptionConfirmation": ("Subject",)}


def _read(posted: PostedRequest) -> list[Received]:
    """Return the email in a message; for a message that asks to confirm a topic, confirm it and return none."""
    if len(posted.body) > LARGEST_REQUEST:
        raise NoMail("The message is larger than any that Amazon posts.")
    message = document(posted.body)
    topic = text_at(message, "TopicArn")
    if topic not in _topics(posted.settings["amazon_topics"]):
        raise Unsigned("The topic is not in NABU_AMAZON_TOPICS.")
    kind = text_at(message, "Type")
    if kind not in _NOT_IN:
        raise NoMail(f"There is no email in a {kind[:40]!r}.")
    _check_age(text_at(message, "Timestamp"), posted.now)
    certificate = _place(message, "SigningCertURL", topic, _CERTIFICATE)
    _check_signature(message, kind, _key(posted.fetch_certificate(certificate), posted.now))
    if kind == "SubscriptionConfirmation":
        posted.fetch(_place(message, "SubscribeURL", topic, _SUBSCRIBE))
        logger.info("confirmed the subscription of an Amazon topic")
        return []
    return [_mail(document(text_at(message, "Message")))]


def _topics(written: str) -> set[str]:
    """Return the names (ARNs) in a list with commas. Raises ValueError for anything else."""
    topics = {each.strip() for each in written.split(",") if each.strip()}
    if not all(map(_TOPIC.fullmatch, topics)):
        raise ValueError("must be topics of Amazon SNS (ARNs), separated by commas")
    return topics


def _check_age(written: str, now: datetime) -> None:
    """Raise Unsigned for an old message; the signature vouches for the time in it."""
    try:
        age = now - datetime.fromisoformat(written) if _TIME.fullmatch(written) else None
    except ValueError:
        age = None
    if age is None or not -_NEWEST <= age <= _OLDEST:
        raise Unsigned(f"The message is dated {written[:40]!r}, which is not now.")


def _check_signature(message: Mapping[str, Any], kind: str, key: RSAPublicKey) -> None:
    names = [name for name in _SIGNED if name in message and name not in _NOT_IN[kind]]
    data = "".join(f"{name}\n{text_at(message, name)}\n" for name in names)
    # Amazon still uses the first version by default.
    digest = SHA256() if message.get("SignatureVersion") == "2" else SHA1()  # noqa: S303
    try:
        signature = base64.b64decode(text_at(message, "Signature"), validate=True)
        key.verify(signature, data.encode(errors="replace"), PKCS1v15(), digest)
    except (InvalidSignature, binascii.Error, ValueError):
        raise Unsigned("Amazon's signature is wrong.") from None


def _place(message: Mapping[str, Any], name: str, topic: str, shape: re.Pattern[str]) -> str:
    """Return an address that SNS itself serves, in the region of the topic. Raises Unsigned."""
    url, named = text_at(message, name), _TOPIC.fullmatch(topic)
    if named is None:
        raise Unsigned("The topic is not in any region of Amazon's.")
    host = f"https://sns.{named[2]}.amazonaws.com" + (".cn" if named[1] == "aws-cn" else "")
    if not url.startswith(f"{host}/") or not shape.fullmatch(url.removeprefix(host)):
        raise Unsigned(f"{name} does not lead to Amazon.")
    return url


def _key(certificate: bytes, now: datetime) -> RSAPublicKey:
    try:
        read = x509.load_pem_x509_certificate(certificate)
    except ValueError:
        raise Unsigned("Amazon's certificate is not a certificate.") from None
    key = read.public_key()
    if not isinstance(key, RSAPublicKey) or not read.not_valid_before_utc <= now <= read.not_valid_after_utc:
        raise Unsigned("Amazon's certificate is not valid now.")
    return key


def _mail(notification: Mapping[str, Any]) -> Received:
    if notification.get("notificationType") != "Received":
        raise NoMail("The notification is not about an incoming email.")
    sender = text_at(notification, "mail", "source")
    mail = enclosed("amazon", _content(notification), sender, texts_at(notification, "receipt", "recipients"))
    return replace(mail, results=_results(notification))


def _content(notification: Mapping[str, Any]) -> bytes:
    if "content" not in notification:
        raise NoMail("The email was stored in S3, and Nabu does not fetch it from there: use the action SNS.")
    content = text_at(notification, "content")
    if text_at(notification, "receipt", "action", "encoding").upper() != "BASE64":
        return content.encode(errors="replace")
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise NoMail("The email is not in base64.") from None


def _results(notification: Mapping[str, Any]) -> str:
    """Return Amazon's result for the sender, "" if there is none; Amazon's signature covers it."""
    receipt = notification["receipt"]
    verdict = receipt.get("dmarcVerdict")
    status = verdict.get("status") if isinstance(verdict, dict) else None
    found = _DMARC.get(status) if isinstance(status, str) else None
    return f"amazonses.com; dmarc={found}" if found else ""


AMAZON = WebhookProvider(
    name="amazon",
    title="Amazon SES",
    path="amazon",
    settings=(
        ProviderSetting(
            "amazon_topics",
            "Amazon SNS topics (ARNs) that post emails to `/mail/amazon`, separated by commas.",
            "arn:aws:sns:eu-west-1:123456789012:nabu",
            _topics,
            is_secret=False,
        ),
    ),
    setup="a receipt rule with the action SNS, and a subscription of its topic to `https://HOST/mail/amazon`, "
    "which Nabu confirms",
    read=_read,
    believed="Amazon's signed DMARC verdict",
)
