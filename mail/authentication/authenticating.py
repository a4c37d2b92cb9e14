"""Who sent a mail: what one of our mail servers wrote about it, or what can be checked here."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from mail.addresses import BadAddress, normalise
from mail.authentication import signed_parts
from mail.authentication.checks import arc, dkim, dmarc, results, spf
from mail.authentication.checks.dns import Budget, Lookup, LookupFailed
from mail.authentication.checks.results import Results
from mail.authentication.checks.signatures import BadSignature
from mail.authentication.checks.wire import Malformed, Wire, parse
from mail.authentication.signed_parts import Share
from mail.reading.author import Author

Outcome = Literal["pass", "fail", "none", "temperror"]

# Fields that no mail server puts on top.
_WRITTEN_BY_SENDERS = ("from", "to", "subject", "date", "mime-version", "content-type")
_NOT_FROM_THERE = "{} says that none of its mail comes from there."
_STATED: dict[str, Outcome] = {"pass": "pass", "fail": "fail", "temperror": "temperror"}


@dataclass(frozen=True)
class Trust:
    """Whose word counts; all in lower case.

    `servers` are the names (authserv-id) under which our own mail servers report what they found. Such a server
    must check every mail, and remove fields bearing its name from incoming mail. `sealers` are the domains of
    servers that pass mail on and whose seals (ARC) we believe.
    """

    servers: frozenset[str] = frozenset()
    sealers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Verdict:
    """What is known about a mail's sender; all of it concerns `domain`, that of the one address in From.

    `dmarc` is "pass" when the domain itself vouches for the mail, "fail" when it does not although it says how
    to recognise its mail, "none" when it does not say, "temperror" when asking later may help. `arc` is about
    the seals of those who passed the mail on, "none" if they did not matter. `why` is a sentence for the log.
    `proved` is what in the mail is certainly as the domain's servers sent it, with or without a policy.
    """

    dmarc: Outcome
    domain: str
    arc: Literal["pass", "fail", "none"] = "none"
    why: str = ""
    proved: frozenset[Share] = frozenset()

    @property
    def vouched(self) -> bool:
        """Whether it is certain who wrote the mail, what it says, that it is for us, and which mail it is."""
        return {"sender", "text", "recipient", "once"} <= self.proved


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
    recipient: str = "",
) -> Verdict:
    """Find out whether a mail is from its `author`; never raises.

    It takes no more than 60 lookups, none begun after 20 seconds. `lookup` asks the DNS; without it only what a
    server in `trust` wrote counts. `peer` is the IP address that the mail came from, or "" if that is one of
    our mail servers, which may send for us. `told` is what a server of ours says separately from the mail,
    written as in the field; then no field in the mail counts. `recipient` is the address of ours at which it
    came.
    """
    if not author.domain:
        return Verdict("fail", "", why=author.why)
    try:
        wire = parse(raw)
        stated = results.parse(told) if told else _stated(wire, trust)
    except Malformed as error:
        return Verdict("fail", "", why=str(error))
    mail = _Mail(wire, author, recipient, peer, mail_from, now)
    whole = not _signed_in_part(wire)
    verdict = _told(mail, stated, whole, named=not told)
    if lookup is None:
        return verdict or Verdict("none", mail.domain, why="No server of ours has checked it.")
    lookup = Budget(lookup)
    if verdict is None or not whole:
        verdict = _checked(mail, stated if whole else None, lookup)
    if verdict.dmarc in ("fail", "temperror") and whole and trust.sealers:
        return _passed_on(mail, verdict, trust, lookup)
    return verdict


@dataclass(frozen=True)
class _Mail:
    """A mail, and where and when it came in."""

    wire: Wire
    author: Author
    recipient: str
    peer: str
    mail_from: str
    now: datetime

    @property
    def domain(self) -> str:
        return self.author.domain

    def proved(self, *, direct: bool) -> frozenset[Share]:
        """What is proved of it: all if it came `direct` from its sender's servers, otherwise what is signed."""
        if direct:
            return signed_parts.shares(self.wire, signed_parts.FIELDS, self.recipient)
        return self.covered(signed_parts.signed_fields(self.wire, self.domain) or frozenset())

    def covered(self, fields: frozenset[str]) -> frozenset[Share]:
        """What is proved if these fields are signed; whoever has the mail can send it on, at any time."""
        shares = signed_parts.shares(self.wire, fields, self.recipient)
        return shares - {"once"} if signed_parts.is_old(self.wire, self.now) else shares


