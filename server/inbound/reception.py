"""The reception of emails: it knows Nabu's addresses, and stores emails before it confirms their delivery."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from mail.addresses import same_mailbox, tagged
from mail.incoming.peers import within
from mail.incoming.receiving import Received
from mail.incoming.replies import MAX_RECIPIENTS
from mail.reading.reports import bounce_key
from server.inbound.storage_quotas import Budgets, check_disk, is_large
from server.settings import Settings
from server.store import inbox
from server.store.db import reading, wake, writing
from server.store.keys.check import are_all_named
from server.store.keys.sealing import Sealer
from server.store.tokens import TokenSigner

logger = logging.getLogger(__name__)

_NEVER = "550 5.1.1 This reply address was not issued by this server"
_LATER = "451 4.3.0 This reply address cannot be checked at the moment; please try again later"
_ADMINISTRATORS = ("postmaster", "abuse")
_AT_ONCE = 20_000_000
"""The most bytes stored in one transaction, unless one email is larger."""


@dataclass(frozen=True)
class Reception:
    """Stores incoming emails in the inbox, where the pipeline finds them."""

    settings: Settings
    engine: Engine
    sealer: Sealer
    tokens: TokenSigner
    now: Callable[[], datetime]
    wakes: bool
    """True if the process handles no emails itself, so that it wakes those that do."""

    def accepts(self, recipient: str) -> str | None:
        """Return None for an address of Nabu's, else the SMTP reply that refuses it."""
        name, tag, domain = tagged(recipient)
        settings = self.settings
        if domain == settings.mail_domain and name in _ADMINISTRATORS:
            return None
        if not same_mailbox(recipient, settings.plain_address):
            return "550 5.1.1 No such mailbox here"
        if tag and not self._is_signed(recipient, tag):
            return self._refusal()
        return None

    def _is_signed(self, recipient: str, tag: str) -> bool:
        """Return True if Nabu signed the tag of this reply address or return path."""
        tokens = self.tokens
        path = bounce_key(recipient, self.settings.plain_address)
        return tokens.read(tag) is not None or tokens.read_return(path) != ""

    def owns(self, recipient: str) -> bool:
        """Return True if an address is Nabu's, or may be while the database is out of reach.

        For ways in that cannot ask the sender to try again.
        """
        return not (self.accepts(recipient) or "").startswith("5")

    def _refusal(self) -> str:
        """Return the SMTP reply for an unsigned tag: a permanent refusal only if this process has all keys."""
        try:
            if are_all_named(self.engine, self.sealer):
                return _NEVER
            logger.error(
                "a reply address may belong to a key that this process does not know; restart the process"
            )
        except SQLAlchemyError as error:
            logger.error("could not check a reply address: %s", type(error).__name__)
        return _LATER

    def store(self, batch: Sequence[Received]) -> None:
        """Store emails durably, except those already stored.

        Raises NoRoom if a budget is used up or the disk is full. After an error some emails may be stored; all
        of them can be stored again.
        """
        daily = Budgets(self.sealer, self.tokens, self.settings.daily_mail_megabytes * 1_000_000)
        for mails in _parted(map(self._as_stored, batch)):
            check_disk(self.engine, mails)
            addressed = [inbox.address(self.tokens, mail) for mail in mails]
            if any(is_large(mail) for mail in mails):
                with reading(self.engine) as session:
                    daily.check(session, self.now(), addressed)
            sealed = [inbox.seal(self.sealer, mail) for mail in addressed]
            with writing(self.engine) as session:
                daily.charge(session, self.now(), sealed)
                inbox.store(session, self.sealer, self.tokens, self.now(), sealed)
                if self.wakes:
                    wake(session)

    def _as_stored(self, mail: Received) -> Received:
        """Return the email without duplicate recipients, and with only one of each kind that anyone can invent.

        If one of the installation's own mail servers delivered it, its peer is removed.
        """
        peer = "" if within(mail.peer, self.settings.own_peers) else mail.peer
        one_of: dict[tuple[str, ...], str] = {}
        for recipient in mail.recipients:
            one_of.setdefault(self._sort(recipient), recipient)
        if len(one_of) > MAX_RECIPIENTS:
            logger.warning(
                "an email has %s recipients here; only the first %s count",
                len(one_of),
                MAX_RECIPIENTS,
            )
        return replace(mail, peer=peer, recipients=tuple(one_of.values())[:MAX_RECIPIENTS])

    def _sort(self, recipient: str) -> tuple[str, ...]:
        """Return the key that addresses share when an email is stored for only one of them."""
        plain = self.settings.plain_address
        if not same_mailbox(recipient, plain):
            return ("administrators",)
        return ("bounces",) if bounce_key(recipient, plain) else tagged(recipient)


def _parted(mails: Iterable[Received]) -> Iterator[list[Received]]:
    """Split emails into portions small enough that storing one blocks other writers only briefly."""
    part: list[Received] = []
    size = 0
    for mail in mails:
        added = len(mail.content) * len(mail.recipients)
        if part and size + added > _AT_ONCE:
            yield part
            part, size = [], 0
        part.append(mail)
        size += added
    if part:
        yield part
