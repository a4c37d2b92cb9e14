"""Emails from Postmark: an inbound stream includes the raw email in its JSON."""

from __future__ import annotations

from mail.incoming.envelopes import enclosed
from mail.incoming.receiving import Received
from mail.incoming.webhooks.errors import NoMail
from mail.incoming.webhooks.forms import document, text_at
from mail.incoming.webhooks.proofs import check_length, check_password
from mail.incoming.webhooks.provider import PostedRequest, ProviderSetting, WebhookProvider


def _read(posted: PostedRequest) -> list[Received]:
    # Postmark signs nothing.
    check_password(posted.headers, posted.settings["postmark_password"])
    mail = document(posted.body)
    if not mail.get("RawEmail"):
        raise NoMail("Postmark must be set to include the raw email content.")
    raw = text_at(mail, "RawEmail").encode(errors="replace")
    # The request does not contain the return path, but the email does.
    return [enclosed("postmark", raw, None, [text_at(mail, "OriginalRecipient")])]


POSTMARK = WebhookProvider(
    name="postmark",
    title="Postmark",
    path="postmark",
    settings=(
        ProviderSetting(
            "postmark_password",
            "The password with which Postmark posts emails to `/mail/postmark`, at least 16 characters.",
            "a-long-random-password",
            check_length,
        ),
    ),
    setup="the inbound webhook `https://nabu:PASSWORD@HOST/mail/postmark`, with “Include raw email content”",
    read=_read,
)
