"""Signatures that do not cover the content of an email: each is valid only for the first email that had it.

They are stored in the database, because several processes receive emails.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from server.store.db import inserting
from server.store.keys.sealing import Sealer
from server.store.models import Ticket

REMEMBERED = timedelta(days=2)
"""Longer than such a signature is valid."""


def admits(
    session: Session, sealer: Sealer, now: datetime, signature: str, fingerprints: Sequence[Sequence[str]]
) -> bool:
    """Return whether a signature is new, or known from the same email; remember it for this email.

    The same email may arrive again, for example if it could not be stored. It is recognized by its
    `fingerprints`, see `inbox`.
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
