"""Emails from Mailgun: a route forwards them to an address ending in `mime`."""

from __future__ import annotations

import hmac

from mail.incoming.envelopes import enclosed
from mail.incoming.receiving import Received
from mail.incoming.webhooks.errors import NoMail, Unsigned
from mail.incoming.webhooks.forms import field, form
from mail.incoming.webhooks.proofs import check_time, same
from mail.incoming.webhooks.provider import PostedRequest, ProviderSetting, WebhookProvider

_WINDOW = 600  # seconds for which a signature is valid


def _read(posted: PostedRequest) -> list[Received]:
    fields = form(posted.headers, posted.body)
    timestamp, token = field(fields, "timestamp"), field(fields, "token")
    key = posted.settings["mailgun_signing_key"]
    right = hmac.digest(key.encode(), (timestamp + token).encode(), "sha256").hex()
    if not same(field(fields, "signature").encode(), right.encode()):
        raise Unsigned("Mailgun's signature is wrong.")
    check_time(timestamp, _WINDOW, posted.now, "Mailgun")
    if "body-mime" not in fields:
        raise NoMail("The address in Mailgun's route must end in “mime”.")
    recipients = [each.strip() for each in field(fields, "recipient").split(",")]
    mail = enclosed("mailgun", fields["body-mime"], field(fields, "sender"), recipients)
    if not posted.admits(timestamp + token, mail):
        raise Unsigned("Mailgun's signature already came with another email.")
    return [mail]


MAILGUN = WebhookProvider(
    name="mailgun",
    title="Mailgun",
    path="mailgun/mime",  # Mailgun posts the raw email to addresses that end so
    settings=(
        ProviderSetting(
            "mailgun_signing_key",
            "Mailgun's “HTTP webhook signing key”, for emails that Mailgun posts to `/mail/mailgun/mime`.",
            "key-0123456789abcdef0123456789abcdef",
        ),
    ),
    setup='a route: `forward("https://HOST/mail/mailgun/mime")`',
    read=_read,
)
