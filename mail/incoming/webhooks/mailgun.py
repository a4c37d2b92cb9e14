"""Mail from Mailgun: a route that forwards to an address ending in `mime`."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from mail.incoming.envelopes import enclosed
from mail.incoming.receiving import Received
from mail.incoming.webhooks.errors import NoMail, Unsigned
from mail.incoming.webhooks.forms import field, form
from mail.incoming.webhooks.passwords import same

Admits = Callable[[str, Received], bool]
"""`admits(signed, mail)`: whether what was signed has come with no other mail before; remembers with which.

The signature does not cover the mail, so anyone who has seen one could put another mail with it.
"""

_TIME = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True)
class MailgunCredentials:
    """`signing_key` is the “HTTP webhook signing key”; `window` is for how many seconds a signature is good."""

    signing_key: str
    window: int = 600

    def __post_init__(self) -> None:
        if not self.signing_key:
            raise ValueError("Mailgun's signing key is missing.")


def received(
    headers: Mapping[str, str], body: bytes, agreement: MailgunCredentials, admits: Admits, now: datetime
) -> list[Received]:
    """The mail in a request. Raises Unsigned or NoMail."""
    fields = form(headers, body)
    timestamp, token = field(fields, "timestamp"), field(fields, "token")
    right = hmac.digest(agreement.signing_key.encode(), (timestamp + token).encode(), "sha256").hex()
    if not same(field(fields, "signature").encode(), right.encode()):
        raise Unsigned("Mailgun's signature is wrong.")
    if not _TIME.fullmatch(timestamp) or abs(now.timestamp() - int(timestamp)) > agreement.window:
        raise Unsigned("Mailgun's signature is too old.")
    if "body-mime" not in fields:
        raise NoMail("The address in Mailgun's route must end in “mime”.")
    recipients = [each.strip() for each in field(fields, "recipient").split(",")]
    mail = enclosed("mailgun", fields["body-mime"], field(fields, "sender"), recipients)
    if not admits(timestamp + token, mail):
        raise Unsigned("Mailgun's signature already came with another mail.")
    return [mail]
