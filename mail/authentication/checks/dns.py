"""Lookups in the domain name system, the only outside information that checks of a sender need."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import dns.exception
import dns.name
import dns.resolver

Lookup = Callable[[str, str], Sequence[str]]
"""`lookup(name, kind)` returns the records of a name, none if there is no such name or record.

`kind` is TXT (each record's strings joined), A, AAAA, MX (host names, the preferred one first) or PTR. Raises
LookupFailed if no server answered; a later lookup may succeed.
"""


class LookupFailed(Exception):
    """Raised if the name servers did not answer, or not in time."""


class Resolver:
    """Asks the name servers of this machine, or those with the given IP addresses.

    `timeout` is in seconds, for one lookup; answers are cached as long as they allow. Any thread may call it.
    """

    def __init__(self, *, timeout: float = 5.0, nameservers: Sequence[str] = (), port: int = 53) -> None:
        try:
            self._resolver = dns.resolver.Resolver(configure=not nameservers)
        except dns.resolver.NoResolverConfiguration:
            # Without a configuration ask this machine, as the C library does.
            self._resolver, nameservers = dns.resolver.Resolver(configure=False), ["127.0.0.1"]
        if nameservers:
            self._resolver.nameservers = list(nameservers)
        self._resolver.port = port
        self._resolver.lifetime = timeout
        self._resolver.cache = dns.resolver.LRUCache()

    def __call__(self, name: str, kind: str) -> Sequence[str]:
        try:
            question = dns.name.from_text(name)
        except (dns.exception.DNSException, UnicodeError):
            return ()  # nothing can have that name
        try:
            answer = self._resolver.resolve(question, kind, raise_on_no_answer=False)
        except dns.resolver.NXDOMAIN:
            return ()
        except (dns.exception.DNSException, OSError) as error:
            raise LookupFailed(f"{name} {kind}: {error}") from error
        return _texts(answer, kind)


class Budget:
    """Limits the lookups for one email: at most `lookups` questions and `seconds`, each question asked once."""

    def __init__(self, lookup: Lookup, *, lookups: int = 60, seconds: float = 20.0) -> None:
        self._lookup = lookup
        self._left = lookups
        self._deadline = time.monotonic() + seconds
        self._known: dict[tuple[str, str], Sequence[str] | LookupFailed] = {}

    def __call__(self, name: str, kind: str) -> Sequence[str]:
        question = name.lower().rstrip("."), kind
        if question not in self._known:
            self._known[question] = self._ask(*question)
        known = self._known[question]
        if isinstance(known, LookupFailed):
            raise known
        return known

    def _ask(self, name: str, kind: str) -> Sequence[str] | LookupFailed:
        if self._left == 0 or time.monotonic() > self._deadline:
            return LookupFailed(f"{name} {kind}: this email needs too many lookups")
        self._left -= 1
        try:
            return self._lookup(name, kind)
        except LookupFailed as failure:
            return failure


def _texts(records: Iterable[Any], kind: str) -> Sequence[str]:
    """Return the records, whose classes differ with their kind, as Lookup promises them."""
    match kind:
        case "TXT":
            return [b"".join(record.strings).decode("utf-8", "replace") for record in records]
        case "MX":
            preferred = sorted(records, key=lambda record: int(record.preference))
            return [record.exchange.to_text(omit_final_dot=True) for record in preferred]
        case "PTR":
            return [record.target.to_text(omit_final_dot=True) for record in records]
        case _:
            return [record.address for record in records]