def _ascii(domain: str) -> str:
    """The domain in the form in which domains are compared."""
    try:
        return normalise(f"x@{domain}").rpartition("@")[2]
    except BadAddress:
        return domain.lower()


def _stated(wire: Wire, trust: Trust) -> Results | None:
    """What one of our mail servers wrote: the topmost field that bears its name.

    Raises Malformed. Servers put such fields above everything that the sender wrote; a forged one can only be
    below.
    """
    for field in wire.fields:
        if field.name in _WRITTEN_BY_SENDERS:
            return None
        if field.name == "authentication-results" and results.server_of(field.value) in trust.servers:
            return results.parse(field.value)
    return None


def _signed_in_part(wire: Wire) -> bool:
    """Whether a signature covers only the beginning: servers accept it, whoever wrote the rest."""
    return any(re.search(r";\s*l\s*=", ";" + field.value) for field in wire.named("dkim-signature"))


def _told(mail: _Mail, stated: Results | None, whole: bool, *, named: bool) -> Verdict | None:
    """The verdict of one of our mail servers, None if it gave none; with `named` it has to say about whom."""
    if stated is None or not stated.of("dmarc"):
        return None
    outcomes = {_STATED.get(result.value, "none") for result in stated.of("dmarc")}
    about = [result.properties.get("header.from", "") for result in stated.of("dmarc")]
    found = Verdict("fail", mail.domain)
    if len(outcomes) > 1 or not {_ascii(each) for each in about if each} <= {mail.domain}:
        return replace(found, why=f"{stated.server} speaks of another sender.")
    if outcomes == {"pass"} and not whole:
        return replace(found, why="It is only signed in part.")
    if outcomes == {"pass"} and named and not all(about):
        return None
    return _believed(mail, stated, replace(found, dmarc=outcomes.pop(), why=f"{stated.server} says so."))


def _believed(mail: _Mail, stated: Results, found: Verdict) -> Verdict:
    """The verdict with what it proves, and what follows if the domain has no policy."""
    # Without the DNS, only a domain below the sender's is certainly theirs.
    sent_by, signers = _envelope_sender(stated), _signers(stated)
    direct = bool(sent_by) and f".{sent_by}".endswith(f".{mail.domain}")
    if found.dmarc == "pass":
        signed = signed_parts.signed_fields(mail.wire, mail.domain) is not None
        signed = signed or any(signed_parts.speaks_for(each, mail.domain) for each in signers)
        return replace(found, proved=mail.proved(direct=direct or not signed))
    if found.dmarc != "none":
        return found
    if direct or mail.domain in signers:
        return replace(found, proved=mail.proved(direct=direct))
    if mail.domain in _refused(stated):
        return replace(found, dmarc="fail", why=_NOT_FROM_THERE.format(mail.domain))
    return found


