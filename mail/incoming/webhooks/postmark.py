"""Mail from Postmark: an inbound stream that includes the raw mail in its JSON."""

from __future__ import annotations

from collections.abc import Mapping

from mail.incoming.envelopes import enclosed
from mail.incoming.receiving import Received
from mail.incoming.webhooks.errors import NoMail
from mail.incoming.webhooks.forms import document, text_at
from mail.incoming.webhooks.passwords import Password

Agreement = Password
"""Postmark signs nothing: the address of the webhook must hold a password."""


def received(headers: Mapping[str, str], body: bytes, agreement: Agreement) -> list[Received]:
    """The mail in a request. Raises Unsigned or NoMail."""
    agreement.check(headers)
    mail = document(body)
    if not mail.get("RawEmail"):
        raise NoMail("Postmark must be told to include the raw mail.")
    raw = text_at(mail, "RawEmail").encode(errors="replace")
    # The request does not give the return path, but the mail does.
    return [enclosed("postmark", raw, None, [text_at(mail, "OriginalRecipient")])]
