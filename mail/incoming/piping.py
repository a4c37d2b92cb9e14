"""One mail on standard input, from a mail server that starts a program for each (Postfix, Exim, Sendmail)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import BinaryIO

from mail.addresses import tagged
from mail.incoming.batching import NoRoom
from mail.incoming.envelopes import enclosed, received
from mail.incoming.receiving import MAX_SIZE
from mail.incoming.watching import Store

log = logging.getLogger(__name__)

_NULL_PATH = ("", "<>", "mailer-daemon")  # as it is told to programs, which could not take an empty word
_SENDERS = ("SENDER", "RETURN_PATH")
_RECIPIENTS = ("ORIGINAL_RECIPIENT", "RECIPIENT")
_EXTENSIONS = ("EXTENSION", "EXT", "LOCAL_PART_SUFFIX")


class Exit(IntEnum):
    """What the program ends with, for the mail server to act on (sysexits.h)."""

    OK = 0
    DATAERR = 65  # it sends the mail back
    NOUSER = 67  # it sends the mail back: no such recipient
    TEMPFAIL = 75  # it keeps the mail and tries again


@dataclass(frozen=True)
class Told:
    """What the mail server told the program besides the mail; `sender` is None if it told none.

    `certain` says that the recipients are those of the envelope; else one of them may be, or none.
    """

    recipients: tuple[str, ...]
    certain: bool
    sender: str | None


def told(recipients: Sequence[str], sender: str | None, environment: Mapping[str, str]) -> Told:
    """From the arguments of the program, which come first, and its environment."""
    if sender is None:
        sender = next((environment[name] for name in _SENDERS if name in environment), None)
    if sender is not None and sender.strip().lower() in _NULL_PATH:
        sender = ""
    return Told(tuple(recipients) or tuple(_from(environment)), bool(recipients), sender)


def take(
    stdin: BinaryIO,
    by: Told,
    *,
    accepts: Callable[[str], str | None],
    store: Store,
    max_size: int = MAX_SIZE,
) -> Exit:
    """Store the mail; never raises.

    `accepts` is as for the listener: None when a recipient is ours, else a reply ("550 5.1.1 …"). If the mail
    server named no recipient that is ours, the mail's header counts, as in envelopes.received. A mail of more
    than `max_size` bytes is sent back.
    """

    def ours(address: str) -> bool:
        return not (accepts(address) or "").startswith("5")

    try:
        content = _without_postmark(stdin.read(max_size + 1))
        if not content.strip() or len(content) > max_size:
            return Exit.DATAERR
        replies = {recipient: accepts(recipient) for recipient in by.recipients}
        accepted = tuple(recipient for recipient, reply in replies.items() if reply is None)
        if not accepted and any(reply and reply.startswith("4") for reply in replies.values()):
            return Exit.TEMPFAIL
        if not accepted and by.certain:
            return Exit.NOUSER
        if accepted:
            mail = enclosed("pipe", content, by.sender, accepted if by.certain else accepted[:1])
        else:
            mail = received("pipe", content, ours=ours, mail_from=by.sender)
        store([mail])
    except NoRoom as error:
        log.warning("a mail was not stored: %s", error)
        return Exit.TEMPFAIL
    except Exception:
        log.exception("a mail was not stored")
        return Exit.TEMPFAIL
    return Exit.OK


def _from(environment: Mapping[str, str]) -> Iterator[str]:
    """The addresses that may be the recipient, those with a tag first: some servers tell the tag apart."""
    found = [environment[name] for name in _RECIPIENTS if environment.get(name)]
    tags = [environment[name].lstrip("+") for name in _EXTENSIONS if environment.get(name)]
    for address in found:
        name, tag, domain = tagged(address)
        yield from [address] if tag else [f"{name}+{each}@{domain}" for each in tags]
    yield from found


def _without_postmark(content: bytes) -> bytes:
    """The mail without the line that parts mails in a mailbox file; it is no header field."""
    return content.partition(b"\n")[2] if content.startswith(b"From ") else content
