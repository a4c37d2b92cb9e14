"""Signatures that do not cover the mail: each is good only for the mail that it first came with.

They are kept in the database, since one process may get a signature that another got before.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from server.store.db import inserting
from server.store.keys.sealing import Sealer
from server.store.models import Ticket

REMEMBERED = timedelta(days=2)
"""Longer than any such signature is good."""


def admits(
    session: Session, sealer: Sealer, now: datetime, signature: str, fingerprints: Sequence[Sequence[str]]
) -> bool:
    """Whether a signature has come with no other mail before; from now on it is good only for this one.

    The same mail may come again, as it does when it could not be stored: `fingerprints` are those of `inbox`.
    """
    marks = sealer.marks_of(f"ticket\n{signature}")
    by_key = [sorted(prints) for prints in zip(*fingerprints, strict=True)]
    mails = [sealer.marks_of("\n".join(prints))[key] for key, prints in enumerate(by_key)]
    for mark, mail in zip(marks[1:], mails[1:], strict=True):
        earlier = session.get(Ticket, mark)  # from when an older key was in use
        if earlier is not None:
            return earlier.mail == mail
    row = {"mark": marks[0], "mail": mails[0], "since": now}
    session.execute(inserting(session, Ticket).on_conflict_do_nothing(index_elements=["mark"]), row)
    return session.get_one(Ticket, marks[0]).mail == mails[0]
