"""What all ways in share: which addresses are ours, and that mail is stored before anybody is told so."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy.exc import SQLAlchemyError

from mail.addresses import same_mailbox, tagged
from mail.peers import within
from mail.receiving import Received
from mail.reports import bounce_key
from server import inbox
from server.db import writing
from server.keys import are_all_named
from server.office import Office

logger = logging.getLogger(__name__)

_NEVER = "550 5.1.1 This reply address is not one of ours"
_LATER = "451 4.3.0 This reply address cannot be looked at now; please try again later"
_OPERATORS = ("postmaster", "abuse")


@dataclass(frozen=True)
class Reception:
    """Takes mail for an office; whoever handles it finds it in the inbox."""

    office: Office

    def accepts(self, recipient: str) -> str | None:
        """None for an address of ours, else the reply that a mail server gives."""
        name, tag, domain = tagged(recipient)
        settings = self.office.settings
        if domain == settings.mail_domain and name in _OPERATORS:
            return None
        if not same_mailbox(recipient, settings.plain_address):
            return "550 5.1.1 There is nobody of this name here"
        if tag and self.office.tokens.read(tag) is None and not bounce_key(recipient, settings.plain_address):
            return self._refusal()
        return None

    def owns(self, recipient: str) -> bool:
        """Whether an address is one of ours, or may be: who cannot be told to try again is heard."""
        return not (self.accepts(recipient) or "").startswith("5")

    def _refusal(self) -> str:
        """What is said to a reply address that no key wrote: "never" only where no key can be missing."""
        try:
            if are_all_named(self.office.engine, self.office.vault):
                return _NEVER
            logger.error(
                "a reply address may be of a key that this process was not told; it has to be restarted"
            )
        except SQLAlchemyError as error:
            logger.error("a reply address could not be looked at: %s", type(error).__name__)
        return _LATER

    def store(self, batch: Sequence[Received]) -> None:
        """Store mails durably, all or none; those that are stored already are left as they are."""
        office = self.office
        with writing(office.engine) as session:
            inbox.store(session, office.vault, office.tokens, office.now(), [*map(self._without_ours, batch)])

    def _without_ours(self, mail: Received) -> Received:
        """The mail; a mail server of ours, which hands over what others wrote, is nobody's place."""
        return replace(mail, peer="") if within(mail.peer, self.office.settings.own_peers) else mail
