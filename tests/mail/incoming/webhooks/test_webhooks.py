"""Mail that Mailgun, Postmark and SendGrid post: with the right proof it is taken, without it is not."""

from __future__ import annotations

import hmac
import tracemalloc
from base64 import b64encode
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from mail.incoming.receiving import Received
from mail.incoming.webhooks import mailgun, postmark, sendgrid
from mail.incoming.webhooks.errors import NoMail, Unsigned
from mail.incoming.webhooks.passwords import Password
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
    sendgrid_request,
    urlencoded,
)


def found(mails: list[Received]) -> list[tuple[str, str, tuple[str, ...], bytes]]:
    return [(str(mail.source), mail.mail_from, mail.recipients, mail.content) for mail in mails]


class Used:
    """Signatures that came, and the mails with which they did."""

    def __init__(self) -> None:
        self.mails: dict[str, Received] = {}

    def admits(self, signature: str, mail: Received) -> bool:
        return self.mails.setdefault(signature, mail) == mail


class TestMailgun:
    AGREEMENT = mailgun.MailgunCredentials(signing_key="key-1")

    @pytest.mark.parametrize("posted", [urlencoded, multipart])
    @pytest.mark.parametrize("later", [0, 600, -600])
    def test_a_mail_is_taken(self, posted: Posted, later: int) -> None:
        mails = mailgun.received(
            *mailgun_request(posted=posted), self.AGREEMENT, Used().admits, NOW + timedelta(seconds=later)
        )
        assert found(mails) == [("mailgun", "ann@example.org", (K7,), RAW)]

    def test_a_mail_may_have_several_recipients_and_come_from_a_machine(self) -> None:
        request = mailgun_request({"recipient": f"{K7}, play+b2@games.example", "sender": "<>"})
        assert found(mailgun.received(*request, self.AGREEMENT, Used().admits, NOW)) == [
            ("mailgun", "", (K7, "play+b2@games.example"), RAW)
        ]

    @pytest.mark.parametrize(
        ("changes", "later"),
        [
            ({"signature": "0" * 64}, 0), ({"signature": ""}, 0), ({"signature": "ö"}, 0),
            ({"token": "u" * 50}, 0), ({"timestamp": "1"}, 0), ({}, 601), ({}, -601),
        ],
    )  # fmt: skip
    def test_what_mailgun_did_not_sign_or_not_now_is_not(self, changes: Fields, later: int) -> None:
        with pytest.raises(Unsigned):
            mailgun.received(
                *mailgun_request(changes), self.AGREEMENT, Used().admits, NOW + timedelta(seconds=later)
            )

    def test_a_time_that_is_none_is_not_taken_though_signed(self) -> None:
        signature = hmac.digest(b"key-1", b"soont", "sha256").hex()
        request = mailgun_request({"timestamp": "soon", "token": "t", "signature": signature})
        with pytest.raises(Unsigned, match="too old"):
            mailgun.received(*request, self.AGREEMENT, Used().admits, NOW)

    @pytest.mark.parametrize("name", ["body-mime", "recipient", "sender", "timestamp", "token", "signature"])
    def test_what_is_missing_is_told(self, name: str) -> None:
        with pytest.raises(NoMail, match=r"mime|missing"):
            mailgun.received(*mailgun_request({name: b""}), self.AGREEMENT, Used().admits, NOW)

    def test_a_signature_is_good_for_one_mail_though_as_often_as_that_is_posted(self) -> None:
        used = Used()
        for _ in range(2):
            assert len(mailgun.received(*mailgun_request(), self.AGREEMENT, used.admits, NOW)) == 1
        for changes in ({"body-mime": RAW + b"c6"}, {"sender": "eve@example.com"}, {"recipient": "play@x.org"}):
            with pytest.raises(Unsigned, match="another mail"):
                mailgun.received(*mailgun_request({**changes}), self.AGREEMENT, used.admits, NOW)

    def test_a_wrong_signature_uses_nothing_up_and_nothing_is_decoded_for_it(self) -> None:
        used = Used()
        headers, body = mailgun_request({"body-mime": b"\xff" * 1_000_000, "signature": "0" * 64})
        tracemalloc.start()
        try:
            with pytest.raises(Unsigned):
                mailgun.received(headers, body, self.AGREEMENT, used.admits, NOW)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert most < 3 * len(body)
        assert used.mails == {}

    def test_without_a_key_there_is_no_webhook(self) -> None:
        with pytest.raises(ValueError, match="signing key is missing"):
            mailgun.MailgunCredentials(signing_key="")


