"""The trust in the sender of an email, by what our mail servers wrote, or checked here."""

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
    """Checks the senders of mails.

    Without `lookup`, unless someone else has checked, the verdict is "none"; with `believing` it is then
    "pass": everyone is who they say. `own` is where our own mail servers are.
    """

    trust: Trust
    lookup: Lookup | None
    believing: bool = False
    own: Networks = ()

    def check(self, raw: bytes, author: Author, row: Inbox, now: datetime) -> Verdict:
        """The verdict on an email, whether it is from its author.

        What came by SMTP straight from outside, or was posted by a provider, has no field from a mail server of
        ours on top: there all such fields are the sender's.
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
                verdict, dmarc="pass", why="Nobody has checked it, and everybody is believed.", proved=proved
            )
        return verdict


def senders(settings: Settings) -> Senders:
    """The checks that the settings ask for."""
    trust = Trust(_names(settings.authserv_ids), _names(settings.arc_sealers))
    lookup = Resolver() if settings.checks_senders else None
    return Senders(trust, lookup, settings.believes_senders, settings.own_peers)


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in text.split(",") if name.strip())


class SenderTrust(Enum):
    """The evidence that an email is from the address in From."""

    DENIED = "its domain says that it is not, or nobody could tell"
    UNKNOWN = "nothing"
    ADDRESSED = "nothing but the address to which it was written, which was mailed to them alone"
    VOUCHED = "its domain"

    @property
    def doubtful(self) -> bool:
        """True if the sender is unverified."""
        return self in (SenderTrust.DENIED, SenderTrust.UNKNOWN)


_ENOUGH = {SenderTrust.UNKNOWN: {Effect.READS}, SenderTrust.ADDRESSED: {Effect.READS, Effect.PLAYS}}
"""The effects that commands may have then: all if the domain vouches for the sender, none if it denies."""


def trust_in(verdict: Verdict, *, knows_address: bool, acted_on: Collection[Share] = ()) -> SenderTrust:
    """Return the trust in a sender; `knows_address` says that the email came to a reply address of ours.

    A Message-ID that it answers is worth less than the address: a forward repeats it, and so does whoever
    answers all. `acted_on` is what decides, besides the text, what is done: that must be the sender's, too.
    """
    if verdict.dmarc not in ("pass", "none"):
        return SenderTrust.DENIED
    if verdict.vouched and verdict.proved.issuperset(acted_on):
        return SenderTrust.VOUCHED
    return SenderTrust.ADDRESSED if knows_address else SenderTrust.UNKNOWN


def is_enough(trust: SenderTrust, commands: Iterable[Command], *, sealed: bool = False) -> bool:
    """Return True if commands may be carried out without asking the player whether they wrote them.

    `sealed` says that the player's orders for this turn are sealed already: other orders would replace them.
    """
    if trust in (SenderTrust.VOUCHED, SenderTrust.DENIED):
        return trust is SenderTrust.VOUCHED
    return all(_effect(command, sealed=sealed) in _ENOUGH[trust] for command in commands)


def _effect(command: Command, *, sealed: bool) -> Effect:
    return Effect.CHANGES if sealed and command.word.is_of_moves else command.word.effect
