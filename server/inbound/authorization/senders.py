"""Trust in the sender of an email, from the results of trusted mail servers or from Nabu's own checks."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import get_args

from mail.authentication.authenticating import Trust, Verdict, authenticate
from mail.authentication.checks.dns import Lookup, Resolver
from mail.authentication.signed_parts import Share
from mail.incoming.peers import Networks, within
from mail.incoming.webhooks.registry import PROVIDERS
from mail.reading.author import Author
from server.commands.parser import Command
from server.commands.word import Effect
from server.settings import Settings
from server.store.models import Inbox


@dataclass(frozen=True)
class Senders:
    """Checks whether emails are really from the address in From.

    `lookup` finds DNS records, and `trust` names the mail servers whose results count. Without both, every
    verdict is "none", or "pass" with `believing`. `own` are the networks of the installation's own mail
    servers.
    """

    trust: Trust
    lookup: Lookup | None
    believing: bool = False
    own: Networks = ()

    def check(self, raw: bytes, author: Author, row: Inbox, now: datetime) -> Verdict:
        """Return the verdict on the author of an email.

        If it came by SMTP directly from outside, or was posted by a provider, no trusted mail server has added
        fields: all `Authentication-Results` in it may be the sender's.
        """
        peer = row.peer if row.source == "smtp" and not within(row.peer, self.own) else ""
        unmarked = peer or row.source in PROVIDERS
        verdict = authenticate(
            raw,
            author,
            now=now,
            trust=replace(self.trust, servers=frozenset()) if unmarked else self.trust,
            lookup=self.lookup,
            peer=peer,
            mail_from=row.mail_from,
            told=row.results,
            recipient=row.recipient,
        )
        if self.believing and verdict.dmarc == "none":
            proved = frozenset(get_args(Share))
            return replace(
                verdict, dmarc="pass", why="Not checked: NABU_CHECK_SENDERS is false.", proved=proved
            )
        return verdict


def senders(settings: Settings) -> Senders:
    """Return the checks of senders with these settings."""
    trust = Trust(_names(settings.authserv_ids), _names(settings.arc_sealers))
    lookup = Resolver() if settings.checks_senders else None
    return Senders(trust, lookup, settings.believes_senders, settings.own_peers)


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in text.split(",") if name.strip())


class SenderTrust(Enum):
    """The evidence that an email is from the address in From."""

    DENIED = "the domain denies it, or the check failed"
    UNKNOWN = "no evidence"
    ADDRESSED = "only the recipient address, which was sent to them alone"
    VOUCHED = "the domain confirms it"

    @property
    def doubtful(self) -> bool:
        """True if the sender is unverified."""
        return self in (SenderTrust.DENIED, SenderTrust.UNKNOWN)


_ENOUGH = {SenderTrust.UNKNOWN: {Effect.READS}, SenderTrust.ADDRESSED: {Effect.READS, Effect.PLAYS}}
"""The effects that commands may have; all if the domain vouches for the sender, none if it denies."""


def trust_in(verdict: Verdict, *, knows_address: bool, acted_on: Collection[Share] = ()) -> SenderTrust:
    """Return the trust in a sender. `knows_address` is true if the email came to a signed reply address.

    The Message-ID that it answers proves less than the address, as forwards and replies to all repeat it.
    `acted_on` are the parts besides the text on which the handling depends; they must be proved, too.
    """
    if verdict.dmarc not in ("pass", "none"):
        return SenderTrust.DENIED
    if verdict.vouched and verdict.proved.issuperset(acted_on):
        return SenderTrust.VOUCHED
    return SenderTrust.ADDRESSED if knows_address else SenderTrust.UNKNOWN


def is_enough(trust: SenderTrust, commands: Iterable[Command], *, sealed: bool = False) -> bool:
    """Return True if commands may be carried out without asking the player whether they wrote them.

    `sealed` is true if the player has sealed orders for this turn, which other orders would replace.
    """
    if trust in (SenderTrust.VOUCHED, SenderTrust.DENIED):
        return trust is SenderTrust.VOUCHED
    return all(_effect(command, sealed=sealed) in _ENOUGH[trust] for command in commands)


def _effect(command: Command, *, sealed: bool) -> Effect:
    return Effect.CHANGES if sealed and command.word.is_of_moves else command.word.effect