class TestPostmark:
    AGREEMENT = Password("pässword:1")

    @pytest.mark.parametrize("user", ["nabu", ""])
    def test_a_mail_is_taken(self, user: str) -> None:
        mails = postmark.received(basic(f"{user}:pässword:1"), postmark_body(), self.AGREEMENT)
        assert found(mails) == [("postmark", "b@example.org", (K7,), RAW)]

    @pytest.mark.parametrize(
        "headers",
        [
            {}, basic("nabu:wrong"), basic("nabu:"), basic(":"), basic("pässword:1"), basic("nabu:pässword:1x"),
            {"Authorization": "Bearer pässword:1"}, {"Authorization": "Basic %%%"}, {"Authorization": ""},
        ],
    )  # fmt: skip
    def test_without_the_password_it_is_not(self, headers: dict[str, str]) -> None:
        with pytest.raises(Unsigned):
            postmark.received(headers, b"not even looked at", self.AGREEMENT)

    @pytest.mark.parametrize("changes", [{"RawEmail": ""}, {"RawEmail": 1}, {"OriginalRecipient": None}])
    def test_what_is_missing_is_told(self, changes: dict[str, object]) -> None:
        with pytest.raises(NoMail):
            postmark.received(basic("nabu:pässword:1"), postmark_body(**changes), self.AGREEMENT)

    def test_half_a_character_does_no_harm(self) -> None:
        body = postmark_body(RawEmail="From: a@b.org\n\n\ud800")
        [mail] = postmark.received(basic("nabu:pässword:1"), body, self.AGREEMENT)
        assert mail.content == "From: a@b.org\n\n\ufffd".encode()

    def test_without_a_password_there_is_no_webhook(self) -> None:
        with pytest.raises(ValueError, match="needs a password"):
            Password("")


class TestSendGrid:
    SIGNED = sendgrid.SendgridCredentials(public_key=der(EC.public_key()))

    def test_a_mail_is_taken(self) -> None:
        assert found(sendgrid.received(*sendgrid_request(), self.SIGNED, NOW)) == [
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
    def test_what_sendgrid_did_not_sign_is_not(self, name: str, value: str) -> None:
        headers, body = sendgrid_request()
        with pytest.raises(Unsigned):
            sendgrid.received(headers | {name: value}, body, self.SIGNED, NOW)

    def test_nor_what_was_changed(self) -> None:
        headers, body = sendgrid_request()
        with pytest.raises(Unsigned):
            sendgrid.received(headers, body.replace(b"c4", b"c6"), self.SIGNED, NOW)

    @pytest.mark.parametrize("days", [-4, 4])
    def test_a_mail_is_taken_for_as_long_as_sendgrid_tries(self, days: int) -> None:
        assert len(sendgrid.received(*sendgrid_request(), self.SIGNED, NOW + timedelta(days=days))) == 1

    def test_a_password_will_do_where_nothing_is_signed(self) -> None:
        agreement = sendgrid.SendgridCredentials(password=Password("s3cret"))
        headers, body = sendgrid_request(sign=False)
        assert len(sendgrid.received(headers | basic("x:s3cret"), body, agreement, NOW)) == 1
        with pytest.raises(Unsigned):
            sendgrid.received(headers, body, agreement, NOW)

    def test_with_both_both_must_be_right(self) -> None:
        both = sendgrid.SendgridCredentials(public_key=der(EC.public_key()), password=Password("s3cret"))
        headers, body = sendgrid_request()
        unsigned, _ = sendgrid_request(sign=False)
        assert len(sendgrid.received(headers | basic("x:s3cret"), body, both, NOW)) == 1
        for wrong in (headers, headers | basic("x:other"), unsigned | basic("x:s3cret")):
            with pytest.raises(Unsigned):
                sendgrid.received(wrong, body, both, NOW)

    @pytest.mark.parametrize(
        "changes",
        [{"email": b""}, {"envelope": b""}, {"envelope": "{}"}, {"envelope": '{"to": [], "from": "x"}'}],
    )
    def test_what_is_missing_is_told(self, changes: Fields) -> None:
        with pytest.raises(NoMail):
            sendgrid.received(*sendgrid_request(changes), self.SIGNED, NOW)

    @pytest.mark.parametrize(
        ("public_key", "why"),
        [
            ("", "is missing"),
            ("%%%", "not a key"),
            (keys.signer("d").record.rpartition("p=")[2], "another kind"),
        ],
    )
    def test_without_a_good_key_there_is_no_webhook(self, public_key: str, why: str) -> None:
        with pytest.raises(ValueError, match=why):
            sendgrid.SendgridCredentials(public_key=public_key)


@pytest.mark.parametrize(("timestamp", "days"), [("1795163400", 6), ("1795163400", -6), ("soon", 0), ("", 0)])
def test_an_old_signature_of_sendgrid_s_is_not_good_any_more(timestamp: str, days: int) -> None:
    headers, body = sendgrid_request()
    signature = EC.sign(timestamp.encode() + body, ec.ECDSA(SHA256()))
    headers["x-twilio-email-event-webhook-signature"] = b64encode(signature).decode()
    headers["x-twilio-email-event-webhook-timestamp"] = timestamp
    with pytest.raises(Unsigned, match="too old"):
        sendgrid.received(headers, body, TestSendGrid.SIGNED, NOW + timedelta(days=days))
