"""Reports that a mail of ours could not be delivered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from mail.addresses import mailboxes, normalised, same_mailbox
from mail.parts import Headers, Part

_MOST_TEXT = 10_000  # bytes of a report that are looked at
_MOST_NAMED = 100
_MOST_BOUNCES = 20
_MOST_BLOCKS = 100  # of a report, for a recipient each

_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")
_REPLY = re.compile(r"\b([45]\d\d)[ -]")
# How reports for people name the address: alone on a line, or before a colon.
_NAMED = re.compile(r"^[ \t]*<?([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255})>?[ \t]*(?::|$)", re.MULTILINE)
_NOT_FAILED = ("delivered", "relayed", "expanded")
# About the sender, a mailbox that is full, the size of the mail, the systems on the way, the mail itself, and
# whether it is wanted; at last replies without such a status, which mean a full mailbox, or the mail.
_NOT_THE_ADDRESS = re.compile(r"5\.(?:1\.[78]|2\.[23]|[3567]\.\d+)|55[24]")


@dataclass(frozen=True)
class Bounce:
    """One address that a mail did not reach; `status` as in RFC 3463 ("5.1.1"), "" where the report has none.

    `hard` says that it will not do so later either.
    """

    address: str
    status: str
    hard: bool


def bounces(mail: Part, own: str) -> tuple[Bounce, ...]:
    """What a report says about each address, 20 at most; a delay is not hard, a success is left out."""
    found: dict[str, Bounce] = {}
    reports = [part for part in mail.walk() if is_delivery_status(part)]
    stated = (bounce for block in islice(_blocks(reports), _MOST_BLOCKS) for bounce in _stated(block))
    for bounce in stated if reports else _told(mail, own):
        found.setdefault(bounce.address, bounce)
        if len(found) == _MOST_BOUNCES:
            break
    return tuple(found.values())


def is_delivery_status(part: Part) -> bool:
    """Whether the part is a report for programs (RFC 3464)."""
    return part.media_type in ("message/delivery-status", "message/global-delivery-status")


def is_hard(text: str) -> bool:
    """Whether a refusal, in the words of a server, says that the address takes no mail later either."""
    status = _STATUS.search(text)
    reply = _REPLY.search(text)
    code = status[0] if status else reply[1] if reply else ""
    return code.startswith("5") and not _NOT_THE_ADDRESS.fullmatch(code)


def _blocks(reports: Iterable[Part]) -> Iterator[str]:
    """Reports for programs have a block of fields for the mail, and one for each recipient."""
    for report in reports:
        yield from report.text(_MOST_TEXT).split("\n\n")


def _stated(block: str) -> Iterator[Bounce]:
    """What a block says about a recipient, if it does."""
    fields = Headers(block.strip("\n").encode(errors="replace"))
    recipient = fields.first("Original-Recipient") or fields.first("Final-Recipient")
    action = fields.first("Action").lower()
    address = normalised(recipient.partition(";")[2].strip().strip("<>"))
    if address and not action.startswith(_NOT_FAILED):
        # The class tells soft from hard, not the action: 4.2.2 is "failed" when the sender has given up.
        code = f"{fields.first('Status')} {fields.first('Diagnostic-Code')}"
        yield _bounce(address, code, final=action != "delayed")


def _told(mail: Part, own: str) -> Iterator[Bounce]:
    """From a report for people: the addresses that it names, and the first status in it."""
    text = next((part.text(_MOST_TEXT) for part in mail.walk() if part.media_type == "text/plain"), "")
    named = [address for _, address in mailboxes(mail.headers.first("X-Failed-Recipients"))]
    for each in islice(named or _NAMED.findall(text), _MOST_NAMED):
        address = normalised(each)
        if address and not same_mailbox(address, own):
            yield _bounce(address, text, final=True)


def _bounce(address: str, text: str, final: bool) -> Bounce:
    status = _STATUS.search(text)
    return Bounce(address, status[0] if status else "", hard=final and is_hard(text))
