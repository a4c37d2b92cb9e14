"""Emails posted by Mailgun, Postmark and SendGrid: accepted with the right proof, refused without it."""

from __future__ import annotations

import hmac
import tracemalloc
from base64 import b64encode
from datetime import timedelta
from typing import ClassVar

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from mail.incoming.receiving import Received
from mail.incoming.webhooks.errors import NoMail, NotSet, Unsigned
from mail.incoming.webhooks.mailgun import MAILGUN
from mail.incoming.webhooks.postmark import POSTMARK
from mail.incoming.webhooks.provider import WebhookProvider
from mail.incoming.webhooks.registry import PROVIDERS
from mail.incoming.webhooks.sendgrid import SENDGRID
from tests.support.mail import keys
from tests.support.mail.webhook_requests import (
    EC,
    K7,
    NOW,
    RAW,
    Fields,
    Posted,
    basic,
    der,
    mailgun_request,
    multipart,
    postmark_body,
    received,
    sendgrid_request,
    urlencoded,
)


def found(mails: list[Received]) -> list[tuple[str, str, tuple[str, ...], bytes]]:
    return [(str(mail.source), mail.mail_from, mail.recipients, mail.content) for mail in mails]


class Used:
    """The signatures so far, each with its first email."""

    def __init__(self) -> None:
        self.mails: dict[str, Received] = {}

    def admits(self, signature: str, mail: Received) -> bool:
        return self.mails.setdefault(signature, mail) == mail


class TestMailgun:
    SET: ClassVar = {"mailgun_signing_key": "key-1"}

    @pytest.mark.parametrize("posted", [urlencoded, multipart])
    @pytest.mark.parametrize("later", [0, 600, -600])
    def test_email_is_accepted(self, posted: Posted, later: int) -> None:
        mails = received(MAILGUN, mailgun_request(posted=posted), self.SET, now=NOW + timedelta(seconds=later))
        assert found(mails) == [("mailgun", "ann@example.org", (K7,), RAW)]

    def test_email_may_have_several_recipients_and_the_null_path(self) -> None:
        request = mailgun_request({"recipient": f"{K7}, play+b2@games.example", "sender": "<>"})
        assert found(received(MAILGUN, request, self.SET)) == [
            ("mailgun", "", (K7, "play+b2@games.example"), RAW)
        ]

    @pytest.mark.parametrize(
        ("changes", "later"),
        [
            ({"signature": "0" * 64}, 0), ({"signature": ""}, 0), ({"signature": "ö"}, 0),
            ({"token": "u" * 50}, 0), ({"timestamp": "1"}, 0), ({}, 601), ({}, -601),
        ],
    )  # fmt: skip
    def test_mailgun_request_without_a_recent_signature_is_rejected(self, changes: Fields, later: int) -> None:
        with pytest.raises(Unsigned):
            received(MAILGUN, mailgun_request(changes), self.SET, now=NOW + timedelta(seconds=later))

    def test_signed_request_with_an_invalid_time_is_rejected(self) -> None:
        signature = hmac.digest(b"key-1", b"soont", "sha256").hex()
        request = mailgun_request({"timestamp": "soon", "token": "t", "signature": signature})
        with pytest.raises(Unsigned, match="too old"):
            received(MAILGUN, request, self.SET)

    @pytest.mark.parametrize("name", ["body-mime", "recipient", "sender", "timestamp", "token", "signature"])
    def test_missing_field_is_reported(self, name: str) -> None:
        with pytest.raises(NoMail, match=r"mime|missing"):
            received(MAILGUN, mailgun_request({name: b""}), self.SET)

    def test_signature_is_valid_for_one_email_posted_repeatedly(self) -> None:
        used = Used()
        for _ in range(2):
            assert len(received(MAILGUN, mailgun_request(), self.SET, admits=used.admits)) == 1
        for changes in ({"body-mime": RAW + b"c6"}, {"sender": "eve@example.com"}, {"recipient": "play@x.org"}):
            with pytest.raises(Unsigned, match="another email"):
                received(MAILGUN, mailgun_request({**changes}), self.SET, admits=used.admits)

    def test_wrong_signature_is_rejected_without_decoding(self) -> None:
        used = Used()
        headers, body = mailgun_request({"body-mime": b"\xff" * 1_000_000, "signature": "0" * 64})
        tracemalloc.start()
        try:
            with pytest.raises(Unsigned):
                received(MAILGUN, (headers, body), self.SET, admits=used.admits)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert most < 3 * len(body)
        assert used.mails == {}


