"""Who sent a mail: what a mail server of ours wrote down about it, or what can be checked here."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from mail.addresses import BadAddress, normalise
from mail.author import Author
from mail.checks import arc, dkim, dmarc, results, spf
from mail.checks.dns import Budget, Lookup, LookupFailed
from mail.checks.results import Results
from mail.checks.signatures import BadSignature
from mail.checks.wire import Malformed, Wire, parse

Outcome = Literal["pass", "fail", "none", "temperror"]

# Fields that no mail server puts on top.
_WRITTEN_BY_SENDERS = ("from", "to", "subject", "date", "mime-version", "content-type")
_STATED: dict[str, Outcome] = {"pass": "pass", "fail": "fail", "temperror": "temperror"}


@dataclass(frozen=True)
class Trust:
    """Whose word counts; all in lower case.

    `servers` are the names (authserv-id) by which our own mail servers sign what they found. Such a server must
    check every mail, and take away fields that bear its name from mail that comes in. `sealers` are the domains
    of servers that pass mail on and whose seals (ARC) we believe.
    """

    servers: frozenset[str] = frozenset()
    sealers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Verdict:
    """What is known of a mail's sender; all of it is about `domain`, that of the one address in From.

    `dmarc` is "pass" when the domain itself vouches for the mail, "fail" when it does not although it says how
    its mail is to be known, "none" when it does not say, "temperror" when asking later may tell. `dkim_domains`
    have signed the mail; `spf_domain` may send from where it came, "" where that did not matter. `arc` tells of
    the seals of those who passed it on, "none" where they did not matter. `why` is a sentence for the log.
    """

    dmarc: Outcome
    domain: str
    dkim_domains: tuple[str, ...] = ()
    spf_domain: str = ""
    arc: Literal["pass", "fail", "none"] = "none"
    why: str = ""


def authenticate(
    raw: bytes,
    author: Author,
    *,
    now: datetime,
    trust: Trust = Trust(),
    lookup: Lookup | None = None,
    peer: str = "",
    mail_from: str = "",
    told: str = "",
) -> Verdict:
    """Tell whether a mail is from its `author`; never raises.

    It takes no more than 60 lookups, none begun after 20 seconds.
    `lookup` asks the DNS; without it only what a server in `trust` wrote down counts. `peer` is the IP address
    from which the mail came, but "" where it is that of a mail server of ours: that one may send for us. `told`
    is what a server of ours says beside the mail, written as in the field; then no field in the mail counts.
    """
    domain = author.domain
    if not domain:
        return Verdict("fail", "", why=author.why)
    try:
        wire = parse(raw)
        stated = results.parse(told) if told else _stated(wire, trust)
    except Malformed as error:
        return Verdict("fail", "", why=str(error))
    whole = not _signed_in_part(wire)
    verdict = _told(stated, domain, whole)
    if lookup is None:
        return verdict or Verdict("none", domain, why="No server of ours has checked it.")
    lookup = Budget(lookup)
    if verdict is None or not whole:
        came_from = _Origin(peer, mail_from, now)
        verdict = _checked(wire, domain, stated if whole else None, came_from, lookup)
    if verdict.dmarc in ("fail", "temperror") and whole and trust.sealers:
        return _passed_on(wire, verdict, trust, lookup)
    return verdict


@dataclass(frozen=True)
class _Origin:
    """Where and when a mail came in."""

    peer: str
    mail_from: str
    now: datetime


def _ascii(domain: str) -> str:
    """The domain in the form in which domains are compared."""
    try:
        return normalise(f"x@{domain}").rpartition("@")[2]
    except BadAddress:
        return domain.lower()


def _stated(wire: Wire, trust: Trust) -> Results | None:
    """What a mail server of ours wrote down: the topmost field that bears its name. Raises Malformed.

    Servers put such fields on top of all that the sender wrote; a forged one can only stand below.
    """
    for field in wire.fields:
        if field.name in _WRITTEN_BY_SENDERS:
            return None
        if field.name == "authentication-results" and results.server_of(field.value) in trust.servers:
            return results.parse(field.value)
    return None


def _signed_in_part(wire: Wire) -> bool:
    """Whether a signature covers only the beginning: servers let it pass, whoever wrote what follows."""
    return any(re.search(r";\s*l\s*=", ";" + field.value) for field in wire.named("dkim-signature"))


def _told(stated: Results | None, domain: str, whole: bool) -> Verdict | None:
    """The verdict of a mail server of ours, None where it gave none."""
    if stated is None or not stated.of("dmarc"):
        return None
    outcomes = {_STATED.get(result.value, "none") for result in stated.of("dmarc")}
    domains = {_ascii(result.properties.get("header.from", domain)) for result in stated.of("dmarc")}
    found = Verdict("fail", domain, _signers(stated), _envelope_sender(stated))
    if len(outcomes) > 1 or domains != {domain}:
        return replace(found, why=f"{stated.server} speaks of another sender.")
    if outcomes == {"pass"} and not whole:
        return replace(found, why="It is signed in part only.")
    return replace(found, dmarc=outcomes.pop(), why=f"{stated.server} says so.")


def _checked(wire: Wire, domain: str, stated: Results | None, origin: _Origin, lookup: Lookup) -> Verdict:
    """The verdict that is found here, with the help of what a server of ours found about signatures.

    The domain in From is asked first, and others only as far as they matter: so nobody can use up, with domains
    of his own, the lookups that show him to be a forger.
    """
    temporary = Verdict("temperror", domain, why="The DNS did not answer.")
    try:
        policy = dmarc.policy(domain, lookup)
    except LookupFailed:
        return temporary
    signers, unanswered = dkim.signers(wire, lookup, origin.now) if stated is None else (_signers(stated), ())
    found = Verdict("fail", domain, signers, why=f"{domain} does not vouch for it.")
    if policy is None:
        return replace(found, dmarc="none", why=f"{domain} does not say how its mail is to be known.")
    try:
        if dmarc.aligned(domain, signers, policy.strict_dkim, lookup):
            return replace(found, dmarc="pass", why=f"{domain} has signed it.")
        sender = _allowed(domain, policy, origin, lookup) if stated is None else _envelope_sender(stated)
        if sender and dmarc.aligned(domain, [sender], policy.strict_spf, lookup):
            why = f"{domain} may send from where it came."
            return replace(found, dmarc="pass", spf_domain=sender, why=why)
        if any(dmarc.may_align(domain, each, policy.strict_dkim, lookup) for each in unanswered):
            return replace(temporary, dkim_domains=signers)
    except LookupFailed:
        return replace(temporary, dkim_domains=signers)
    return found


def _allowed(domain: str, policy: dmarc.Policy, origin: _Origin, lookup: Lookup) -> str:
    """The sender's domain if it matters and may send from where the mail came, else "". Raises LookupFailed."""
    sender = _ascii(origin.mail_from.rpartition("@")[2])
    if not sender or not dmarc.may_align(domain, sender, policy.strict_spf, lookup):
        return ""
    outcome = spf.check(origin.peer, origin.mail_from, "", lookup)
    if outcome == "temperror":
        raise LookupFailed(f"{sender} SPF")
    return sender if outcome == "pass" else ""


def _passed_on(wire: Wire, verdict: Verdict, trust: Trust, lookup: Lookup) -> Verdict:
    """A mail that was changed on its way is as good as what the first server found, if all on the way are."""
    try:
        first = arc.first_results(wire, trust.sealers, lookup)
    except (BadSignature, Malformed, LookupFailed) as error:
        return replace(verdict, arc="fail", why=f"{verdict.why} {error}")
    if first is None:
        return verdict
    told = _told(first, verdict.domain, whole=True)
    if told is None or told.dmarc != "pass":
        return replace(verdict, arc="pass")
    return replace(verdict, dmarc="pass", arc="pass", why=f"{first.server} passed it on and says so.")


def _signers(stated: Results) -> tuple[str, ...]:
    passed = [result.properties for result in stated.of("dkim") if result.value == "pass"]
    named = [each.get("header.d") or each.get("header.i", "").rpartition("@")[2] for each in passed]
    return tuple(dict.fromkeys(filter(None, named)))


def _envelope_sender(stated: Results) -> str:
    passed = (result.properties for result in stated.of("spf") if result.value == "pass")
    return next((each.get("smtp.mailfrom", "").rpartition("@")[2] for each in passed), "")
