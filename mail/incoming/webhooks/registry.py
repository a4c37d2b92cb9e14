"""All providers that post emails, by name: a new one is a module, and a line here."""

from __future__ import annotations

from mail.incoming.webhooks.amazon import AMAZON
from mail.incoming.webhooks.mailgun import MAILGUN
from mail.incoming.webhooks.postmark import POSTMARK
from mail.incoming.webhooks.provider import WebhookProvider
from mail.incoming.webhooks.sendgrid import SENDGRID

PROVIDERS: dict[str, WebhookProvider] = {
    provider.name: provider
    for provider in (
        MAILGUN,
        POSTMARK,
        SENDGRID,
        AMAZON,
    )
}
