"""Emails that Amazon's SNS posts: signed with a certificate of Amazon, for a topic in the settings."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import datetime, timedelta

import pytest

from mail.incoming.receiving import Received
from mail.incoming.webhooks.amazon import AMAZON
from mail.incoming.webhooks.errors import NoMail, Unsigned
from tests.support.mail.amazon_webhook import (
    CERTIFICATE,
    K7,
    NOW,
    RAW,
    SUBSCRIBE,
    TOPIC,
    Web,
    moment,
    notification,
    signed,
)
from tests.support.mail.webhook_requests import Request, received

OTHER_TOPIC = "arn:aws:sns:eu-west-1:123456789012:other"
SET = {"amazon_topics": f"{OTHER_TOPIC}, {TOPIC}"}


def taken(
    message: dict[str, str], web: Web | None = None, *, now: datetime = NOW, topics: str = SET["amazon_topics"]
) -> list[Received]:
    request: Request = {}, json.dumps(message).encode()
    return received(AMAZON, request, {"amazon_topics": topics}, now=now, fetch=(web or Web()).fetch)


@pytest.mark.parametrize("version", ["1", "2"])
@pytest.mark.parametrize("subject", ["Amazon SES Email Receipt Notification", "missing"])
def test_email_is_accepted(version: str, subject: str) -> None:
    web = Web()
    mails = taken(signed(version, Subject=subject), web)
    assert [(str(mail.source), mail.mail_from, mail.recipients, mail.content) for mail in mails] == [
        ("amazon", "ann@example.org", (K7,), RAW)
    ]
    assert web.asked == [CERTIFICATE]


def test_email_may_be_in_base64() -> None:
    raw = b"From: a@b.org\r\n\r\n\xff\r\n"
    message = notification({"type": "SNS", "encoding": "BASE64"}, content=b64encode(raw).decode())
    mails = taken(signed(Message=message))
    assert mails[0].content == raw


def test_email_stored_in_s3_is_not_fetched() -> None:
    message = notification({"type": "S3", "bucketName": "mails", "objectKey": "k/1"}, content=None)
    with pytest.raises(NoMail, match="S3"):
        taken(signed(Message=message))


@pytest.mark.parametrize(
    ("verdict", "results"),
    [
        ({"status": "PASS"}, "amazonses.com; dmarc=pass"),
        ({"status": "FAIL"}, "amazonses.com; dmarc=fail"),
        ({"status": "GRAY"}, "amazonses.com; dmarc=none"),
        ({"status": "PROCESSING_FAILED"}, ""),
        ({"status": ["PASS"]}, ""),
        ({}, ""),
        ("PASS", ""),
        (None, ""),
    ],
)
def test_dmarc_verdict_becomes_an_authentication_result(verdict: object, results: str) -> None:
    receipt = {"recipients": [K7], "action": {"type": "SNS", "encoding": "UTF-8"}, "dmarcVerdict": verdict}
    mails = taken(signed(Message=notification(receipt=receipt)))
    assert mails[0].results == results


def test_subscription_is_confirmed_at_its_address() -> None:
    message, web = (
        signed(Type="SubscriptionConfirmation", SubscribeURL=SUBSCRIBE, Token="2336", Message="You"),
        Web(),
    )
    assert taken(message, web) == []
    assert web.asked == [CERTIFICATE, SUBSCRIBE]


@pytest.mark.parametrize(
    "changes",
    [
        {"Message": notification(content="From: eve@example.com\n\nresign\n")},
        {"Subject": "Other"}, {"MessageId": "4"}, {"Timestamp": moment(NOW + timedelta(seconds=1))},
        {"Type": "SubscriptionConfirmation", "SubscribeURL": SUBSCRIBE, "Token": "2336"},
        {"SignatureVersion": "1"}, {"Signature": "AAAA"}, {"Signature": "%%%"},
        {"TopicArn": TOPIC + "2"},
        {"SigningCertURL": "https://sns.us-east-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem"},
        {"SigningCertURL": "https://evil.example/sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem"},
        {"SigningCertURL": "https://x@sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem"},
        {"SigningCertURL": "http://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem"},
        {"SigningCertURL": "https://sns.us-east-1.amazonaws.com/evil/key.pem"},
        {"SigningCertURL": CERTIFICATE + "?x"},
        {"SigningCertURL": "https://s3.amazonaws.com/SimpleNotificationService-1.pem"},
        {"SigningCertURL": CERTIFICATE.upper()},
        {"SigningCertURL": CERTIFICATE + "\n"},
    ],
)  # fmt: skip
def test_message_with_a_wrong_signature_or_certificate_url_is_rejected(changes: dict[str, str]) -> None:
    with pytest.raises(Unsigned):
        taken(signed() | changes)


@pytest.mark.parametrize(
    "host",
    [
        "sns.s3.amazonaws.com", "sns.s3-us-west-2.amazonaws.com", "sns.s3-eu-west-1.amazonaws.com",
        "sns.s3-website-us-east-1.amazonaws.com", "sns.s3-accelerate.amazonaws.com", "sns.lambda.amazonaws.com",
        "sns.us-west-2.amazonaws.com", "sns.us-east-1.amazonaws.com.cn", "sns.us-east-1.amazonaws.com:8443",
        "sns.us-east-1.amazonaws.com.", "sns.us-east-1.s3.amazonaws.com", "u:p@sns.us-east-1.amazonaws.com",
    ],
)  # fmt: skip
def test_certificates_come_only_from_sns_in_the_topics_region(host: str) -> None:
    web = Web()
    url = f"https://{host}/SimpleNotificationService-0123abcd.pem"
    with pytest.raises(Unsigned, match="does not lead to Amazon"):
        taken(signed(SigningCertURL=url), web)
    confirmation = {"Type": "SubscriptionConfirmation", "Token": "2336", "Message": "You"}
    url = SUBSCRIBE.replace("sns.us-east-1.amazonaws.com", host)
    with pytest.raises(Unsigned, match="does not lead to Amazon"):
        taken(signed(**confirmation, SubscribeURL=url), web)
    assert web.asked in ([], [CERTIFICATE])


@pytest.mark.parametrize(
    ("topic", "host"),
    [
        (TOPIC.replace("us-east-1", "ap-southeast-2"), "sns.ap-southeast-2.amazonaws.com"),
        ("arn:aws-us-gov:sns:us-gov-west-1:123456789012:mail", "sns.us-gov-west-1.amazonaws.com"),
        ("arn:aws-cn:sns:cn-northwest-1:123456789012:mail", "sns.cn-northwest-1.amazonaws.com.cn"),
    ],
)
def test_each_region_has_its_own_host(topic: str, host: str) -> None:
    url = f"https://{host}/SimpleNotificationService-0123abcd.pem"
    web = Web()
    assert len(taken(signed(TopicArn=topic, SigningCertURL=url), web, topics=topic)) == 1
    assert web.asked == [url]


def test_oversized_body_is_not_read() -> None:
    with pytest.raises(NoMail, match="larger"):
        taken(signed(UnsubscribeURL="x" * 1_000_000))


@pytest.mark.parametrize("age", [timedelta(hours=1, minutes=50), timedelta(minutes=-9)])
def test_message_may_be_as_old_as_amazon_retries(age: timedelta) -> None:
    assert len(taken(signed(Timestamp=moment(NOW - age)))) == 1


@pytest.mark.parametrize(
    "written",
    [
        moment(NOW - timedelta(hours=2, minutes=1)), moment(NOW - timedelta(days=400)),
        moment(NOW + timedelta(minutes=11)), "2026-13-45T99:99:99.000Z", "now", "", moment(NOW)[:-1],
    ],
    ids=["old", "a year old", "to come", "no time", "a word", "none", "no zone"],
)  # fmt: skip
def test_signed_message_with_an_old_future_or_invalid_time_is_rejected(written: str) -> None:
    web = Web()
    with pytest.raises(Unsigned, match="not now"):
        taken(signed(Timestamp=written), web)
    assert web.asked == []


def test_nothing_is_fetched_for_other_topics_or_hosts() -> None:
    web = Web()
    for changes in ({"TopicArn": "x"}, {"SigningCertURL": "https://evil.example/x.pem"}):
        with pytest.raises(Unsigned):
            taken(signed(**changes), web)
    assert web.asked == []


def test_subscription_of_another_host_is_not_confirmed() -> None:
    message = signed(Type="SubscriptionConfirmation", SubscribeURL="https://evil.example/", Token="2336")
    with pytest.raises(Unsigned, match="does not lead to Amazon"):
        taken(message)


@pytest.mark.parametrize(
    "content", [b"not a certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_invalid_certificate_is_rejected(content: bytes) -> None:
    with pytest.raises(Unsigned, match="certificate"):
        taken(signed(), Web(content))


@pytest.mark.parametrize("days", [-2, 2])
def test_certificate_is_valid_only_in_its_period(days: int) -> None:
    then = NOW + timedelta(days=days)
    with pytest.raises(Unsigned, match="not valid now"):
        taken(signed(Timestamp=moment(then)), now=then)


def test_unavailable_certificate_makes_amazon_retry() -> None:
    class Away(Web):
        def fetch(self, url: str) -> bytes:
            raise ConnectionError(url)

    with pytest.raises(ConnectionError):
        taken(signed(), Away())


@pytest.mark.parametrize(
    "message",
    [
        {}, {"TopicArn": TOPIC}, {"TopicArn": TOPIC, "Type": "Other"}, signed(Message="hello"),
        {name: value for name, value in signed().items() if name != "Timestamp"},
        signed(Message=notification(notificationType="Bounce")), signed(Message=notification(content=1)),
        signed(Message=notification(receipt={})), signed(Message=notification(mail={})),
        signed(Message=notification({"encoding": "BASE64"}, content="%%%")),
        signed(Message=notification({"type": "S3"}, content=None)),
        {name: value for name, value in signed().items() if name != "Signature"},
        {name: value for name, value in signed().items() if name != "SigningCertURL"},
    ],
)  # fmt: skip
def test_message_without_an_email_is_rejected(message: dict[str, str]) -> None:
    with pytest.raises(NoMail):
        taken(message)
