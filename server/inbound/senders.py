"""Whether a mail is from whom it says: by what our mail servers wrote, or checked here."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import get_args

from mail.believing.authenticating import Trust, Verdict, authenticate
from mail.believing.checks.dns import Lookup, Resolver
from mail.believing.covering import Share
from mail.incoming.peers import Networks, within
from mail.reading.author import Author
from server.settings import Settings
from server.store.models import Inbox

_PROVIDERS = ("mailgun", "postmark", "sendgrid", "amazon")


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
        """The verdict on a mail, whether it is from its author.

        What came by SMTP straight from outside, or was posted by a provider, has no field from a mail server of
        ours on top: there all such fields are the sender's.
        """
        peer = row.peer if row.source == "smtp" and not within(row.peer, self.own) else ""
        unmarked = peer or row.source in _PROVIDERS
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
