"""What of a mail is as its sender sent it.

Whoever has a signed mail can send it on, to us too, and change what is not signed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from mail.addresses import addresses, same_mailbox, tagged
from mail.checks.dkim import covered
from mail.checks.signatures import BadSignature, tags
from mail.checks.wire import Wire

Share = Literal["sender", "text", "recipient", "subject", "answers"]
"""Who it is from, what stands in it, that it is for us; what its subject says, and which mails it answers."""

FIELDS = frozenset({
    "subject", "to", "cc", "in-reply-to", "references", "content-type", "content-transfer-encoding",
})  # fmt: skip
"""The header fields, besides From, that decide what a mail says and what it is about."""

_MOST_SIGNATURES = 20
_BOUNDARY = re.compile(r';\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))', re.IGNORECASE)
_PLAIN = re.compile(r'text/plain(?:\s*;\s*charset\s*=\s*"?(?:utf-8|us-ascii)"?)?\s*;?\s*', re.IGNORECASE)
_AS_IT_STANDS = ("", "7bit", "8bit", "binary")


def signed_fields(wire: Wire, domain: str) -> frozenset[str] | None:
    """Which of FIELDS are as those wrote them who may sign for `domain`; None where none of these has signed.

    Which of several signatures was found good is not always known; so that counts which all of them cover. To
    be there no more is a change, too, but it takes away from what the mail asks for, and adds nothing.
    """
    named = [_names(field.value, domain) for field in wire.named("dkim-signature")[:_MOST_SIGNATURES]]
    found = [names for names in named if names is not None]
    if not found:
        return None
    return frozenset.intersection(*(named_fields(wire, names) for names in found))


def named_fields(wire: Wire, names: Sequence[str]) -> frozenset[str]:
    """Which of FIELDS are as they were when somebody signed the fields with these names."""
    return frozenset(name for name in FIELDS if names.count(name) >= len(wire.named(name)))


def shares(wire: Wire, fields: Collection[str], recipient: str) -> frozenset[Share]:
    """What is as the sender sent it, when From and the body are, and these header fields.

    `recipient` is the address of ours at which the mail came.
    """
    return frozenset(_shares(wire, fields, recipient))


def _shares(wire: Wire, fields: Collection[str], recipient: str) -> Iterator[Share]:
    yield "sender"
    if {"content-type", "content-transfer-encoding"} <= {*fields} or _tells_itself(wire):
        yield "text"
    written_to = [field.value for name in ("to", "cc") if name in fields for field in wire.named(name)]
    if any(_is_ours(address, recipient) for address in addresses(written_to)):
        yield "recipient"
    if "subject" in fields:
        yield "subject"
    if {"in-reply-to", "references"} <= {*fields}:
        yield "answers"


def _names(signature: str, domain: str) -> list[str] | None:
    """The fields that a signature covers, None for one that does not speak for the domain.

    By their names alone, two domains may belong together when they end alike.
    """
    try:
        given = tags(signature)
    except BadSignature:
        return []
    ends = [each.lower().split(".")[-2:] for each in (given.get("d", ""), domain)]
    return covered(given) if ends[0] == ends[1] and "h" in given else None


def _is_ours(address: str, recipient: str) -> bool:
    """Whether an address in the header is the one at which the mail came; its tag may have been dropped."""
    return same_mailbox(address, recipient) and tagged(recipient)[1] in ("", tagged(address)[1])


def _tells_itself(wire: Wire) -> bool:
    """Whether the body can be read in no other way, whatever stands in the header.

    Large providers do not sign what it says of the body. Where the body begins and ends with the lines that
    part it, nobody can have it parted at others.
    """
    (kind,) = wire.named("content-type")[:1] or (None,)
    (encoding,) = wire.named("content-transfer-encoding")[:1] or (None,)
    if encoding is not None and encoding.value.strip().lower() not in _AS_IT_STANDS:
        return False
    if kind is None or _PLAIN.fullmatch(kind.value):
        return True
    found = _BOUNDARY.search(kind.value)
    if found is None or not kind.value.lower().startswith("multipart/"):
        return False
    delimiter = b"--" + (found[1] or found[2]).encode(errors="replace")
    return wire.body.startswith(delimiter + b"\r\n") and wire.body.rstrip().endswith(b"\n" + delimiter + b"--")
