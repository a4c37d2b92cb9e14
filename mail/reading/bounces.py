"""Bounces: reports that an email from Nabu could not be delivered, and the reasons that servers give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from mail.addresses import mailboxes, normalised, same_mailbox
from mail.fields import Headers
from mail.reading.parts import Part

_MOST_TEXT = 10_000  # bytes of a report that are read
_MOST_NAMED = 100
_MOST_BOUNCES = 20
_MOST_BLOCKS = 100  # blocks of a report, one for each recipient

# Reports for people name the address alone on a line, or before a colon.
_NAMED = re.compile(r"^[ \t]*<?([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255})>?[ \t]*(?::|$)", re.MULTILINE)
_NOT_FAILED = ("delivered", "relayed", "expanded", "delayed")
_STATUS = re.compile(r"(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\w|@)")  # not a part of an address
# About the recipient's address; a closed mailbox; Exchange's status for an unknown mailbox.
_OF_THE_MAILBOX = re.compile(r"5\.(?:1\.(?!7$|8$)\d+|2\.1|4\.1)")
# Addresses, names of hosts, numbers and ids differ between emails, and between servers.
_BRACKETED = re.compile(r"<[^>]*>")
_PARTICULAR = re.compile(r"<[^>]*>|\S*(?:[@\d_]|\w\.\w)\S*")
_LONGEST = 500
_LONGEST_GIST = 120


@dataclass(frozen=True)
class Bounce:
    """An address that an email did not reach; `status` is as in "5.1.1" (RFC 3463), "" if the report has none.

    `hard` means that later emails will not reach it either; `gist` is the wording without details of this
    email.
    """

    address: str
    status: str
    hard: bool
    gist: str


def bounces(mail: Part, own: str) -> tuple[Bounce, ...]:
    """Return the failures in a delivery report, one for each address, at most 20.

    Successes and delays are left out. `own` is Nabu's own address, which never counts as the failed one.
    """
    found: dict[str, Bounce] = {}
    reports = [part for part in mail.walk() if is_delivery_status(part)]
    from_blocks = (bounce for block in islice(_blocks(reports), _MOST_BLOCKS) for bounce in _from_block(block))
    for bounce in from_blocks if reports else _from_text(mail, own):
        found.setdefault(bounce.address, bounce)
        if len(found) == _MOST_BOUNCES:
            break
    return tuple(found.values())


def is_delivery_status(part: Part) -> bool:
    """Return whether a part of an email is a delivery report for programs (RFC 3464)."""
    return part.media_type in ("message/delivery-status", "message/global-delivery-status")


def _blocks(reports: Iterable[Part]) -> Iterator[str]:
    """Yield the blocks of fields in reports for programs: one for the email, and one for each recipient."""
    for report in reports:
        yield from report.text(_MOST_TEXT).split("\n\n")


def _from_block(block: str) -> Iterator[Bounce]:
    """Yield the failure that a block reports for a recipient, if there is one."""
    fields = Headers(block.encode(errors="replace"))
    recipient = fields.first("Original-Recipient") or fields.first("Final-Recipient")
    action = fields.first("Action").lower()
    address = normalised(recipient.partition(";")[2].strip().strip("<>"))
    if address and not action.startswith(_NOT_FAILED):
        # Soft or hard depends on the status, not on the action: 4.2.2 is "failed" when the sender has given up.
        yield _bounce(address, f"{fields.first('Status')} {fields.first('Diagnostic-Code')}")


def _from_text(mail: Part, own: str) -> Iterator[Bounce]:
    """Yield failures from a report for people: the addresses that it names, and the first status in it."""
    text = next((part.text(_MOST_TEXT) for part in mail.walk() if part.media_type == "text/plain"), "")
    named = [address for _, address in mailboxes(mail.headers.first("X-Failed-Recipients"))]
    for each in islice(named or _NAMED.findall(text), _MOST_NAMED):
        address = normalised(each)
        if address and not same_mailbox(address, own):
            # In a text for people, only the status is the same in every email.
            yield _bounce(address, status(text))


def _bounce(address: str, text: str) -> Bounce:
    return Bounce(address, status(text), is_hard(text), gist(text))


def status(text: str) -> str:
    """Return the most specific status code (RFC 3463) in a server's text, such as "5.1.1"; "" without one."""
    found = _STATUS.findall(_BRACKETED.sub(" ", text[:_LONGEST]))
    return next((each for each in found if not each.endswith(".0.0")), found[0] if found else "")


def is_hard(text: str) -> bool:
    """Return whether a refusal means, by its status, that the mailbox does not exist or is closed.

    For example, 5.1.1 (no such mailbox) means that, but 5.2.2 (mailbox full) does not. Words alone prove
    nothing: a server can refuse any recipient with "550 relay not permitted".
    """
    return _OF_THE_MAILBOX.fullmatch(status(text)) is not None


def gist(text: str) -> str:
    """Return the part of a refusal that is the same for all recipients: status and words, without addresses.

    For example, `550 5.1.1 <ann@example.org>: User unknown` becomes `5.1.1 : user unknown`.
    """
    words = _PARTICULAR.sub(" ", text[:_LONGEST].lower())
    return " ".join(f"{status(text)} {words}".split())[:_LONGEST_GIST]
