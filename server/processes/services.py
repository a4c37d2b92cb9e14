"""The objects that one process uses, such as its database connection, built from the settings."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import Engine

from mail.outgoing.delivering import Relay, RelayConnections
from mail.outgoing.signing import BadKey, Signer
from server.accounts.login.links import Logins
from server.inbound.authorization.senders import senders
from server.inbound.pipeline import Pipeline
from server.inbound.reception import Reception
from server.outbound.delivery import Delivery
from server.outbound.letters.writer import Writer
from server.outbound.notifications.lanes import QUICK
from server.outbound.notifications.messenger import Messenger
from server.outbound.notifications.sender import Notices
from server.outbound.sent_texts import Sent
from server.settings import Settings
from server.settings.errors import unusable
from server.settings.loading import BadSettings
from server.store.database_health import Probe
from server.store.engines import connect
from server.store.keys.sealing import PushKeys, Sealer
from server.store.rollback import history
from server.store.tokens import TokenSigner

_LONGEST_SILENCE = 3
"""Days after which Nabu gives up a notification that a channel does not accept."""
LINES = 4
"""The number of connections to the relay, few enough for small providers."""


def utc_now() -> datetime:
    """Return the current time; all lower layers get the time as an argument."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Services:
    """Database, keys and clock of one process, and objects made from them."""

    settings: Settings
    engine: Engine
    sealer: Sealer
    push_keys: PushKeys
    tokens: TokenSigner
    logins: Logins
    now: Callable[[], datetime]

    @cached_property
    def writer(self) -> Writer:
        """The writer of emails, shared because creating one compiles all templates."""
        return Writer(self.settings, self.sealer, self.tokens, self.logins)

    @cached_property
    def probe(self) -> Probe:
        """The probe that shows whether the database can be written."""
        return Probe(self.engine)

    def close(self) -> None:
        """Close the database connections."""
        self.engine.dispose()

    def reception(self, *, wakes: bool = True) -> Reception:
        """Return the reception, which stores emails from all ways in; see `Reception` for `wakes`."""
        return Reception(self.settings, self.engine, self.sealer, self.tokens, self.now, wakes)

    def pipeline(self) -> Pipeline:
        """Return the pipeline, which handles stored emails."""
        return Pipeline(
            engine=self.engine,
            sealer=self.sealer,
            tokens=self.tokens,
            own=self.settings.plain_address,
            senders=senders(self.settings),
            sent=Sent(self.writer),
            teaches=self.settings.first_game,
        )

    def delivery(self) -> Delivery:
        """Return the delivery, which sends emails."""
        settings = self.settings
        relays = [Relay(settings.smtp_url, hostname=settings.mail_domain) for _ in range(LINES)]
        lease = timedelta(seconds=settings.delivery_lease)
        return Delivery(
            engine=self.engine,
            writer=self.writer,
            connections=RelayConnections(relays),
            lease=lease,
            give_up=timedelta(days=settings.give_up_days),
            domain_rate=settings.domain_rate,
            signer=self.signer(),
        )

    def notices(self) -> Notices:
        """Return the sender of notifications to other services and browsers."""
        settings = self.settings
        own = (urlsplit(settings.base_url).hostname or "", settings.mail_domain)
        return Notices(
            engine=self.engine,
            sealer=self.sealer,
            keys=self.push_keys,
            base_url=settings.base_url,
            contact=f"mailto:{settings.administrator or settings.plain_address}",
            send=Messenger(own=own, patience=QUICK),
            send_slowly=Messenger(own=own),
            give_up=timedelta(days=_LONGEST_SILENCE),
        )

    def signer(self) -> Signer | None:
        """Return the DKIM signer, None without a key. Raises BadSettings if the key cannot be used."""
        if not self.settings.dkim_key:
            return None
        try:
            key = Path(self.settings.dkim_key).read_bytes()
            return Signer(self.settings.mail_domain, self.settings.dkim_selector, key)
        except (OSError, BadKey) as error:
            raise BadSettings(unusable("dkim_key", self.settings.dkim_key, error)) from None


def open_services(
    settings: Settings, now: Callable[[], datetime] = utc_now, *, any_history: bool = False
) -> Services:
    """Return the services with these settings.

    They refuse a database that is older than the one this machine has used before, unless `any_history`.
    """
    engine = connect(settings.database_url)
    history.guard(engine, settings.history_file, forgets=any_history)
    return Services(
        settings=settings,
        engine=engine,
        sealer=Sealer(settings.secret_keys),
        push_keys=PushKeys(settings.secret_keys),
        tokens=TokenSigner(settings.secret_keys),
        logins=Logins(settings.secret_keys),
        now=now,
    )
