"""One email on standard input: Postfix, Exim and Sendmail can start a program for each email."""

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

_NULL_PATH = ("", "<>", "mailer-daemon")  # its names in arguments, which cannot be empty
_SENDERS = ("SENDER", "RETURN_PATH")
_RECIPIENTS = ("ORIGINAL_RECIPIENT", "RECIPIENT")
_EXTENSIONS = ("EXTENSION", "EXT", "LOCAL_PART_SUFFIX")


class Exit(IntEnum):
    """The exit code of the program, which the mail server understands (sysexits.h)."""

    OK = 0
    DATAERR = 65  # the mail server returns the email
    NOUSER = 67  # the mail server returns the email: no such recipient
    TEMPFAIL = 75  # the mail server keeps the email and retries


@dataclass(frozen=True)
class Told:
    """The envelope that the mail server gave the program; `sender` is None if it gave none.

    If `certain`, the recipients are those of the envelope; otherwise one of them may be, or none.
    """

    recipients: tuple[str, ...]
    certain: bool
    sender: str | None


def told(recipients: Sequence[str], sender: str | None, environment: Mapping[str, str]) -> Told:
    """Return the envelope from the program's arguments or, if they have none, from its environment."""
    if sender is None:
        sender = next((environment[name] for name in _SENDERS if name in environment), None)
    if sender is not None and sender.strip().lower() in _NULL_PATH:
        sender = ""
    return Told(tuple(recipients) or tuple(_possible_recipients(environment)), bool(recipients), sender)


def take(
    stdin: BinaryIO,
    by: Told,
    *,
    accepts: Callable[[str], str | None],
    store: Store,
    max_size: int = MAX_SIZE,
) -> Exit:
    """Store the email on `stdin`, and return the exit code; never raises.

    `accepts` is as for the listener: it returns None for a recipient of this server, else a reply ("550 5.1.1
    …"). If the mail server named no such recipient, the header counts, as in envelopes.received. The mail
    server returns an email of more than `max_size` bytes to its sender.
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
        log.warning("did not store an email: %s", error)
        return Exit.TEMPFAIL
    except Exception:
        log.exception("did not store an email")
        return Exit.TEMPFAIL
    return Exit.OK


def _possible_recipients(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the possible recipients, addresses with a tag first: some servers give the tag separately."""
    found = [environment[name] for name in _RECIPIENTS if environment.get(name)]
    tags = [environment[name].lstrip("+") for name in _EXTENSIONS if environment.get(name)]
    for address in found:
        name, tag, domain = tagged(address)
        yield from [address] if tag else [f"{name}+{each}@{domain}" for each in tags]
    yield from found


def _without_postmark(content: bytes) -> bytes:
    """Return the email without the line that separates emails in a mailbox file; it is no header field."""
    return content.partition(b"\n")[2] if content.startswith(b"From ") else content
