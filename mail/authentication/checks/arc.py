"""The results that forwarding servers recorded when an email reached them (ARC, RFC 8617)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from mail.authentication.checks.dkim import (
    BadSignature,
    check_mail,
    check_signature,
    covered,
    signed_data,
    tags,
)
from mail.authentication.checks.dns import Lookup
from mail.authentication.checks.results import Results
from mail.authentication.checks.results import parse as parse_results
from mail.authentication.checks.wire import Wire
from mail.fields import Field

_MOST_SETS = 10
_RESULTS, _SIGNATURE, _SEAL = "arc-authentication-results", "arc-message-signature", "arc-seal"
_INSTANCE = re.compile(r"i\s*=\s*(\d{1,2})")


@dataclass(frozen=True)
class _Set:
    """The three fields that one server added to the email."""

    results: Field
    signature: Field
    seal: Field

    @property
    def fields(self) -> tuple[Field, Field, Field]:
        return self.results, self.signature, self.seal


def first_results(wire: Wire, sealers: Collection[str], lookup: Lookup) -> Results | None:
    """Return the results of the first server of an unbroken chain, None if there is no chain.

    Every server of the chain must be one of `sealers` (domains, in lower case): any of them could have
    changed the email. Raises BadSignature or Malformed for a chain that proves nothing, or LookupFailed.
    """
    chain = list(_chain(wire))
    if not chain:
        return None
    seals = [tags(each.seal.value) for each in chain]
    for number, seal in enumerate(seals):
        if seal.get("d", "").lower() not in sealers:
            raise BadSignature("Not all servers that passed it on are trusted.")
        if seal.get("cv") != ("none" if number == 0 else "pass") or "h" in seal:
            raise BadSignature("A server that passed it on found it broken.")
    _check_last(wire, chain[-1].signature, lookup)
    for number, seal in enumerate(seals):
        *earlier, last = (field for each in chain[: number + 1] for field in each.fields)
        check_signature(seal, signed_data(earlier, last, relaxed=True), lookup)
    return parse_results(chain[0].results.value.partition(";")[2])


def sealed(wire: Wire) -> list[str]:
    """Return the names of the fields signed by the last server of a chain that `first_results` accepted."""
    *_, last = _chain(wire)
    return covered(tags(last.signature.value))


def _chain(wire: Wire) -> Iterator[_Set]:
    """Yield the sets in the order in which they were added."""
    numbered: dict[str, dict[int, Field]] = {_RESULTS: {}, _SIGNATURE: {}, _SEAL: {}}
    for field in wire.fields:
        if field.name in numbered:
            _put(numbered[field.name], field)
    count = max(map(len, numbered.values()))
    for number in range(1, count + 1):
        if not all(number in fields for fields in numbered.values()):
            raise BadSignature("The chain is not whole.")
        yield _Set(numbered[_RESULTS][number], numbered[_SIGNATURE][number], numbered[_SEAL][number])


def _put(numbered: dict[int, Field], field: Field) -> None:
    items = [_INSTANCE.fullmatch(item.strip()) for item in field.value.split(";")]
    found = [int(item[1]) for item in items if item]
    if len(found) != 1 or found[0] in numbered or len(numbered) == _MOST_SETS:
        raise BadSignature("The chain is not whole.")
    numbered[found[0]] = field


def _check_last(wire: Wire, field: Field, lookup: Lookup) -> None:
    """Check the last server's signature of the email itself."""
    given = tags(field.value)
    names = covered(given) if "h" in given else []
    if "from" not in names or _SEAL in names or "l" in given or "d" not in given:
        raise BadSignature("The last server that passed it on did not sign the fields that matter.")
    check_mail(wire, field, names, lookup, "relaxed/relaxed")