class TestPostmark:
    SET: ClassVar = {"postmark_password": "pässword:1"}

    @pytest.mark.parametrize("user", ["nabu", ""])
    def test_email_is_accepted(self, user: str) -> None:
        mails = received(POSTMARK, (basic(f"{user}:pässword:1"), postmark_body()), self.SET)
        assert found(mails) == [("postmark", "b@example.org", (K7,), RAW)]

    @pytest.mark.parametrize(
        "headers",
        [
            {}, basic("nabu:wrong"), basic("nabu:"), basic(":"), basic("pässword:1"), basic("nabu:pässword:1x"),
            {"Authorization": "Bearer pässword:1"}, {"Authorization": "Basic %%%"}, {"Authorization": ""},
        ],
    )  # fmt: skip
    def test_postmark_request_without_password_is_rejected(self, headers: dict[str, str]) -> None:
        with pytest.raises(Unsigned):
            received(POSTMARK, (headers, b"not even looked at"), self.SET)

    @pytest.mark.parametrize("changes", [{"RawEmail": ""}, {"RawEmail": 1}, {"OriginalRecipient": None}])
    def test_missing_field_is_reported(self, changes: dict[str, object]) -> None:
        with pytest.raises(NoMail):
            received(POSTMARK, (basic("nabu:pässword:1"), postmark_body(**changes)), self.SET)

    def test_half_of_a_surrogate_pair_does_no_harm(self) -> None:
        body = postmark_body(RawEmail="From: a@b.org\n\n\ud800")
        [mail] = received(POSTMARK, (basic("nabu:pässword:1"), body), self.SET)
        assert mail.content == "From: a@b.org\n\n\ufffd".encode()


class TestSendGrid:
    SIGNED: ClassVar = {"sendgrid_public_key": der(EC.public_key())}

    def test_email_is_accepted(self) -> None:
        assert found(received(SENDGRID, sendgrid_request(), self.SIGNED)) == [
            ("sendgrid", "ann@example.org", (K7,), RAW)
        ]

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("x-twilio-email-event-webhook-signature", ""),
            ("x-twilio-email-event-webhook-signature", "%%%"),
            ("x-twilio-email-event-webhook-signature", b64encode(b"x" * 70).decode()),
            ("x-twilio-email-event-webhook-timestamp", "1795163401"),
        ],
    )
    def test_sendgrid_request_without_signature_is_rejected(self, name: str, value: str) -> None:
        headers, body = sendgrid_request()
        with pytest.raises(Unsigned):
            received(SENDGRID, (headers | {name: value}, body), self.SIGNED)

    def test_changed_sendgrid_request_is_rejected(self) -> None:
        headers, body = sendgrid_request()
        with pytest.raises(Unsigned):
            received(SENDGRID, (headers, body.replace(b"c4", b"c6")), self.SIGNED)

    @pytest.mark.parametrize("days", [-4, 4])
    def test_sendgrid_email_is_accepted_as_long_as_sendgrid_retries(self, days: int) -> None:
        assert len(received(SENDGRID, sendgrid_request(), self.SIGNED, now=NOW + timedelta(days=days))) == 1

    def test_sendgrid_password_is_enough_without_a_signature(self) -> None:
        by_password = {"sendgrid_password": "s3cret"}
        headers, body = sendgrid_request(sign=False)
        assert len(received(SENDGRID, (headers | basic("x:s3cret"), body), by_password)) == 1
        with pytest.raises(Unsigned):
            received(SENDGRID, (headers, body), by_password)

    def test_password_and_signature_are_both_checked_if_both_are_set(self) -> None:
        both = self.SIGNED | {"sendgrid_password": "s3cret"}
        headers, body = sendgrid_request()
        unsigned, _ = sendgrid_request(sign=False)
        assert len(received(SENDGRID, (headers | basic("x:s3cret"), body), both)) == 1
        for wrong in (headers, headers | basic("x:other"), unsigned | basic("x:s3cret")):
            with pytest.raises(Unsigned):
                received(SENDGRID, (wrong, body), both)

    @pytest.mark.parametrize(
        "changes",
        [{"email": b""}, {"envelope": b""}, {"envelope": "{}"}, {"envelope": '{"to": [], "from": "x"}'}],
    )
    def test_missing_field_is_reported(self, changes: Fields) -> None:
        with pytest.raises(NoMail):
            received(SENDGRID, sendgrid_request(changes), self.SIGNED)

    @pytest.mark.parametrize(
        ("public_key", "why"),
        [("%%%", "key in base64"), (keys.signer("d").record.rpartition("p=")[2], "of an elliptic curve")],
    )
    def test_invalid_public_key_is_reported(self, public_key: str, why: str) -> None:
        check = SENDGRID.settings[0].check
        assert check is not None
        with pytest.raises(ValueError, match=why):
            check(public_key)


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=list(PROVIDERS))
def test_webhook_without_a_setting_is_not_set_up(provider: WebhookProvider) -> None:
    with pytest.raises(NotSet):
        received(provider, (basic("nabu:"), b"not even looked at"), {})


@pytest.mark.parametrize(("timestamp", "days"), [("1795163400", 6), ("1795163400", -6), ("soon", 0), ("", 0)])
def test_old_signature_of_sendgrid_is_rejected(timestamp: str, days: int) -> None:
    headers, body = sendgrid_request()
    signature = EC.sign(timestamp.encode() + body, ec.ECDSA(SHA256()))
    headers["x-twilio-email-event-webhook-signature"] = b64encode(signature).decode()
    headers["x-twilio-email-event-webhook-timestamp"] = timestamp
    with pytest.raises(Unsigned, match="too old"):
        received(SENDGRID, (headers, body), TestSendGrid.SIGNED, now=NOW + timedelta(days=days))
