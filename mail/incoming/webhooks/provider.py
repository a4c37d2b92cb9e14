"""The form of a provider that posts emails: one object for Nabu, its settings and its documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from mail.incoming.receiving import Received
from mail.incoming.webhooks.certificates import Fetch
from mail.incoming.webhooks.errors import NotSet

Admits = Callable[[str, Received], bool]
"""`admits(signed, mail)` returns whether a signature came with no other email before, and remembers both.

If a signature does not cover the email, anyone who has seen one could post another email with it.
"""


@dataclass(frozen=True)
class ProviderSetting:
    """A setting of a provider; it is "" unless the administrator sets it.

    `check` raises ValueError for a value that cannot be used, with a message that does not contain the value.
    """

    name: str
    description: str
    example: str
    check: Callable[[str], object] | None = None
    is_secret: bool = True


@dataclass(frozen=True)
class PostedRequest:
    """A request to a webhook; `settings` are those of its provider, by name."""

    headers: Mapping[str, str]
    body: bytes
    settings: Mapping[str, str]
    now: datetime
    admits: Admits
    fetch: Fetch
    fetch_certificate: Fetch
    """The same with a cache, for certificates."""


@dataclass(frozen=True)
class WebhookProvider:
    """A provider that posts emails to `/mail/PATH` once one of its settings is set.

    In the documents, `setup` describes the setup at the provider, and `believed` its results for the sender
    that Nabu trusts. `read` raises Unsigned for a request that does not prove its origin, and NoMail for one
    without an email.
    """

    name: str
    title: str
    path: str
    settings: tuple[ProviderSetting, ...]
    setup: str
    read: Callable[[PostedRequest], list[Received]]
    believed: str = "none"

    def receive(self, posted: PostedRequest) -> list[Received]:
        """Return the emails in a request. Raises NotSet, Unsigned or NoMail, and OSError if a fetch fails."""
        if not any(posted.settings.values()):
            raise NotSet
        return self.read(posted)
