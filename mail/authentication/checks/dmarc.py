"""The requirements of a domain's owner for emails with its name (DMARC, RFC 9989)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mail.authentication.checks.dns import Lookup

_MOST_STEPS = 8
_POLICY = re.compile(r"v\s*=\s*DMARC1\s*(?:;|\Z)")


@dataclass(frozen=True)
class Policy:
    """The policy of a domain: how strictly the domains found by DKIM and SPF must match the one in From."""

    strict_dkim: bool
    strict_spf: bool


def policy(domain: str, lookup: Lookup) -> Policy | None:
    """Return the policy for emails from `domain`, None if its owner published none. Raises LookupFailed."""
    found = dict(_walk(domain, lookup))
    if not found:
        return None
    # The domain's own, or its organisation's, or that of the registry above.
    names = (domain, _organisation(domain, found), next(reversed(found)))
    record = next(found[name] for name in names if name in found)
    return Policy(record.get("adkim") == "s", record.get("aspf") == "s")


def aligned(domain: str, found: Iterable[str], strict: bool, lookup: Lookup) -> bool:
    """Return whether one of the domains in `found` is `domain` or, unless `strict`, of the same organisation.

    Raises LookupFailed. The DNS is not asked about domains that cannot match: they may be a forger's, and slow.
    """
    found = {each for each in found if may_align(domain, each, strict, lookup)}
    if domain in found or not found:
        return bool(found)
    organisation = organisational_domain(domain, lookup)
    return any(organisational_domain(each, lookup) == organisation for each in sorted(found))


def may_align(domain: str, other: str, strict: bool, lookup: Lookup) -> bool:
    """Return whether `other` may belong to the organisation of `domain`, by its name. Raises LookupFailed."""
    if other == domain or strict:
        return other == domain
    return f".{other}".endswith(f".{organisational_domain(domain, lookup)}")


def organisational_domain(domain: str, lookup: Lookup) -> str:
    """Return the topmost domain with the same owner, judging by published policies. Raises LookupFailed."""
    return _organisation(domain, dict(_walk(domain, lookup)))


def _organisation(domain: str, found: Mapping[str, Mapping[str, str]]) -> str:
    """Return the organisation's domain, given the policies from `domain` upwards, the longest name first."""
    for name, record in found.items():
        if record.get("psd") == "n":
            return name
        if record.get("psd") == "y" and name != domain:
            # A registry: each name one level below it belongs to one owner.
            labels = domain.split(".")
            return ".".join(labels[-name.count(".") - 2 :])
    return min(found, key=lambda name: name.count("."), default=domain)


def _walk(domain: str, lookup: Lookup) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the policies at `domain` and above it, at most eight steps up."""
    labels = domain.split(".")
    while labels:
        name = ".".join(labels)
        record = _record(name, lookup)
        if record is not None:
            yield name, record
            if record.get("psd") in ("y", "n"):
                return
        labels = labels[1:] if len(labels) <= _MOST_STEPS else labels[1 - _MOST_STEPS :]


def _record(name: str, lookup: Lookup) -> dict[str, str] | None:
    """Return the policy published at a name, None if there is none, or more than one."""
    records = [text for text in lookup(f"_dmarc.{name}", "TXT") if _POLICY.match(text)]
    if len(records) != 1:
        return None
    # Malformed parts of it are ignored, as the standard requires.
    items = (item.partition("=") for item in records[0].split(";"))
    return {tag.strip().lower(): value.strip().lower() for tag, _, value in items}
