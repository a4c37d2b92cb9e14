"""What comes back about mails that we sent: complaints, and the addresses to which bounces go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from mail.addresses import addresses, tagged
from mail.decoding import transfer_decoded
from mail.parts import Headers, Part, parse

_MOST_TEXT = 20_000  # bytes of a report that are looked at
_MOST_ORIGINAL = 100_000  # bytes of the mail complained of
_MOST_ADDRESSES = 20
_REPORT = "message/feedback-report"
_ORIGINAL = ("message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global")
_NO_COMPLAINTS = ("not-spam", "auth-failure", "virus")
_ID = re.compile(r"<([^<>\s]{1,500})>")
_KEY = re.compile(r"[a-z0-9]{1,50}")

BOUNCES = "bounces"
"""What stands before the plus sign in the envelope sender of our mails."""


@dataclass(frozen=True)
class Complaint:
    """What a mail provider reports about one mail of ours (ARF, RFC 5965).

    `kind` is "abuse", "opt-out" …; `unwanted` says that the recipient does not want such mail. `addresses` are
    those who complained, as far as the report tells; many providers do not. `message_id` is that of our mail,
    without angle brackets, `mail_from` the envelope sender that it had; both may be "".

    Anybody can write such a report: it proves something only when `message_id`, or the key in `mail_from`, is
    that of a mail which went to the address.
    """

    kind: str
    unwanted: bool
    addresses: tuple[str, ...]
    message_id: str
    mail_from: str


def is_complaint(mail: Part) -> bool:
    """Whether a mail is a report of that kind, rather than one that a person passes on."""
    return mail.media_type == "multipart/report" and any(part.media_type == _REPORT for part in mail.walk())


def complaint(mail: Part) -> Complaint | None:
    """The complaint in a mail, None where it is no report of that kind; never raises."""
    if not is_complaint(mail):
        return None
    parts = list(mail.walk())
    report = next(part for part in parts if part.media_type == _REPORT)
    fields = Headers(report.text(_MOST_TEXT).strip("\n").encode())
    original = next((_original(part) for part in parts if part.media_type in _ORIGINAL), Headers(b""))
    kind = fields.first("Feedback-Type").lower() or "abuse"
    stated = fields.all("Original-Rcpt-To") + fields.all("Removal-Recipient")
    message_id = _ID.search(original.first("Message-ID"))
    return Complaint(
        kind=kind,
        unwanted=kind not in _NO_COMPLAINTS,
        addresses=tuple(_named(stated)) or tuple(_named(original.all("To"))),
        message_id=message_id[1] if message_id else "",
        mail_from=next(_named([fields.first("Original-Mail-From"), original.first("Return-Path")]), ""),
    )


def bounce_address(key: str, domain: str) -> str:
    """The envelope sender for one mail, so that what comes back names it: `bounces+KEY@DOMAIN`.

    The key is at most 50 letters and digits, in lower case, since mail systems change case; ValueError if not.
    """
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key!r} is no key for a bounce address")
    return f"{BOUNCES}+{key}@{domain}"


def bounce_key(address: str, domain: str) -> str:
    """The key in an address of ours to which something came back, "" where it is no such address."""
    name, tag, host = tagged(address)
    return tag if name == BOUNCES and host == domain.lower() and _KEY.fullmatch(tag) else ""


def _original(part: Part) -> Headers:
    """The header of the mail that the report is about."""
    encoding = part.headers.first("Content-Transfer-Encoding")
    return parse(transfer_decoded(part.body[:_MOST_ORIGINAL], encoding)).headers


def _named(values: Iterable[str]) -> Iterator[str]:
    """The addresses in header values, each once, 20 at most."""
    return islice(addresses(value.removeprefix("rfc822;") for value in values), _MOST_ADDRESSES)
