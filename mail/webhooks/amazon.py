"""Mail from Amazon SES: a receipt rule that publishes the mail to a topic of SNS, which posts it here."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA1, SHA256

from mail.envelopes import enclosed
from mail.receiving import Received
from mail.webhooks.errors import NotUnderstood, Unsigned
from mail.webhooks.forms import document, text_at, texts_at

Fetch = Callable[[str], bytes]
"""`fetch(url)` gets what is at an address of Amazon; what it raises goes through. It may keep what it got."""

_HOST = r"https://sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?"
_CERTIFICATE = re.compile(rf"{_HOST}/SimpleNotificationService-[0-9a-f]+\.pem")
_SUBSCRIBE = re.compile(rf"{_HOST}/[^\s@\\#]*")
_SIGNED = ("Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")
_DMARC = {"PASS": "pass", "FAIL": "fail", "GRAY": "none"}
_NOT_IN = {"Notification": ("SubscribeURL", "Token"), "SubscriptionConfirmation": ("Subject",)}


@dataclass(frozen=True)
class Settings:
    """`topics` are the names (ARN) of the topics that we have subscribed to; others are nothing to us."""

    topics: frozenset[str]


@dataclass(frozen=True)
class Confirmation:
    """Somebody wants a topic of ours to be posted here: who wants it too has to get `url`."""

    url: str


def received(
    headers: Mapping[str, str], body: bytes, settings: Settings, fetch: Fetch, now: datetime
) -> list[Received] | Confirmation:
    """The mail in a request. Raises Unsigned or NotUnderstood."""
    message = document(body)
    if text_at(message, "TopicArn") not in settings.topics:
        raise Unsigned("The topic is not one of ours.")
    kind = text_at(message, "Type")
    if kind not in _NOT_IN:
        raise NotUnderstood(f"There is no mail in a {kind[:40]!r}.")
    _check_signature(message, kind, fetch, now)
    if kind == "SubscriptionConfirmation":
        return Confirmation(_place(message, "SubscribeURL", _SUBSCRIBE))
    return [_mail(document(text_at(message, "Message")))]


def _check_signature(message: Mapping[str, Any], kind: str, fetch: Fetch, now: datetime) -> None:
    names = [name for name in _SIGNED if name in message and name not in _NOT_IN[kind]]
    data = "".join(f"{name}\n{text_at(message, name)}\n" for name in names)
    # The first version is still what Amazon uses unless told otherwise.
    digest = SHA256() if message.get("SignatureVersion") == "2" else SHA1()  # noqa: S303
    key = _key(fetch(_place(message, "SigningCertURL", _CERTIFICATE)), now)
    try:
        signature = base64.b64decode(text_at(message, "Signature"), validate=True)
        key.verify(signature, data.encode(errors="replace"), PKCS1v15(), digest)
    except (InvalidSignature, binascii.Error, ValueError):
        raise Unsigned("Amazon's signature is wrong.") from None


def _place(message: Mapping[str, Any], name: str, shape: re.Pattern[str]) -> str:
    """An address that Amazon itself serves. Raises Unsigned."""
    url = text_at(message, name)
    if not shape.fullmatch(url):
        raise Unsigned(f"{name} does not lead to Amazon.")
    return url


def _key(certificate: bytes, now: datetime) -> RSAPublicKey:
    try:
        read = x509.load_pem_x509_certificate(certificate)
    except ValueError:
        raise Unsigned("Amazon's certificate is none.") from None
    key = read.public_key()
    if not isinstance(key, RSAPublicKey) or not read.not_valid_before_utc <= now <= read.not_valid_after_utc:
        raise Unsigned("Amazon's certificate is not valid now.")
    return key


def _mail(notification: Mapping[str, Any]) -> Received:
    if notification.get("notificationType") != "Received":
        raise NotUnderstood("The notification is not about a mail that came in.")
    sender = text_at(notification, "mail", "source")
    mail = enclosed("amazon", _content(notification), sender, texts_at(notification, "receipt", "recipients"))
    return replace(mail, results=_results(notification))


def _content(notification: Mapping[str, Any]) -> bytes:
    if "content" not in notification:
        raise NotUnderstood("The mail was put into S3, from where it is not fetched: use the action SNS.")
    content = text_at(notification, "content")
    if text_at(notification, "receipt", "action", "encoding").upper() != "BASE64":
        return content.encode(errors="replace")
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise NotUnderstood("The mail is not in base64.") from None


def _results(notification: Mapping[str, Any]) -> str:
    """What Amazon found of the sender, "" where it found nothing; it has signed that with all the rest."""
    receipt = notification["receipt"]
    verdict = receipt.get("dmarcVerdict")
    status = verdict.get("status") if isinstance(verdict, dict) else None
    found = _DMARC.get(status) if isinstance(status, str) else None
    return f"amazonses.com; dmarc={found}" if found else ""
