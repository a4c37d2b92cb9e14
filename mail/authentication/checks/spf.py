"""The check whether a computer may send email for a domain (SPF, RFC 7208)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal, cast

from mail.authentication.checks.dns import Lookup, LookupFailed
from mail.authentication.checks.spf_record import Mechanism, SpfRecord, Wrong, expand, parse

SpfResult = Literal["pass", "fail", "softfail", "neutral", "none", "temperror", "permerror"]

_MOST_TERMS = 10  # terms that ask the DNS
_MOST_EMPTY = 2  # answers without a record
_MOST_NAMES = 10
_RECORD = re.compile(r"v=spf1(?: |\Z)", re.IGNORECASE)
_DOMAIN = re.compile(r"(?=.{1,253}\Z)(?:[^.]{1,63}\.)+[^.]{1,63}", re.DOTALL)


def check(peer: str, mail_from: str, helo: str, lookup: Lookup) -> SpfResult:
    """Return the SPF result for an email from `mail_from` that came from the IP address `peer`.

    The record of its domain is checked. If `mail_from` is "" (a bounce), the domain is `helo`, the name with
    which the sending server introduced itself. The result is "none" if there is nothing to check.
    """
    local, _, domain = mail_from.rpartition("@")
    try:
        address = ip_address(peer)
    except ValueError:
        return "none"
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    question = _Question(address, local or "postmaster", domain or helo, helo, lookup)
    try:
        return question.answer(domain or helo)
    except Wrong:
        return "permerror"
    except LookupFailed:
        return "temperror"


class _Question:
    """One address and one sender; it counts the lookups."""

    def __init__(
        self, address: IPv4Address | IPv6Address, local: str, domain: str, helo: str, lookup: Lookup
    ) -> None:
        self._address = address
        self._local, self._domain, self._helo = local, domain, helo
        self._lookup = lookup
        self._terms = self._empty = 0

    def answer(self, domain: str) -> SpfResult:
        """Return the result by the record of `domain`. Raises Wrong or LookupFailed."""
        record = self._record(domain)
        if record is None:
            return "none"
        for mechanism in record.mechanisms:
            if self._matches(mechanism, domain):
                return cast(SpfResult, mechanism.result)
        if not record.redirect:
            return "neutral"
        self._count()
        outcome = self.answer(self._expanded(record.redirect, domain))
        if outcome == "none":
            raise Wrong("It redirects to a domain without a record.")
        return outcome

    def _record(self, domain: str) -> SpfRecord | None:
        if not _DOMAIN.fullmatch(domain.removesuffix(".")):
            return None
        texts = [text for text in self._lookup(domain, "TXT") if _RECORD.match(text)]
        if len(texts) > 1:
            raise Wrong("There are several records.")
        return parse(texts[0][len("v=spf1") :]) if texts else None

    def _matches(self, mechanism: Mechanism, domain: str) -> bool:
        if mechanism.network is not None:
            return self._address in mechanism.network
        if mechanism.kind == "all":
            return True
        self._count()
        target = self._expanded(mechanism.domain, domain) if mechanism.domain else domain
        match mechanism.kind:
            case "include":
                outcome = self.answer(target)
                if outcome == "none":
                    raise Wrong("It includes a domain without a record.")
                return outcome == "pass"
            case "a":
                return self._among(self._ask(target, self._kind), mechanism)
            case "mx":
                return any(self._among(found, mechanism) for found in self._exchanges(target))
            case "ptr":
                return any(_within(name, target) for name in self._names())
            case _:
                return bool(self._ask(target, "A"))

    @property
    def _kind(self) -> str:
        return "A" if self._address.version == 4 else "AAAA"

    def _count(self) -> None:
        self._terms += 1
        if self._terms > _MOST_TERMS:
            raise Wrong("It takes too many lookups.")

    def _ask(self, name: str, kind: str) -> Sequence[str]:
        found = self._lookup(name, kind) if _DOMAIN.fullmatch(name.removesuffix(".")) else ()
        if not found:
            self._empty += 1
        if self._empty > _MOST_EMPTY:
            raise Wrong("It asks for too many records that do not exist.")
        return found

    def _among(self, addresses: Sequence[str], mechanism: Mechanism) -> bool:
        bits = mechanism.bits4 if self._address.version == 4 else mechanism.bits6
        return any(self._address in ip_network(f"{each}/{bits}", strict=False) for each in addresses)

    def _exchanges(self, domain: str) -> Iterator[Sequence[str]]:
        """Yield the addresses of each mail exchanger."""
        names = self._ask(domain, "MX")
        if len(names) > _MOST_NAMES:
            raise Wrong("It has too many mail exchangers.")
        for name in names:
            yield self._ask(name, self._kind)

    def _names(self) -> Iterator[str]:
        """Yield the names of the address that lead back to it."""
        try:
            names = self._ask(self._address.reverse_pointer, "PTR")
        except LookupFailed:
            return
        for name in names[:_MOST_NAMES]:
            try:
                if self._address in map(ip_address, self._lookup(name, self._kind)):
                    yield name
            except LookupFailed:
                continue

    def _expanded(self, text: str, domain: str) -> str:
        return expand(text, lambda letter: self._value(letter, domain))

    def _value(self, letter: str, domain: str) -> str:
        match letter:
            case "s":
                return f"{self._local}@{self._domain}"
            case "l":
                return self._local
            case "o":
                return self._domain
            case "d":
                return domain
            case "i":
                return _dotted(self._address)
            case "p":
                names = sorted(self._names(), key=lambda name: (name != domain, not _within(name, domain)))
                return names[0] if names else "unknown"
            case "h":
                return self._helo
            case _:
                return "in-addr" if self._address.version == 4 else "ip6"


def _within(name: str, domain: str) -> bool:
    return f".{name}".lower().endswith(f".{domain}".lower())


def _dotted(address: IPv4Address | IPv6Address) -> str:
    return str(address) if address.version == 4 else ".".join(address.exploded.replace(":", ""))
