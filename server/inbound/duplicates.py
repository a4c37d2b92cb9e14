"""Copies of one mail, which came by two ways, say: only one of them is acted upon, and answered."""

from collections.abc import Callable

from mail.addresses import tagged
from mail.reading.message import Reading
from server.commands.parser import Instructions
from server.inbound.authorization.endings import Ending, done
from server.store import prepared_statements
from server.store.models import Inbox
from server.store.outbox import ActionContext


def once(
    action: ActionContext,
    row: Inbox,
    reading: Reading,
    instructions: Instructions,
    act: Callable[[], Ending],
) -> Ending:
    """Act upon a mail, unless a copy of it was acted upon before.

    Relays change header and encoding of a mail, and add lines below what was written. Copies have in common who
    wrote it and when, its Message-ID, the address to which it was written, and what is read in it.
    """
    marks = _marks(action, row, reading, instructions)
    if prepared_statements.COPIES(action.session, marks=marks).first() is not None:
        return done("a copy of a mail that was acted upon")
    ending = act()
    if ending.state in ("done", "refused"):
        row.mark = next(iter(marks), None)
    return ending


def _marks(action: ActionContext, row: Inbox, reading: Reading, instructions: Instructions) -> list[str]:
    """What the copies of a mail have in common, as each key marks it; nothing without a Message-ID."""
    if not reading.message_id:
        return []
    # The line at which reading stopped may have been added by a relay, unless the mail is refused for it.
    refused_for = instructions.breaks_off or not instructions.commands
    read = [*map(str, instructions.commands), instructions.stopped_at if refused_for else ""]
    return action.sealer.marks_of(
        "\0".join([reading.sender, reading.message_id, reading.date, tagged(row.recipient)[1], *read])
    )
