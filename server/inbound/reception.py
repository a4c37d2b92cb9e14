"""Shared by all ways in: our addresses, and storing an email before its delivery is confirmed."""

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
from server.store.db import reading, writing
from server.store.keys.check import are_all_named
from server.store.keys.sealing import Sealer
from server.store.tokens import TokenSigner

logger = logging.getLogger(__name__)

_NEVER = "550 5.1.1 This reply address is not one of ours"
_LATER = "451 4.3.0 This reply address cannot be checked at the moment; please try again later"
_ADMINISTRATORS = ("postmaster", "abuse")
_AT_ONCE = 20_000_000
"""Bytes that are stored in one transaction, unless one email is larger."""


@dataclass(frozen=True)
class Reception:
    """Puts incoming mail into the inbox, where the pipeline finds it."""

    settings: Settings
    engine: Engine
    sealer: Sealer
    tokens: TokenSigner
    now: Callable[[], datetime]

    def accepts(self, recipient: str) -> str | None:
        """None for an address of ours, otherwise the reply that a mail server gives."""
        name, tag, domain = tagged(recipient)
        settings = self.settings
        if domain == settings.mail_domain and name in _ADMINISTRATORS:
            return None
        if not same_mailbox(recipient, settings.plain_address):
            return "550 5.1.1 There is nobody of that name here"
        if tag and not self._is_signed(recipient, tag):
            return self._refusal()
        return None

    def _is_signed(self, recipient: str, tag: str) -> bool:
        """Return True if a key of ours wrote the tag: of a reply address, or of a return path."""
        tokens = self.tokens
        path = bounce_key(recipient, self.settings.plain_address)
        return tokens.read(tag) is not None or tokens.read_return(path) != ""

    def owns(self, recipient: str) -> bool:
        """Return True if an address is ours, or may be: not every sender can be asked to try again."""
        return not (self.accepts(recipient) or "").startswith("5")

    def _refusal(self) -> str:
        """The reply for a reply address that no key wrote: "never" only if no key can be missing."""
        try:
            if are_all_named(self.engine, self.sealer):
                return _NEVER
            logger.error(
                "a reply address may belong to a key that this process does not know; it has to be restarted"
            )
        except SQLAlchemyError as error:
            logger.error("a reply address could not be checked: %s", type(error).__name__)
        return _LATER

    def store(self, batch: Sequence[Received]) -> None:
        """Store emails durably; those already stored are left as they are.

        If it raises, some may be stored; then all of them can be brought again. Raises NoRoom for mail that no
        budget or disk has room for now.
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
                inbox.store_sealed(session, self.sealer, self.tokens, self.now(), sealed)

    def _as_stored(self, mail: Received) -> Received:
        """The mail, to each recipient once; of addresses that anyone can make up, one of each sort counts.

        A mail server of ours, which hands over what others wrote, is nobody's place.
        """
        peer = "" if within(mail.peer, self.settings.own_peers) else mail.peer
        one_of: dict[tuple[str, ...], str] = {}
        for recipient in mail.recipients:
            one_of.setdefault(self._sort(recipient), recipient)
        if len(one_of) > MAX_RECIPIENTS:
            logger.warning(
                "a mail was addressed to %s of our addresses; only the first %s count",
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
    """The emails in portions that can be stored without making anyone wait for long."""
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
