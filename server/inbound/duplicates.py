"""Duplicates of incoming emails: of several copies of one email, Nabu carries out only the first."""

from collections.abc import Sequence

from mail.addresses import tagged
from server.inbound.request import Request, done
from server.store.statements import prepared_statements

DUPLICATE = done("a copy of an email that was already handled")


def marks_of(request: Request) -> list[str]:
    """Return texts, one for each secret key, that are equal for all copies of an email.

    Returns [] for an email without a Message-ID. Relays change the header and the encoding of an email, and add
    lines at its end. Copies share the sender, the date, the Message-ID, the recipient and the commands.
    """
    read, reading = request.instructions, request.reading
    if not reading.message_id:
        return []
    # A relay may have added the line at which reading stopped, unless the email is refused because of it.
    refused_for = read.stopped_at if read.breaks_off or not read.commands else ""
    written = [reading.sender, reading.message_id, reading.date, tagged(request.row.recipient)[1]]
    return request.action.sealer.marks_of("\0".join([*written, *map(str, read.commands), refused_for]))


def is_duplicate(request: Request, marks: Sequence[str]) -> bool:
    """Return whether an email with one of these marks was already handled."""
    return prepared_statements.DUPLICATES(request.action.session, marks=marks).first() is not None