def _checked(mail: _Mail, stated: Results | None, lookup: Lookup) -> Verdict:
    """The verdict that we reach ourselves, with the help of what a server of ours found about signatures.

    The domain in From is asked first, and others only as far as they matter: so forgers cannot use up, with
    domains of their own, the lookups that would expose them.
    """
    domain = mail.domain
    temporary = Verdict("temperror", domain, why="The DNS did not answer.")
    try:
        policy = dmarc.policy(domain, lookup)
    except LookupFailed:
        return temporary
    signers, unanswered = _signed_by(mail, stated, lookup)
    # Without a policy only the domain itself is known to be its owner's.
    rules = policy or dmarc.Policy(strict_dkim=True, strict_spf=True)
    good = Verdict("pass" if policy else "none", domain)
    try:
        signed = dmarc.aligned(domain, signers, rules.strict_dkim, lookup)
        proved = mail.proved(direct=False) if signed else frozenset[Share]()
        if signed and len(proved) == len(get_args(Share)):
            return replace(good, why=f"{domain} has signed it.", proved=proved)
        path = _path(mail, stated, policy, lookup)
        if path.domain:
            proved = mail.proved(direct=True)
        if signed:
            return replace(good, why=f"{domain} has signed it.", proved=proved)
        if path.domain:
            why = f"{domain} may send from where it came."
            return replace(good, why=why, proved=proved)
        unknown = policy is not None and path.outcome == "temperror"
        if unknown or any(dmarc.may_align(domain, each, rules.strict_dkim, lookup) for each in unanswered):
            return temporary
    except LookupFailed:
        return temporary
    if policy is not None:
        return replace(good, dmarc="fail", why=f"{domain} does not vouch for it.")
    if path.outcome == "fail":
        return replace(good, dmarc="fail", why=_NOT_FROM_THERE.format(domain))
    return replace(good, why=f"{domain} does not say how to recognise its mail.")


def _signed_by(mail: _Mail, stated: Results | None, lookup: Lookup) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Like `dkim.signers`, or what a server of ours found."""
    return dkim.signers(mail.wire, lookup, mail.now) if stated is None else (_signers(stated), ())


@dataclass(frozen=True)
class _Path:
    """What SPF says about where a mail came from; `domain` is the author's, if it may send from there."""

    domain: str = ""
    outcome: str = "none"


def _path(mail: _Mail, stated: Results | None, policy: dmarc.Policy | None, lookup: Lookup) -> _Path:
    """SPF as far as it matters: for senders in the author's domain, or without a policy only that domain."""
    strict = policy is None or policy.strict_spf
    if stated is not None:
        sender, outcome = _envelope_sender(stated), "fail" if mail.domain in _refused(stated) else "none"
    else:
        sender, outcome = _ascii(mail.mail_from.rpartition("@")[2]), "none"
    try:
        related = bool(sender) and dmarc.may_align(mail.domain, sender, strict, lookup)
        if stated is None and mail.peer and (related or policy is None):
            outcome = spf.check(mail.peer, mail.mail_from if related else mail.author.address, "", lookup)
        passed = stated is not None or outcome == "pass"
        if related and passed and dmarc.aligned(mail.domain, [sender], strict, lookup):
            return _Path(sender, "pass")
    except LookupFailed:
        return _Path(outcome="temperror")
    return _Path(outcome=outcome)


def _passed_on(mail: _Mail, verdict: Verdict, trust: Trust, lookup: Lookup) -> Verdict:
    """A mail changed on its way is as good as the first server found it, if we trust all on the way."""
    try:
        first = arc.first_results(mail.wire, trust.sealers, lookup)
    except (BadSignature, Malformed, LookupFailed) as error:
        return replace(verdict, arc="fail", why=f"{verdict.why} {error}")
    if first is None:
        return verdict
    told = _told(mail, first, whole=True, named=True)
    if told is None or told.dmarc != "pass":
        return replace(verdict, arc="pass")
    why = f"{first.server} passed it on and says so."
    sealed = mail.covered(signed_parts.named_fields(mail.wire, arc.sealed(mail.wire)))
    return replace(verdict, dmarc="pass", arc="pass", why=why, proved=told.proved & sealed)


def _signers(stated: Results) -> tuple[str, ...]:
    passed = [result.properties for result in stated.of("dkim") if result.value == "pass"]
    named = [each.get("header.d") or each.get("header.i", "").rpartition("@")[2] for each in passed]
    return tuple(dict.fromkeys(filter(None, named)))


def _envelope_sender(stated: Results) -> str:
    passed = (result.properties for result in stated.of("spf") if result.value == "pass")
    return next((each.get("smtp.mailfrom", "").rpartition("@")[2] for each in passed), "")


def _refused(stated: Results) -> frozenset[str]:
    """The domains that may not send from where the mail came."""
    failed = [result.properties for result in stated.of("spf") if result.value in ("fail", "hardfail")]
    return frozenset(each.get("smtp.mailfrom", "").rpartition("@")[2] for each in failed)
