"""The verdict on the sender of an email, from a trusted mail server's results or from Nabu's own checks."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from mail.addresses import BadAddress, normalise
from mail.authentication import signed_parts
from mail.authentication.checks import arc, dkim, dmarc, results, spf
from mail.authentication.checks.dkim import BadSignature
from mail.authentication.checks.dns import Budget, Lookup, LookupFailed
from mail.authentication.checks.results import Results
from mail.authentication.checks.wire import Malformed, Wire, parse
from mail.authentication.signed_parts import Share
from mail.reading.author import Author

Outcome = Literal["pass", "fail", "none", "temperror"]

# Fields that mail servers do not put above the others.
_WRITTEN_BY_SENDERS = ("from", "to", "subject", "date", "mime-version", "content-type")
_NOT_FROM_THERE = "{} says that none of its emails come from there."
_STATED: dict[str, Outcome] = {"pass": "pass", "fail": "fail", "temperror": "temperror"}


@dataclass(frozen=True)
class Trust:
    """The servers that Nabu trusts; all names are in lower case.

    `servers` are the names (authserv-id) under which the administrator's own mail servers report their
    results. Such a server must check every email, and remove fields with its name from incoming emails.
    `sealers` are the domains of forwarding servers whose seals (ARC) count.
    """

    servers: frozenset[str] = frozenset()
    sealers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Verdict:
    """The verdict on whether an email is from the address in its From field; `domain` is that of the address.

    `dmarc` is "pass" if the domain itself confirms the email, "fail" if it does not although it publishes how
    to recognize its emails, "none" if it publishes nothing, "temperror" if a later check may help. `arc` is the
    result for the seals of forwarders, "none" if they did not matter. `why` is a sentence for the log. `proved`
    names the parts of the email that are certainly as the domain's servers sent them, with or without a policy.
    """

    dmarc: Outcome
    domain: str
    arc: Literal["pass", "fail", "none"] = "none"
    why: str = ""
    proved: frozenset[Share] = frozenset()

    @property
    def vouched(self) -> bool:
        """Return whether the domain has confirmed the sender, text, recipient and identity of the email."""
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
    """Return the verdict on whether `author` wrote an email; never raises.

    The check takes at most 60 lookups, and starts none after 20 seconds. `lookup` asks the DNS; without it only
    the results of a server in `trust` count. `peer` is the IP address that the email came from, or "" if that
    is one of the administrator's mail servers, which may send for Nabu. `told` are results that a trusted
    server gives separately from the email, written as in the field; then no field in the email counts.
    `recipient` is the address of Nabu at which the email arrived.
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
    verdict = _server_verdict(mail, stated, whole, named=not told)
    if lookup is None:
        return verdict or Verdict("none", mail.domain, why="No trusted server has checked it.")
    lookup = Budget(lookup)
    if verdict is None or not whole:
        verdict = _checked(mail, stated if whole else None, lookup)
    if verdict.dmarc in ("fail", "temperror") and whole and trust.sealers:
        return _forwarded(mail, verdict, trust, lookup)
    return verdict


@dataclass(frozen=True)
class _Mail:
    """An email, and where and when it arrived."""

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
        """Return the proved parts: all if it came `direct` from its sender's servers, else the signed ones."""
        if direct:
            return signed_parts.shares(self.wire, signed_parts.FIELDS, self.recipient)
        return self.covered(signed_parts.signed_fields(self.wire, self.domain) or frozenset())

    def covered(self, fields: frozenset[str]) -> frozenset[Share]:
        """Return the parts proved if these fields are signed; anyone with the email can resend it later."""
        shares = signed_parts.shares(self.wire, fields, self.recipient)
        return shares - {"once"} if signed_parts.is_old(self.wire, self.now) else shares


def _ascii(domain: str) -> str:
    """Return the domain in the form in which domains are compared."""
    try:
        return normalise(f"x@{domain}").rpartition("@")[2]
    except BadAddress:
        return domain.lower()


