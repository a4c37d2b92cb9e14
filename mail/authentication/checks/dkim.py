"""The domains that have signed an email (DKIM, RFC 6376)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from mail.authentication.checks.dns import Lookup, LookupFailed
from mail.authentication.checks.signatures import BadSignature, check_mail, tags
from mail.authentication.checks.wire import Wire
from mail.fields import Field

_MOST_SIGNATURES = 8
_NEEDED = ("v", "a", "b", "bh", "d", "h", "s")
_TIME = re.compile(r"\d{1,12}")
_SLACK = timedelta(hours=10)  # tolerance for wrong clocks


def signers(wire: Wire, lookup: Lookup, now: datetime) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the domains that signed the email as it is now, and those whose keys were unavailable.

    Only the topmost eight signatures are checked.
    """
    domains: dict[str, None] = {}
    unanswered: dict[str, None] = {}
    for field in wire.named("dkim-signature")[:_MOST_SIGNATURES]:
        try:
            domains[signer(wire, field, lookup, now)] = None
        except BadSignature:
            continue
        except LookupFailed:
            unanswered[tags(field.value)["d"].lower()] = None
    return tuple(domains), tuple(unanswered)


def signer(wire: Wire, field: Field, lookup: Lookup, now: datetime) -> str:
    """Return the domain that made this signature. Raises BadSignature or LookupFailed."""
    given = tags(field.value)
    _check_tags(given, now)
    names = covered(given)
    if "from" not in names:
        raise BadSignature("It does not cover the sender.")
    check_mail(wire, field, names, lookup, "simple/simple")
    return given["d"].lower()


def covered(given: Mapping[str, str]) -> list[str]:
    """Return the names of the fields that a signature covers, in its order."""
    return [name.strip().lower() for name in given["h"].split(":")]


def _check_tags(given: Mapping[str, str], now: datetime) -> None:
    if any(not given.get(name) for name in _NEEDED) or given["v"] != "1":
        raise BadSignature("A required tag is missing or wrong.")
    if "l" in given:
        # Anyone may have written the text after the signed length.
        raise BadSignature("It covers only the beginning of the email.")
    domain = given["d"].lower()
    agent = given.get("i", "@" + domain).lower()
    if not agent.endswith(("@" + domain, "." + domain)) or "@" not in agent:
        raise BadSignature("It speaks for another domain.")
    if given.get("q", "dns/txt") != "dns/txt":
        raise BadSignature("Its key is not in the DNS.")
    signed, expires = _time(given.get("t", "0")), _time(given.get("x", "999999999999"))
    if signed > (now + _SLACK).timestamp() or expires < (now - _SLACK).timestamp() or expires < signed:
        raise BadSignature("It is not valid at this time.")


def _time(text: str) -> int:
    if not _TIME.fullmatch(text):
        raise BadSignature("Its time is not a time.")
    return int(text)
