"""The parts of an email that are certainly as its sender sent them.

Anyone with a signed email can send it on, to Nabu too, and change its unsigned parts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

from mail.addresses import addresses, same_mailbox, tagged
from mail.authentication.checks.dkim import BadSignature, covered, tags
from mail.authentication.checks.wire import Wire
from mail.reading.parts import boundary

Share = Literal["sender", "text", "recipient", "once", "subject", "answers"]
"""A part of an email: its sender; its text; its recipient, this address of Nabu; its identity, by which it is
recognized again; its subject; the emails that it answers.
"""

_ONCE = frozenset({"message-id", "date"})
FIELDS = _ONCE | {
    "subject", "to", "cc", "in-reply-to", "references", "content-type", "content-transfer-encoding",
}  # fmt: skip
"""The header fields, besides From, that decide the text, the topic and the identity of an email."""

_MOST_SIGNATURES = 20
_OLD = timedelta(days=30)
"""An email older than this may have come before, at a time of which no record is left."""
_PLAIN = re.compile(r'text/plain\s*+(?:;\s*charset\s*=\s*"?(?:utf-8|us-ascii)"?\s*+)?;?\s*+', re.IGNORECASE)
_AS_IT_STANDS = ("", "7bit", "8bit", "binary")


def signed_fields(wire: Wire, domain: str) -> frozenset[str] | None:
    """Return the names of those FIELDS that `domain` has signed; None if it has signed nothing.

    The valid one of several signatures is not always known, so only the fields that all of them cover count. A
    removed field is a change, too, but it only takes away from the commands; except for the fields that
    identify the email. With more than twenty signatures, nothing counts.
    """
    signatures = wire.named("dkim-signature")
    if len(signatures) > _MOST_SIGNATURES:
        return frozenset()
    named = [_names(field.value, domain) for field in signatures]
    found = [names for names in named if names is not None]
    if not found:
        return None
    return frozenset.intersection(*(named_fields(wire, names) for names in found))


def named_fields(wire: Wire, names: Sequence[str]) -> frozenset[str]:
    """Return the names of those FIELDS that cannot have changed if the fields in `names` are signed."""
    return frozenset(
        name
        for name in FIELDS
        if names.count(name) >= len(wire.named(name)) and (name not in _ONCE or wire.named(name))
    )


def speaks_for(signer: str, domain: str) -> bool:
    """Return whether the owner of `signer` may also own `domain`, judging only by the ends of the names."""
    ends = [each.lower().split(".")[-2:] for each in (signer, domain)]
    return ends[0] == ends[1]


def is_old(wire: Wire, now: datetime) -> bool:
    """Return whether an email is so old, by its date, that it may be a copy of one that Nabu has forgotten."""
    try:
        written = parsedate_to_datetime(wire.named("date")[0].value)
        return now - written.replace(tzinfo=written.tzinfo or UTC) > _OLD
    except (IndexError, ValueError, OverflowError):
        return True


def shares(wire: Wire, fields: Collection[str], recipient: str) -> frozenset[Share]:
    """Return the parts of an email that are certainly unchanged if From, the body and these fields are.

    `recipient` is the address of Nabu at which the email arrived.
    """
    return frozenset(_shares(wire, fields, recipient))


def _shares(wire: Wire, fields: Collection[str], recipient: str) -> Iterator[Share]:
    yield "sender"
    if {"content-type", "content-transfer-encoding"} <= {*fields} or _tells_itself(wire):
        yield "text"
    written_to = [field.value for name in ("to", "cc") if name in fields for field in wire.named(name)]
    if any(_is_ours(address, recipient) for address in addresses(written_to)):
        yield "recipient"
    if {*fields} >= _ONCE:
        yield "once"
    if "subject" in fields:
        yield "subject"
    if {"in-reply-to", "references"} <= {*fields}:
        yield "answers"


def _names(signature: str, domain: str) -> list[str] | None:
    """Return the fields that a signature covers, None for one that does not speak for the domain."""
    try:
        given = tags(signature)
    except BadSignature:
        return []
    return covered(given) if speaks_for(given.get("d", ""), domain) and "h" in given else None


def _is_ours(address: str, recipient: str) -> bool:
    """Return whether an address in the header is the one at which the email arrived."""
    return same_mailbox(address, recipient) and tagged(recipient)[1] == tagged(address)[1]


def _tells_itself(wire: Wire) -> bool:
    """Return whether the body can be read in only one way, with any header.

    Large providers do not sign the fields about the body. If the body begins and ends with its own boundary
    lines, it cannot be split at others.
    """
    (kind,) = wire.named("content-type")[:1] or (None,)
    (encoding,) = wire.named("content-transfer-encoding")[:1] or (None,)
    if encoding is not None and encoding.value.strip().lower() not in _AS_IT_STANDS:
        return False
    if kind is None or _PLAIN.fullmatch(kind.value):
        return True
    found = boundary(kind.value)
    if not found or not kind.value.lower().startswith("multipart/"):
        return False
    delimiter = b"--" + found
    return wire.body.startswith(delimiter + b"\r\n") and wire.body.rstrip().endswith(b"\n" + delimiter + b"--")