def _stated(wire: Wire, trust: Trust) -> Results | None:
    """Return the results of a trusted mail server: the topmost field with its name.

    Raises Malformed. Servers put such fields above all fields of the sender; a forged one can only be below.
    """
    for field in wire.fields:
        if field.name in _WRITTEN_BY_SENDERS:
            return None
        if field.name == "authentication-results" and results.server_of(field.value) in trust.servers:
            return results.parse(field.value)
    return None


def _signed_in_part(wire: Wire) -> bool:
    """Return whether a signature covers only the beginning: servers accept it with any text below."""
    return any(re.search(r";\s*l\s*=", ";" + field.value) for field in wire.named("dkim-signature"))


def _server_verdict(mail: _Mail, stated: Results | None, whole: bool, *, named: bool) -> Verdict | None:
    """Return the verdict of a trusted mail server, or None; if `named`, it must name the domain."""
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
    return _with_proof(mail, stated, replace(found, dmarc=outcomes.pop(), why=f"{stated.server} says so."))


def _with_proof(mail: _Mail, stated: Results, found: Verdict) -> Verdict:
    """Add the proved parts to the verdict of a server, and decide the case of a domain without a policy."""
    # Without the DNS, only a domain below the sender's certainly belongs to them.
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
    """Return Nabu's own verdict, using the results of a trusted server for signatures, if there are any.

    The domain in From is looked up first, and others only as far as they matter: so forgers cannot use up,
    with their own domains, the lookups that would expose them.
    """
    domain = mail.domain
    temporary = Verdict("temperror", domain, why="The DNS did not answer.")
    try:
        policy = dmarc.policy(domain, lookup)
    except LookupFailed:
        return temporary
    signers, unanswered = _signed_by(mail, stated, lookup)
    # Without a policy only the domain itself certainly belongs to its owner.
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
    return replace(good, why=f"{domain} does not say how to recognise its emails.")


def _signed_by(mail: _Mail, stated: Results | None, lookup: Lookup) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the same as `dkim.signers`, or the results of a trusted server."""
    return dkim.signers(mail.wire, lookup, mail.now) if stated is None else (_signers(stated), ())


@dataclass(frozen=True)
class _Path:
    """The SPF result for the sending computer; `domain` is the author's, if it may send from there."""

    domain: str = ""
    outcome: str = "none"


def _path(mail: _Mail, stated: Results | None, policy: dmarc.Policy | None, lookup: Lookup) -> _Path:
    """Return SPF as far as it matters: for senders in the author's domain, or without a policy only that
    domain.
    """
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


def _forwarded(mail: _Mail, verdict: Verdict, trust: Trust, lookup: Lookup) -> Verdict:
    """Return the verdict of the first server for an email changed on its way, if all forwarders are trusted."""
    try:
        first = arc.first_results(mail.wire, trust.sealers, lookup)
    except (BadSignature, Malformed, LookupFailed) as error:
        return replace(verdict, arc="fail", why=f"{verdict.why} {error}")
    if first is None:
        return verdict
    verdict_there = _server_verdict(mail, first, whole=True, named=True)
    if verdict_there is None or verdict_there.dmarc != "pass":
        return replace(verdict, arc="pass")
    why = f"{first.server} passed it on and says so."
    sealed = mail.covered(signed_parts.named_fields(mail.wire, arc.sealed(mail.wire)))
    return replace(verdict, dmarc="pass", arc="pass", why=why, proved=verdict_there.proved & sealed)


def _signers(stated: Results) -> tuple[str, ...]:
    passed = [result.properties for result in stated.of("dkim") if result.value == "pass"]
    named = [each.get("header.d") or each.get("header.i", "").rpartition("@")[2] for each in passed]
    return tuple(dict.fromkeys(filter(None, named)))


def _envelope_sender(stated: Results) -> str:
    passed = (result.properties for result in stated.of("spf") if result.value == "pass")
    return next((each.get("smtp.mailfrom", "").rpartition("@")[2] for each in passed), "")


def _refused(stated: Results) -> frozenset[str]:
    """Return the domains that may not send from the computer that the email came from."""
    failed = [result.properties for result in stated.of("spf") if result.value in ("fail", "hardfail")]
    return frozenset(each.get("smtp.mailfrom", "").rpartition("@")[2] for each in failed)
