"""The post office: everything that one process works with, built from the settings."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from sqlalchemy import Engine

from mail.outgoing.delivering import Relay
from mail.outgoing.lines import Lines
from mail.outgoing.signing import BadKey, Signer
from server.accounts.logins import Logins
from server.inbound.pipeline import Pipeline
from server.inbound.reception import Reception
from server.inbound.senders import senders
from server.outbound.delivery import Delivery
from server.outbound.letters.writer import Scribe
from server.outbound.sent import Sent
from server.settings import BadSettings, Settings
from server.store.db import connect
from server.store.sealing import Vault
from server.store.tokens import Tokens

_LINES = 4
"""Connections to the relay; few enough for the relays of small providers."""


def utc_now() -> datetime:
    """The clock on the wall; everything below is handed the time."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Office:
    """Database, keys and clock of one process, and the parts made from them."""

    settings: Settings
    engine: Engine
    vault: Vault
    tokens: Tokens
    logins: Logins
    now: Callable[[], datetime]

    @cached_property
    def scribe(self) -> Scribe:
        """Who writes mails; one for all, as the templates are compiled for each."""
        return Scribe(self.settings, self.vault, self.tokens, self.logins)

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def reception(self) -> Reception:
        """What all ways in hand their mails to."""
        return Reception(self.settings, self.engine, self.vault, self.tokens, self.now)

    def pipeline(self) -> Pipeline:
        """What handles mails that came in."""
        return Pipeline(
            engine=self.engine,
            vault=self.vault,
            tokens=self.tokens,
            own=self.settings.plain_address,
            senders=senders(self.settings),
            sent=Sent(self.scribe),
        )

    def delivery(self) -> Delivery:
        """What sends mails."""
        settings = self.settings
        relays = [Relay(settings.smtp_url, hostname=settings.mail_domain) for _ in range(_LINES)]
        lease = timedelta(seconds=settings.delivery_lease)
        return Delivery(
            engine=self.engine,
            scribe=self.scribe,
            lines=Lines(relays),
            lease=lease,
            give_up=timedelta(days=settings.give_up_days),
            domain_rate=settings.domain_rate,
            signer=self._signer(),
        )

    def _signer(self) -> Signer | None:
        """What signs outgoing mail, where there is a key; raises BadSettings for one that cannot be used."""
        if not self.settings.dkim_key:
            return None
        try:
            key = Path(self.settings.dkim_key).read_bytes()
            return Signer(self.settings.mail_domain, self.settings.dkim_selector, key)
        except (OSError, BadKey) as error:
            raise BadSettings(f"NABU_DKIM_KEY: {error}") from None


def open_office(settings: Settings, now: Callable[[], datetime] = utc_now) -> Office:
    """An office for these settings."""
    return Office(
        settings=settings,
        engine=connect(settings.database_url),
        vault=Vault(settings.secret_keys),
        tokens=Tokens(settings.secret_keys),
        logins=Logins(settings.secret_keys),
        now=now,
    )
