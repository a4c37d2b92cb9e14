"""Complaints about emails from Nabu, and the return paths to which bounces are sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from mail.addresses import addresses, same_mailbox, tagged, with_tag
from mail.decoding import transfer_decoded
from mail.fields import Headers
from mail.reading.parts import Part, parse

_MOST_TEXT = 20_000  # bytes of a report that are read
_MOST_ORIGINAL = 100_000  # bytes of the reported email
_MOST_ADDRESSES = 20
_REPORT = "message/feedback-report"
_ORIGINAL = ("message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global")
_NO_COMPLAINTS = ("not-spam", "auth-failure", "virus")
_ID = re.compile(r"<([^<>\s]{1,500})>")
_ID_FIELD = re.compile(r"^[> \t]*Message-ID:\s{0,9}<([^<>\s]{1,500})>", re.IGNORECASE | re.MULTILINE)
_KEY = re.compile(r"[a-z0-9]{1,50}")

BOUNCES = "bounces-"
"""The text after the plus sign, before the key, in the return path of Nabu's emails."""


@dataclass(frozen=True)
class Complaint:
    """A mail provider's report about one email from Nabu (ARF, RFC 5965).

    `kind` is "abuse", "opt-out" …; `unwanted` means that the recipient does not want such emails. `addresses`
    are those of the complaining recipients, as far as the report contains them; many providers do not include
    them. `message_id` is that of Nabu's email, without angle brackets, `mail_from` its return path; both may be
    "".

    Anyone can write such a report: it proves something only if `message_id`, or the key in `mail_from`, belongs
    to an email that went to the address.
    """

    kind: str
    unwanted: bool
    addresses: tuple[str, ...]
    message_id: str
    mail_from: str


def is_complaint(mail: Part) -> bool:
    """Return whether an email is a complaint by a provider, and not one that a person forwards."""
    return mail.media_type == "multipart/report" and any(part.media_type == _REPORT for part in mail.walk())


def complaint(mail: Part) -> Complaint | None:
    """Return the complaint that an email is; None if it is none. Never raises."""
    if not is_complaint(mail):
        return None
    parts = list(mail.walk())
    report = next(part for part in parts if part.media_type == _REPORT)
    fields = Headers(report.text(_MOST_TEXT).strip("\n").encode())
    original = _original(mail)
    kind = fields.first("Feedback-Type").lower() or "abuse"
    stated = fields.all("Original-Rcpt-To") + fields.all("Removal-Recipient")
    return Complaint(
        kind=kind,
        unwanted=kind not in _NO_COMPLAINTS,
        addresses=tuple(_named(stated)) or tuple(_named(original.all("To"))),
        message_id=_id(original.first("Message-ID")),
        mail_from=next(_named([fields.first("Original-Mail-From"), original.first("Return-Path")]), ""),
    )


def returned(mail: Part) -> str:
    """Return the Message-ID, without angle brackets, of the email that a bounce is about; "" if unknown.

    It is in the returned email, or its header, as a part of the report or in its text; or the report answers
    that email.
    """
    text = next((part.text(_MOST_TEXT) for part in mail.walk() if part.media_type == "text/plain"), "")
    in_text = _ID_FIELD.search(text)
    answered = mail.headers.first("In-Reply-To") or mail.headers.first("References")
    return _id(_original(mail).first("Message-ID")) or (in_text[1] if in_text else _id(answered))


def returned_path(mail: Part) -> str:
    """Return the return path in the header that a bounce quotes; "" if there is none.

    The server that delivers an email writes it there: players, and people to whom they forward an email, see
    only Nabu's `Message-ID`.
    """
    return next(_named([_original(mail).first("Return-Path")]), "")


def bounce_address(key: str, own: str) -> str:
    """Return the return path for one email, so that bounces identify it: `NAME+bounces-KEY@DOMAIN`.

    `own` is the server's address, `NAME@DOMAIN`. The key is at most 50 letters and digits, in lower case, since
    mail systems change case; raises ValueError if not.
    """
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key!r} is not a key for a bounce address")
    return with_tag(own, f"{BOUNCES}{key}")


def bounce_key(address: str, own: str) -> str:
    """Return the key in a return path such as `k7` in `play+bounces-k7@games.example.org`, or ""."""
    word, key = tagged(address)[1][: len(BOUNCES)], tagged(address)[1][len(BOUNCES) :]
    return key if word == BOUNCES and same_mailbox(address, own) and _KEY.fullmatch(key) else ""


def _original(report: Part) -> Headers:
    """Return the header of the email that a report is about, without fields if it contains none."""
    part = next((part for part in report.walk() if part.media_type in _ORIGINAL), None)
    if part is None:
        return Headers(b"")
    encoding = part.headers.first("Content-Transfer-Encoding")
    return parse(transfer_decoded(part.body[:_MOST_ORIGINAL], encoding)).headers


def _id(value: str) -> str:
    found = _ID.search(value)
    return found[1] if found else ""


def _named(values: Iterable[str]) -> Iterator[str]:
    """Return the addresses in header values, each once, 20 at most."""
    return islice(addresses(value.removeprefix("rfc822;") for value in values), _MOST_ADDRESSES)
